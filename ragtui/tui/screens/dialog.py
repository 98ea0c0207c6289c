"""What dialogs have in common: a title, what is asked below it, keys at the foot, a way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widget import Widget

from ragtui.tui.actions import Need, Place
from ragtui.tui.palette import Palette
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line

Result = TypeVar("Result")


class Dialog(ModalScreen[Result | None]):
    """A box over the screen it is about. Closed with esc or a click beside it, it gives None.

    Args:
        title: fit to be shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]
    keys_of: ClassVar[Place | None] = None
    """The place of the catalogue whose keys stand at the foot; None for dialogs that explain themselves."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """Title, body, keys."""
        with Vertical(classes="dialog"):
            yield Line(self._heading, ground="raised")
            yield from self.body()
            if self.keys_of is not None:
                yield KeyFooter(self.keys_of, self.meets)

    def body(self) -> Iterator[Widget]:
        """What is asked."""
        raise NotImplementedError

    def meets(self, need: Need | None) -> bool:
        """Whether what an action of the dialog needs is there."""
        return True

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        return [(f" {self._title}", palette.style("text", "raised", bold=True))], []

    def on_click(self, event: Click) -> None:
        """A click beside the box closes it."""
        if event.widget is self:
            self.dismiss(None)
