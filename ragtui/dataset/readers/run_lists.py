"""Collects ranked lists while a run is read and compresses them into `RankedLists`."""

from __future__ import annotations

from array import array
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragtui.dataset.ids import ids_of
from ragtui.dataset.list_order import offsets_of, put_in_order, reordered
from ragtui.dataset.model import Direction, RankedLists
from ragtui.dataset.readers.growing_ids import GrowingIds

# Ids wait as objects until they are so many.
_BLOCK = 50_000

Order = Literal["list", "rank", "score"]


class ListCollector:
    """Rows of a run: whole lists or single results, of queries in any order."""

    def __init__(self) -> None:
        self.queries: dict[str, int] = {}
        self._chunks = GrowingIds()
        self._pending: list[str] = []
        self._query_codes = array("i")
        self._scores = array("d")
        self._ranks = array("d")

    def add_list(self, query_id: str, chunk_ids: list[str], scores: list[float]) -> None:
        """A whole list in rank order; `scores` may hold NaN."""
        code = self.queries.setdefault(query_id, len(self.queries))
        self._pending += chunk_ids
        self._scores.extend(scores)
        self._ranks.extend([np.inf] * len(chunk_ids))
        self._query_codes.extend([code] * len(chunk_ids))
        self._close_block(_BLOCK)

    def add_result(self, query_id: str, chunk_id: str, rank: float | None, score: float | None) -> None:
        """One result; one without rank comes after all that have one."""
        self._query_codes.append(self.queries.setdefault(query_id, len(self.queries)))
        self._pending.append(chunk_id)
        self._ranks.append(np.inf if rank is None else rank)
        self._scores.append(np.nan if score is None else score)
        self._close_block(_BLOCK)

    def __len__(self) -> int:
        return len(self.queries)

    def lists(self, order: Order, direction: Direction = "higher") -> RankedLists:
        """All lists: as given, by rank (then place), or by score (best first, then rank, then place)."""
        query = np.array(self._query_codes, dtype=np.int32)
        self._close_block(1)
        entries = self._chunks.entries()
        scores = np.array(self._scores, dtype=np.float64)
        ranks = np.array(self._ranks, dtype=np.float64)
        moved = bool((query[1:] < query[:-1]).any())
        if moved:
            together = np.argsort(query, kind="stable")
            entries, scores, ranks = entries[together], scores[together], ranks[together]
        lengths = np.bincount(query, minlength=len(self.queries))
        moved |= sort_lists(lengths, entries, scores, ranks, order, direction)
        return RankedLists.of(self.queries, lengths, self._chunks.ids(entries, not moved), scores)

    def _close_block(self, size: int) -> None:
        """Hand on the ids that wait if they are so many: as text in Arrow they take the least room."""
        if len(self._pending) >= size:
            self._chunks.add(ids_of(self._pending))
            self._pending = []


def sort_lists(
    lengths: npt.NDArray[np.int64],
    entries: npt.NDArray[np.int32],
    scores: npt.NDArray[np.float64],
    ranks: npt.NDArray[np.float64] | npt.NDArray[np.int32] | None,
    order: Order,
    direction: Direction,
) -> bool:
    """Bring lists that are laid end to end into order, in place; says whether anything moved.

    By score, then rank, then place; or by rank, then place; or as they stand.
    """
    offsets = offsets_of(lengths)
    if order == "score":
        return put_in_order(reordered(offsets, scores, direction, ranks), entries, scores)
    if order == "rank" and ranks is not None:
        return put_in_order(reordered(offsets, ranks, "lower"), entries, scores)
    return False
