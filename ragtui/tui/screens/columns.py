"""Which columns the list shows, and in which order; seen in the list as they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from textual.binding import BindingType

from ragtui.messages import t
from ragtui.tui.actions import Place
from ragtui.tui.bindings import bindings
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.columns import QUERY, ColumnOrder, all_columns, column_title, usual_columns
from ragtui.tui.state.query_list import QueryList
from ragtui.tui.widgets.menu import Menu

Take = Callable[[tuple[str, ...]], None]


class ColumnsDialog(Dialog[None]):
    """Every change is given to `take` at once: the columns in order, none for the usual ones.

    Args:
        listed: the list they are of.
        take: shows other columns.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("columns")]
    keys_of: ClassVar[Place | None] = "columns"

    def __init__(self, listed: QueryList, take: Take) -> None:
        super().__init__(t("tui.columns.title"))
        self._k = listed.facts.table.k
        self._usual = usual_columns(listed.facts.table)
        self._everything = all_columns(listed.facts.table)
        self._take = take
        self._order = ColumnOrder.of(self._everything, listed.chosen)
        self.menu = Menu(self._choices(), 0)

    def body(self) -> Iterator[Menu]:
        """All columns, those that are shown with a cross."""
        yield self.menu

    def _choices(self) -> Sequence[Choice]:
        return [
            Choice(
                column,
                f"[{'x' if column in self._order.chosen else ' '}] {column_title(column, self._k)}",
                t("tui.columns.always") if column == QUERY else "",
            )
            for column in self._order.order
        ]

    def action_choose_column(self) -> None:
        """Show or hide the column under the cursor."""
        self.menu.action_choose()

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Show or hide a column."""
        self._change(self._order.toggled(message.value), self.menu.cursor)

    def action_earlier(self) -> None:
        """Move the column up."""
        self._move(-1)

    def action_later(self) -> None:
        """Move the column down."""
        self._move(1)

    def _move(self, by: int) -> None:
        at = self.menu.cursor
        to = max(0, min(at + by, len(self._order.order) - 1))
        self._change(self._order.moved(at, by), to)

    def action_usual(self) -> None:
        """Show the usual columns again."""
        self._change(ColumnOrder.of(self._everything, self._usual), 0)

    def action_done(self) -> None:
        """Back to the list."""
        self.dismiss(None)

    def _change(self, order: ColumnOrder, cursor: int) -> None:
        self._order = order
        self.menu.show(self._choices(), cursor)
        self._take(() if order.columns == self._usual else order.columns)
