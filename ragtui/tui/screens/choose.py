"""A question with a few answers, over the screen it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.choices import Choice
from ragtui.tui.widgets.menu import Menu


class ChooseDialog(Dialog[str]):
    """Gives the value that was chosen, None where the question was closed.

    Args:
        title: the question, fit to be shown.
        choices: the answers.
        chosen: value of the answer that holds now.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,right", "choose", show=False),
        Binding("q,left", "dismiss(None)", show=False),
    ]

    def __init__(self, title: str, choices: Sequence[Choice], chosen: str | None = None) -> None:
        super().__init__(title)
        at = next((n for n, choice in enumerate(choices) if choice.value == chosen), 0)
        self.menu = Menu(choices, at)

    def body(self) -> Iterator[Widget]:
        """The answers."""
        yield self.menu

    def action_choose(self) -> None:
        """Take the answer under the cursor."""
        self.menu.action_choose()

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Give back what was chosen."""
        self.dismiss(message.value)
