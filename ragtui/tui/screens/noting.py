"""A note on a query, in the reviewer's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from ragtui.messages import t
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.widgets.lines import Lines


class NoteDialog(Dialog[str]):
    """Gives the note; an empty one takes it back.

    Args:
        title: fit to be shown.
        before: the note as it stands; foreign text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, title: str, before: str) -> None:
        super().__init__(title)
        self._before = before

    def body(self) -> Iterator[Widget]:
        """A field."""
        yield Input(self._before, compact=True, select_on_focus=False)
        yield Lines(self._keys, id="dialog-keys", ground="raised")

    def _keys(self, width: int, _: int) -> list[Fact]:
        return flow([(Piece(t("tagging.note.keys"), "dim"),)], width)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Give back what was written."""
        self.dismiss(message.value)
