"""A page to read, over the screen it is about: keys and signs, remarks, the whole text of a card."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen

from ragtui.messages import t
from ragtui.tui.bindings import moving
from ragtui.tui.palette import Palette
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Layout, Lines

Ends = tuple[list[Painted], list[Painted]]


class PageScreen(ModalScreen[None]):
    """Lines that scroll; closed with the key that opened it, too.

    Args:
        title: fit to be shown.
        layout: the lines for a width.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,？,f1,w,left,enter", "dismiss", show=False),
        *moving("scroll"),
        Binding("space", "scroll(10)", show=False),
    ]

    def __init__(self, title: str, layout: Layout) -> None:
        super().__init__()
        self._title = title
        self._layout = layout

    def compose(self) -> ComposeResult:
        """Title above a page that scrolls."""
        with Vertical(id="page"):
            yield Line(self.heading, ground="raised")
            with VerticalScroll(can_focus=False):
                yield Lines(self._layout, id="page-lines", margin=2)

    def heading(self, palette: Palette, width: int) -> Ends:
        """What stands above the page."""
        title = (f" {self._title}", palette.style("text", "raised", bold=True))
        return [title], [(f"{t('tui.help.close')} ", palette.style("dim", "raised"))]

    def action_scroll(self, by: int) -> None:
        """Scroll the page."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)
