"""Lines of pieces in a box: previews, sentences where there is nothing to list, help."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground
from ragtui.tui.state.pieces import Fact
from ragtui.tui.strips import paint, strip
from ragtui.tui.widgets.drawn import Drawn

Layout = Callable[[int, int], Sequence[Fact]]
"""Lines for a box of so many cells across and so many lines."""


class Lines(Drawn, Widget):
    """Draws what it is given; laid out again when its size or content changes.

    Args:
        margin: cells left free at either side.
    """

    DEFAULT_CSS = "Lines { height: 1fr; width: 1fr; }"

    def __init__(
        self,
        layout: Layout | None = None,
        *,
        ground: Ground = "background",
        margin: int = 1,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._lay_out = layout
        self._ground = ground
        self._margin = margin
        self._laid_out: tuple[Size, Sequence[Fact]] | None = None

    def show(self, layout: Layout | None) -> None:
        """Draw something else; None for nothing."""
        self._lay_out = layout
        self._laid_out = None
        self.refresh(layout=self.styles.height is not None and self.styles.height.is_auto)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are, for `height: auto`."""
        return len(self._lay_out(width - 2 * self._margin, 10_000)) if self._lay_out is not None else 0

    @property
    def facts(self) -> Sequence[Fact]:
        """The lines at the present size."""
        if self._laid_out is None or self._laid_out[0] != self.size:
            width, height = self.size
            room = width - 2 * self._margin
            found = self._lay_out(room, height) if self._lay_out is not None and room > 1 else ()
            self._laid_out = (self.size, found)
        return self._laid_out[1]

    def line(self, y: int) -> Strip:
        """One line, as wide as the box."""
        palette = palette_of(self)
        filler = palette.style("text", self._ground)
        pieces = paint(self.facts[y], palette, self._ground) if y < len(self.facts) else []
        inside = [(" " * self._margin, filler), *pieces]
        line = strip(inside, max(0, self.size.width - self._margin), filler)
        return line.extend_cell_length(self.size.width, filler)


class Rule(Widget):
    """A thin line, across or down, in the glyphs of the terminal."""

    DEFAULT_CSS = "Rule { height: 1; width: 1fr; } Rule.-down { width: 1; height: 1fr; }"

    def render_line(self, y: int) -> Strip:
        """The line."""
        from ragtui.tui.glyphs import glyphs

        sign = glyphs().bar if self.has_class("-down") else glyphs().rule
        style = palette_of(self).style("rule")
        return strip([(sign * self.size.width, style)], self.size.width, style)
