"""One line of text that is drawn anew whenever it is looked at: header, status."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui import cells
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground, Palette
from ragtui.tui.strips import Painted, two_sided
from ragtui.tui.widgets.drawn import Drawn

Content = Callable[[Palette, int], tuple[Sequence[Painted], Sequence[Painted]]]
"""What stands at the left and what at the right of a line, by palette and width in cells."""


class Line(Drawn, Widget):
    """One line with a left and a right end; the right end gives way where there is no room for both."""

    DEFAULT_CSS = "Line { height: 1; width: 1fr; }"

    def __init__(
        self,
        content: Content,
        *,
        ground: Ground = "background",
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._content = content
        self._ground = ground

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Cells that the content takes, for `width: auto`."""
        left, right = self._content(palette_of(self), container.width)
        return sum(cells.width(text) for text, _ in (*left, *right))

    def line(self, y: int) -> Strip:
        """The line, as wide as the widget."""
        palette = palette_of(self)
        left, right = self._content(palette, self.size.width)
        filler = palette.style("text", self._ground)
        return two_sided(left, right, self.size.width, filler)
