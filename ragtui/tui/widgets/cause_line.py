"""The lines that say why a query fails, below a list or a query; in the detail they can be stepped into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.events import Click
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground
from ragtui.tui.state.pieces import Row, spread
from ragtui.tui.strips import paint, strip
from ragtui.tui.widgets.drawn import Drawn

Said = Callable[[int, int], Sequence[Row]]
"""Rows for so many cells and lines."""

MOST = 2


class CauseLine(Drawn, Widget):
    """One or two rows.

    Args:
        said: what stands there; asked whenever it is drawn.
    """

    DEFAULT_CSS = "CauseLine { height: 1; } CauseLine.-two { height: 2; }"

    @dataclass
    class Clicked(Message):
        """It was clicked."""

        is_used: bool

    def __init__(self, said: Said) -> None:
        super().__init__()
        self._said = said
        self.is_used = False

    def use(self, is_used: bool) -> None:
        """Whether enter is for it."""
        self.is_used = is_used
        self.refresh()

    def line(self, y: int) -> Strip:
        """One row, as wide as the screen."""
        palette, width = palette_of(self), self.size.width
        ground: Ground = "selected" if self.is_used else "background"
        filler = palette.style("text", ground)
        rows = self._said(width - 2, self.size.height)
        bar = (">" if self.is_used and y == 0 else " ", palette.style("accent", ground, bold=True))
        pieces = paint(spread(rows[y], width - 2), palette, ground) if y < len(rows) else []
        return strip([bar, *pieces], width, filler)

    def on_click(self, event: Click) -> None:
        """Say so."""
        self.post_message(self.Clicked(self.is_used))
