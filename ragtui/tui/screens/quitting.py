"""Quitting while judging is under way: what is kept, and whether to."""

from __future__ import annotations

from collections.abc import Iterator

from textual.widget import Widget

from ragtui.judging.progress import Progress
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.widgets.lines import Lines

STOP, STAY = "stop", "stay"


class QuitDialog(ChooseDialog):
    """Gives `STOP` where judging is to be stopped.

    Args:
        progress: how far judging has come.
        leaves_set: the set is left, and not the app.
    """

    def __init__(self, progress: Progress, *, leaves_set: bool = False) -> None:
        stop = Choice(STOP, t("judges.quit.leave" if leaves_set else "judges.quit.quit"))
        super().__init__(t("judges.quit.title"), [stop, Choice(STAY, t("judges.quit.stay"))])
        self._progress = progress

    def body(self) -> Iterator[Widget]:
        """What is kept, and the answers."""
        yield Lines(self._kept, ground="raised", margin=1, id="plan-lines")
        yield from super().body()

    def _kept(self, width: int, height: int) -> list[Fact]:
        said = t("judges.quit.kept", done=self._progress.done, total=self._progress.total)
        return [(Piece(line),) for line in cells.wrap(said, width)]
