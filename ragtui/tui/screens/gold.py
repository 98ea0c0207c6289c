"""Which gold is looked at: that of the files, or a version people corrected, with the numbers of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.latest import Latest
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.session import Session
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.state.review_gold import compared, comparison_lines, gold_choices
from ragtui.tui.widgets.lines import Lines
from ragtui.tui.widgets.menu import Menu
from ragtui.workspace.review_gold import GoldComparison


class GoldDialog(Dialog[str]):
    """Gives the number of the version to look at.

    Args:
        session: set, run and cut-off; the version in use is under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,right", "choose", show=False),
        Binding("q,left", "dismiss(None)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(t("tagging.gold.title"))
        self._session = session
        choices = gold_choices(session)
        used = str(session.workspace.gold_version)
        at = next((n for n, choice in enumerate(choices) if choice.value == used), 0)
        self.menu = Menu(choices, at)
        self._found: GoldComparison | RagtuiError | None = None
        self._comparisons = Latest(self, self._compare, self._take)

    def body(self) -> Iterator[Widget]:
        """Versions, and below them what the one under the cursor does to the numbers."""
        yield self.menu
        yield Lines(self._lines, id="gold-lines", ground="raised")
        yield Lines(self._keys, id="dialog-keys", ground="raised")

    def on_mount(self) -> None:
        """Follow the cursor."""
        self.watch(self.menu, "cursor", self._wish)

    def _wish(self) -> None:
        if self._session.run is not None:
            self._comparisons.want(int(self.menu.choices[self.menu.cursor].value))

    def _compare(self, version: int) -> GoldComparison:
        return compared(self._session, version)

    def _take(self, _: int, found: GoldComparison | RagtuiError) -> None:
        self._found = found
        self.query_one("#gold-lines", Lines).show(self._lines)

    def _lines(self, width: int, _: int) -> list[Fact]:
        found = self._found
        if found is None:
            return [(Piece(t("tagging.gold.computing"), "dim"),)]
        if isinstance(found, RagtuiError):
            return [(Piece(shown_lines(str(found)), "miss"),)]
        run = t("tagging.gold.run", run=shown(self._session.run or ""), k=self._session.k)
        return [(), (Piece(run, "dim"),), *comparison_lines(found, width)]

    def _keys(self, width: int, _: int) -> list[Fact]:
        return flow([(Piece(t("tagging.gold.keys"), "dim"),)], width)

    def action_choose(self) -> None:
        """Look at the version under the cursor."""
        self.menu.action_choose()

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Give back what was chosen."""
        self.dismiss(message.value)
