"""A question that is answered with a line of text."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from ragtui.tui.palette import Palette
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.line import Line


class AskDialog(ModalScreen[str | None]):
    """Gives the text that was entered, None where the question was closed or nothing was entered."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, title: str, given: str = "") -> None:
        super().__init__()
        self._title = title
        self._given = given

    def compose(self) -> ComposeResult:
        """Title above a field."""
        with Vertical(classes="dialog"):
            yield Line(self._heading, ground="raised")
            yield Input(self._given, compact=True)

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        return [(f" {self._title}", palette.style("text", "raised", bold=True))], []

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Give back what was entered."""
        self.dismiss(message.value.strip() or None)
