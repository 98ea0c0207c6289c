"""A question with a few answers, over the screen it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from ragtui.tui.palette import Palette
from ragtui.tui.state.choices import Choice
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.menu import Menu


class ChooseDialog(ModalScreen[str | None]):
    """Gives the value that was chosen, None where the question was closed.

    Args:
        title: the question, fit to be shown.
        choices: the answers.
        chosen: value of the answer that holds now.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,left", "dismiss(None)", show=False)]

    def __init__(self, title: str, choices: Sequence[Choice], chosen: str | None = None) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """Title above answers."""
        at = next((n for n, choice in enumerate(self._choices) if choice.value == self._chosen), 0)
        with Vertical(classes="dialog"):
            yield Line(self._heading, ground="raised")
            yield Menu(self._choices, at)

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        return [(f" {self._title}", palette.style("text", "raised", bold=True))], []

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Give back what was chosen."""
        self.dismiss(message.value)
