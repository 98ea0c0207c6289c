"""What lists of queries have in common on which causes are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ragtui.errors import RagtuiError
from ragtui.review.events import Event
from ragtui.tui.latest import Latest
from ragtui.tui.screens.reviewing import Reviewing
from ragtui.tui.state.pieces import Row
from ragtui.tui.state.query_list import QueryList
from ragtui.tui.state.review_words import cause_cell, cause_rows
from ragtui.tui.state.rows import Cell
from ragtui.tui.widgets.cause_line import CauseLine
from ragtui.tui.widgets.query_table import QueryTable

Result = TypeVar("Result")

LOOKED_AT_ONCE = 8
"""Queries that the rules look at before the list is drawn with what they suggest."""


class ReviewingList(Reviewing[Result]):
    """A table of queries with a column of causes, and a line that says why the one under the cursor fails."""

    listed: QueryList | None

    def __init__(self) -> None:
        super().__init__()
        self.listed = None
        self._rules = Latest(self, self._look, self._looked)

    @property
    def table(self) -> QueryTable:
        """The queries."""
        return self.query_one(QueryTable)

    @property
    def selected(self) -> str | None:
        """Id of the query under the cursor."""
        if self.listed is None or not len(self.listed):
            return None
        return self.listed.query_id(self.table.cursor)

    @property
    def has_rows(self) -> bool:
        """Whether there is a query in the list."""
        return self.listed is not None and len(self.listed) > 0

    @property
    def reviewed(self) -> str | None:
        """The query under the cursor."""
        return self.selected

    def ids(self) -> list[str]:
        """Ids of the queries that are listed, in order."""
        return [] if self.listed is None else self.listed.query_ids()

    def show(self, listed: QueryList, selected: str | None) -> None:
        """Show another list, with the cursor on `selected` where it is in it, else on the first row."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """From now on the order of this list is reviewed."""
        self.sitting.listed = lambda: np.empty(0, np.int64) if self.listed is None else self.listed.rows

    # what rules suggest

    def cause_of(self, query_id: str) -> Cell:
        """The cell that says why a query fails."""
        return cause_cell(self.sitting, query_id)

    def cause_line(self, _: int, lines: int) -> list[Row]:
        """What is said of the query under the cursor."""
        return cause_rows(self.sitting, self.selected, lines)

    def suggest(self) -> None:
        """Let the rules look at the rows that are seen, that of the cursor first."""
        if self.listed is None or not self.is_attached:
            return
        seen = (self.listed.query_id(position) for position in self.table.seen if position < len(self.listed))
        ids = dict.fromkeys([*filter(None, [self.selected]), *seen])
        unknown = [query_id for query_id in ids if self.sitting.hint(query_id).state == "unknown"]
        self._rules.want(tuple(unknown[:LOOKED_AT_ONCE]) or None)

    def on_query_table_scrolled(self, message: QueryTable.Scrolled) -> None:
        """Let the rules look at what has come into sight."""
        self.suggest()

    def _look(self, query_ids: tuple[str, ...]) -> None:
        for query_id in query_ids:
            self.sitting.look(query_id)

    def _looked(self, query_ids: tuple[str, ...], found: RagtuiError | None) -> None:
        self.redraw_causes()
        if found is None:
            self.suggest()

    def redraw_causes(self) -> None:
        """Draw causes anew, in the list and below it."""
        if self.is_attached:
            self.table.refresh()
            self.query_one(CauseLine).refresh()

    # what is decided

    def decided(self, events: Sequence[Event]) -> None:
        """Rows that were decided about stay where they are; under a filter on that they are dim."""
        if self.listed is not None:
            self.show(self.listed.seen_anew(self.session.facts(), self.session.metric), self.selected)

    def go_on(self) -> bool:
        """To the next row whose cause nobody has said; from the last one back to the first."""
        position = self.sitting.next_open(self.ids(), self.table.cursor)
        if position is not None:
            self.table.move_to(position)
        return position is not None

    def go_to(self, query_id: str) -> None:
        """To a query, where it is in the list."""
        position = self.listed.position_of(query_id) if self.listed is not None else None
        if position is not None:
            self.table.move_to(position)
