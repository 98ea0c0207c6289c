"""Collects ranked lists while a run is read and compresses them into `RankedLists`."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from ragtui.dataset.model import Direction, RankedLists

Order = Literal["list", "rank", "score"]


class ListCollector:
    """Rows of a run: whole lists or single results, of queries in any order."""

    def __init__(self) -> None:
        self.queries: dict[str, int] = {}
        self._chunks: dict[str, int] = {}
        self._query_codes: list[int] = []
        self._codes: list[int] = []
        self._scores: list[float] = []
        self._ranks: list[float] = []

    def add_list(self, query_id: str, chunk_ids: list[str], scores: list[float]) -> None:
        """A whole list in rank order; `scores` may hold NaN."""
        code = self.queries.setdefault(query_id, len(self.queries))
        chunks = self._chunks
        self._codes += [chunks.setdefault(chunk_id, len(chunks)) for chunk_id in chunk_ids]
        self._scores += scores
        self._ranks += [np.inf] * len(chunk_ids)
        self._query_codes += [code] * len(chunk_ids)

    def add_result(self, query_id: str, chunk_id: str, rank: float | None, score: float | None) -> None:
        """One result; one without rank comes after all that have one."""
        self._query_codes.append(self.queries.setdefault(query_id, len(self.queries)))
        self._codes.append(self._chunks.setdefault(chunk_id, len(self._chunks)))
        self._ranks.append(np.inf if rank is None else rank)
        self._scores.append(np.nan if score is None else score)

    def __len__(self) -> int:
        return len(self.queries)

    def lists(self, order: Order, direction: Direction = "higher") -> RankedLists:
        """All lists: as given, by rank (then place), or by score (best first, then rank, then place)."""
        query_codes = np.asarray(self._query_codes, dtype=np.int64)
        scores = np.asarray(self._scores, dtype=np.float64)
        where = self._order(query_codes, scores, order, direction)
        sizes = np.bincount(query_codes, minlength=len(self.queries))
        return RankedLists(
            query_ids=_objects(list(self.queries)),
            offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            codes=np.asarray(self._codes, dtype=np.int32)[where],
            vocabulary=_objects(list(self._chunks)),
            scores=scores[where],
        )

    def _order(
        self,
        query_codes: npt.NDArray[np.int64],
        scores: npt.NDArray[np.float64],
        order: Order,
        direction: Direction,
    ) -> npt.NDArray[np.int64]:
        if order == "list":
            return np.argsort(query_codes, kind="stable")
        ranks = np.asarray(self._ranks, dtype=np.float64)
        if order == "rank":
            return np.lexsort((ranks, query_codes))
        return np.lexsort((ranks, scores if direction == "lower" else -scores, query_codes))


def _objects(values: list[str]) -> npt.NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
