"""What fails, and the order in which it is reviewed. Over rows of a table: there may be 100,000 queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.query_table import QueryTable

Rows = npt.NDArray[np.int64]
"""Places of queries in the table of a run, which holds the queries of a split in one order for all runs."""


@dataclass(frozen=True, eq=False)
class Failing(Set[str]):
    """Ids of the queries that fail.

    Attributes:
        table: every query.
        mask: (n,) which rows of it fail.
    """

    table: QueryTable
    mask: npt.NDArray[np.bool_]

    def __contains__(self, query_id: object) -> bool:
        row = self.table.row_of(query_id) if isinstance(query_id, str) else None
        return row is not None and bool(self.mask[row])

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.query_ids[self.mask].tolist())

    def __len__(self) -> int:
        return int(self.mask.sum())

    def among(self, rows: Rows) -> list[str]:
        """Ids of those that fail among some rows, in their order."""
        found: list[str] = self.table.query_ids[rows[self.mask[rows]]].tolist()
        return found

    def rows_of(self, query_ids: Iterable[str]) -> Rows:
        """Rows of some queries, in their order; of those that the table has."""
        rows = self.table.frame.index.get_indexer(pd.Index(list(query_ids), dtype=object))
        return np.asarray(rows[rows >= 0], dtype=np.int64)


@dataclass(slots=True)
class Order:
    """Queries to review in an order that stays, however the list is filtered later.

    Attributes:
        query_ids: in order.
        place_of: place of a query, from 1; None where it is not among them.
        session: id of the session that records it; `""` until the first answer.
    """

    run: str
    k: int
    query_ids: Sequence[str] | npt.NDArray[np.object_]
    place_of: Callable[[str], int | None]
    session: str = ""


def order_of(run: str, k: int, query_ids: Sequence[str], session: str) -> Order:
    """The order that a session recorded."""
    places = {query_id: place for place, query_id in enumerate(query_ids, 1)}
    return Order(run, k, query_ids, places.get, session)


def order_among(
    failing: Failing, run: str, k: int, listed: Rows, answered: Iterable[str], query_id: str
) -> Order:
    """What fails of a list and nobody has answered, in the order of the list; a query that has to be there.

    Args:
        failing: what fails.
        run: what is looked at.
        k: with which cut-off.
        listed: rows of the list.
        answered: queries with a cause.
        query_id: what has to be there, at the end if it would not be.
    """
    is_open = failing.mask.copy()
    is_open[failing.rows_of(answered)] = False
    rows = listed[is_open[listed]]
    row = failing.table.row_of(query_id)
    if row is not None and row not in rows:
        rows = np.append(rows, row)
    places = np.zeros(len(failing.mask), dtype=np.int64)
    places[rows] = np.arange(1, len(rows) + 1)

    def place_of(wanted: str) -> int | None:
        at = failing.table.row_of(wanted)
        return int(places[at]) or None if at is not None else None

    return Order(run, k, failing.table.query_ids[rows], place_of)
