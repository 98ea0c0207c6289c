"""The line of screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.events import Click

from ragtui.tui import cells
from ragtui.tui.actions import BY_ID, Place
from ragtui.tui.palette import Palette
from ragtui.tui.state.tabs import judge_chip, tab_at, tab_facts
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.line import Line


class TabLine(Line):
    """Screens by their digits; a click does what the digit does.

    Args:
        place: the screen that it stands on.
        is_unjudged: whether there is a run of which no verdict is there.
    """

    def __init__(self, place: Place, is_unjudged: Callable[[], bool] = lambda: False) -> None:
        super().__init__(self._tabs, id="tabs")
        self._place = place
        self._is_unjudged = is_unjudged

    def _tabs(self, palette: Palette, width: int) -> tuple[Sequence[Painted], Sequence[Painted]]:
        left, right = tab_facts(self._place, is_unjudged=self._is_unjudged())
        return paint(left, palette), paint(right, palette)

    def on_click(self, event: Click) -> None:
        """Go to the screen that was clicked; the chip goes to the judges."""
        tab = tab_at(self._place, event.x)
        if tab is None and self._is_unjudged() and event.x >= self.size.width - cells.width(judge_chip()) - 1:
            tab = "judges"
        if tab is not None:
            self.app.simulate_key(BY_ID[tab].keys[0])
