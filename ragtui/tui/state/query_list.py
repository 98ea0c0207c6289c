"""The query list as a person has filtered and ordered it: which rows, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from ragtui.analysis import order
from ragtui.analysis.facts import Facts
from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.where import Nearest, Where, is_outcome, nearest_matching, parse
from ragtui.analysis.where_parser import WhereError
from ragtui.tui.state.columns import CAUSE, SET_ORDER, STRIP, name_at, usual_columns
from ragtui.tui.state.query_cells import QueryCells
from ragtui.tui.state.rows import Cell, Column
from ragtui.workspace import ViewState

WORST = "worst"
"""Worst first: the order in which failing queries come to the top."""

SORT_OF_HEADER = {"mark": WORST, STRIP: "first_rank"}
"""What a click on a header sorts by, where that is not its column."""


@dataclass(frozen=True, slots=True)
class Sort:
    """What the list is sorted by: `worst`, or a column of `state.columns`; `reverse` turns it round."""

    by: str = WORST
    reverse: bool = False


def _no_cause(_: str) -> Cell:
    return ()


@dataclass(frozen=True, eq=False)
class QueryList:
    """Rows of a query table under a filter. The order is made when filter or sort are applied, and then kept.

    Attributes:
        facts: what is known of the queries now.
        metric: the metric that the list shows and sorts by, such as `ndcg@5`.
        sort: how `rows` were ordered.
        where: the last filter that was right.
        rows: rows of the table in order, as they matched when the filter was applied.
        error: what is wrong with the filter as it stands; `where` is then an older one.
        arranged: columns as a person arranged them; empty for the usual ones.
        cause: the cell that says why a query fails, by its id.
    """

    facts: Facts
    metric: str
    sort: Sort
    where: Where
    rows: npt.NDArray[np.int64]
    error: WhereError | None = None
    arranged: tuple[str, ...] = ()
    cause: Callable[[str], Cell] = _no_cause

    @classmethod
    def of(
        cls,
        facts: Facts,
        metric: str,
        text: str = "",
        sort: Sort = Sort(),
        arranged: tuple[str, ...] = (),
        cause: Callable[[str], Cell] = _no_cause,
    ) -> QueryList:
        """All queries, then filtered with `text`."""
        nowhere, nothing = Where("", facts, ()), np.empty(0, np.int64)
        empty = cls(facts, metric, sort, nowhere, nothing, arranged=arranged, cause=cause)
        everything = empty.filtered("")
        return everything.filtered(text)

    @classmethod
    def as_left(
        cls, facts: Facts, metric: str, view: ViewState, cause: Callable[[str], Cell] = _no_cause
    ) -> QueryList:
        """The list with filter, order and columns of the last visit."""
        sort = Sort(view.sort or WORST, view.reverse)
        return cls.of(facts, metric, view.filter, sort, view.columns, cause)

    def filtered(self, text: str) -> QueryList:
        """Apply a filter anew.

        Of one whose last term is wrong, as while it is typed, the terms before it are applied; one that is
        wrong elsewhere changes nothing but `error`.
        """
        where = parse(text, self.facts)
        if isinstance(where, WhereError):
            before, _, last = text.rpartition(" ")
            is_last = where.position + where.length > len(text) - len(last)
            return replace(self.filtered(before) if is_last else self, error=where)
        ordered = _ordered(self.facts.table, self.metric, self.sort)
        return replace(self, where=where, rows=ordered[where.mask()[ordered]], error=None)

    def sorted(self, sort: Sort) -> QueryList:
        """Sort anew, with the filter applied again."""
        return replace(self, sort=sort).filtered(self.where.text)

    def seen_anew(self, facts: Facts, metric: str) -> QueryList:
        """The same list after facts changed: another run, cut-off or mark.

        Under a filter rows keep their places, and what ceased to match is dim. Else all is sorted anew.
        """
        changed = replace(self, facts=facts, metric=metric)
        if not self.where.conditions:
            return changed.filtered("")
        where = parse(self.where.text, facts)
        if isinstance(where, WhereError):
            return replace(changed, error=where)
        return replace(changed, where=where, error=None)

    @property
    def lacks_facts(self) -> bool:
        """Whether filter or order ask for what is not known, as verdicts that were not read yet."""
        return self.error is not None or not (self.sort.by == WORST or _has(self.facts.table, self.sort.by))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> int:
        """Queries of the split."""
        return len(self.facts.table)

    @cached_property
    def done(self) -> int:
        """Rows that have ceased to match since the filter was applied."""
        return int((~self._matching[self.rows]).sum())

    @property
    def is_filtered(self) -> bool:
        """Whether a filter leaves anything out, or could."""
        return bool(self.where.conditions)

    @cached_property
    def mean(self) -> float | None:
        """Mean of the metric over the rows; None under a filter on an outcome, and where no row is scored."""
        values = self._metric_values()
        if values is None or is_outcome(self.where):
            return None
        scored = values[self.rows]
        scored = scored[~np.isnan(scored)]
        return float(scored.mean()) if len(scored) else None

    @property
    def nearest(self) -> Nearest | None:
        """For a filter that matches nothing: the one with a term less that matches something."""
        return nearest_matching(self.where)

    def query_ids(self) -> list[str]:
        """Ids of all rows, in order."""
        ids: list[str] = self.facts.table.query_ids[self.rows].tolist()
        return ids

    def query_id(self, position: int) -> str:
        """Id of the query at a place of the list."""
        return str(self.facts.table.query_ids[self.rows[position]])

    def position_of(self, query_id: str | None) -> int | None:
        """Place of a query in the list."""
        row = self.facts.table.row_of(query_id) if query_id is not None else None
        if row is None:
            return None
        at = np.flatnonzero(self.rows == row)
        return int(at[0]) if len(at) else None

    def next_match(self, position: int, by: int) -> int | None:
        """The next (1) or previous (-1) row that still matches; None where there is none."""
        matching = np.flatnonzero(self._matching[self.rows])
        beyond = matching[matching > position] if by > 0 else matching[matching < position]
        if not len(beyond):
            return None
        return int(beyond[0] if by > 0 else beyond[-1])

    @property
    def _drawn(self) -> QueryCells:
        return _drawn(self.facts.table, self.arranged)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the columns that are shown."""
        return self._drawn.chosen

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._drawn.columns

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        query_id, facts = self.query_id(position), self.facts
        drawn = self._drawn.of(
            int(self.rows[position]),
            is_marked=query_id in facts.marked,
            is_done=query_id in (facts.causes or ()),
        )
        return {**drawn, CAUSE: self.cause(query_id)}

    def is_dim(self, position: int) -> bool:
        """Whether a row has ceased to match."""
        return not self._matching[self.rows[position]]

    @cached_property
    def _matching(self) -> npt.NDArray[np.bool_]:
        return self.where.mask()

    def _metric_values(self) -> npt.NDArray[np.float64] | None:
        frame = self.facts.table.frame
        return frame[self.metric].to_numpy(dtype=np.float64) if self.metric in frame.columns else None


def _has(table: QueryTable, column: str) -> bool:
    by = name_at(column, table.k)
    return by in table.frame.columns or by == SET_ORDER


# A filter changes with every key that is typed; what it does not change is kept from one list to the next.
@lru_cache(maxsize=1)
def _ordered(table: QueryTable, metric: str, sort: Sort) -> npt.NDArray[np.int64]:
    if _has(table, sort.by):
        return order.by_column(table, name_at(sort.by, table.k), reverse=sort.reverse)
    # also where a column that was sorted by on the last visit is gone, or is not computed at this K
    rows = order.worst_first(table, metric)
    return rows[::-1] if sort.reverse else rows


@lru_cache(maxsize=1)
def _drawn(table: QueryTable, arranged: tuple[str, ...]) -> QueryCells:
    return QueryCells(table, arranged or usual_columns(table))
