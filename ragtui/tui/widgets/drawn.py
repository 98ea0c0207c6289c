"""What widgets that draw line by line have in common: text that can be selected, and lists that scroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui.strips import with_selection

if TYPE_CHECKING:
    _Widget = Widget
else:
    # Textual takes styles and bindings from the first base that is one of its nodes, which this must not be
    _Widget = object


class Drawn(_Widget):
    """Makes a widget of lines; stands before Textual's class among the bases. A subclass gives `line`."""

    ALLOW_MAXIMIZE = False

    def line(self, y: int) -> Strip:
        """What stands at a line of the widget, as wide as the widget."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """The line, with what the mouse selected on it."""
        line = self.line(y)
        selection = self.text_selection
        span = selection.get_span(y) if selection is not None else None
        if span is not None:
            line = with_selection(line, span, self.screen.get_component_rich_style("screen--selection"))
        return line.apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Text under a selection made with the mouse."""
        lines = [self.line(y).text.rstrip() for y in range(self.size.height)]
        return selection.extract("\n".join(lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()


class DrawnList(Drawn, ScrollView):
    """Lines that scroll under a header that stays."""

    DEFAULT_CSS = "DrawnList { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }"
    HEADER = 0
    """Lines at the top that stay."""

    @property
    def page(self) -> int:
        """How many lines are seen at once below the header."""
        return max(1, self.size.height - self.HEADER)

    def reveal(self, line: int) -> None:
        """Scroll as little as needed for a line to be seen."""
        top = self.scroll_offset.y
        target = min(max(top, line - self.page + 1), line)
        if target != top:
            # forced: the scrollbar is told of new lines only after this
            self.scroll_to(y=target, animate=False, force=True)
