"""The help page over the screen it explains."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen

from ragtui.messages import t
from ragtui.tui.actions import Place
from ragtui.tui.palette import Palette
from ragtui.tui.state.help import help_page
from ragtui.tui.state.pieces import Fact
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines


class HelpScreen(ModalScreen[None]):
    """Keys of a place, columns, signs, the filter language, the metrics."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,？,f1,left", "dismiss", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("ctrl+d,space,pagedown", "scroll(10)", show=False),
        Binding("ctrl+u,pageup", "scroll(-10)", show=False),
        Binding("g,home", "scroll(-100000)", show=False),
        Binding("G,end", "scroll(100000)", show=False),
    ]

    def __init__(self, of_place: Place) -> None:
        super().__init__()
        self._of_place = of_place

    def compose(self) -> ComposeResult:
        """Title above a page that scrolls."""
        with Vertical(id="help"):
            yield Line(self._heading, ground="raised")
            with VerticalScroll(can_focus=False):
                yield Lines(self._page, id="help-page", margin=2)

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        title = (f" {t('tui.help.page')}", palette.style("text", "raised", bold=True))
        return [title], [(f"{t('tui.help.close')} ", palette.style("dim", "raised"))]

    def _page(self, width: int, height: int) -> list[Fact]:
        return help_page(self._of_place, width)

    def action_scroll(self, by: int) -> None:
        """Scroll the page."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)
