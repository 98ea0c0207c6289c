"""A question that is answered with a line of text."""

from __future__ import annotations

from collections.abc import Iterator

from textual.widgets import Input

from ragtui.tui.screens.dialog import Dialog


class AskDialog(Dialog[str]):
    """Gives the text that was entered, None where the question was closed or nothing was entered.

    Args:
        title: the question, fit to be shown.
        given: what stands in the field at first.
    """

    def __init__(self, title: str, given: str = "") -> None:
        super().__init__(title)
        self._given = given

    def body(self) -> Iterator[Input]:
        """A field."""
        yield Input(self._given, compact=True, select_on_focus=False)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Give back what was entered."""
        self.dismiss(message.value.strip() or None)
