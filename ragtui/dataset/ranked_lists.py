"""Ranked lists of many queries, laid end to end, with the ids of their chunks in Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from ragtui.dataset.ids import CodedIds, Ids, coded, codes_of, fingerprints, ids_of, objects, taken, texts
from ragtui.dataset.list_order import offsets_of


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Ranked lists in compressed rows: the list of query i is `[offsets[i]:offsets[i + 1]]`.

    Order is that of the file (for TREC files: by score), nothing is cleaned: repeats are still there.

    Attributes:
        query_ids: (n,) object array of str, each id once.
        offsets: (n + 1,) int64, from 0 to m.
        chunk_ids: (m,) Arrow text, plain or dictionary-encoded. Codes and vocabulary are made from it when
            they are first asked for: metrics look up judged chunks only, and need neither.
        scores: (m,) float64 as written; NaN where the file gave none.
        free_of_repeats: whether no list can hold a chunk twice, as keys of a dictionary cannot.
    """

    query_ids: npt.NDArray[np.object_]
    offsets: npt.NDArray[np.int64]
    chunk_ids: Ids
    scores: npt.NDArray[np.float64]
    free_of_repeats: bool = False

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """(n,) how many results each query has, repeats included."""
        return np.diff(self.offsets)

    @cached_property
    def coded(self) -> CodedIds:
        """(m,) `chunk_ids`, each distinct id once in order of first appearance."""
        return coded(self.chunk_ids)

    @cached_property
    def codes(self) -> npt.NDArray[np.int32]:
        """(m,) int32, index into `vocabulary`."""
        return codes_of(self.coded)

    @cached_property
    def vocabulary(self) -> npt.NDArray[np.object_]:
        """(v,) object array of str, each chunk id once."""
        return objects(self.coded.dictionary)

    def likenesses(self, results: slice | npt.NDArray[np.int32]) -> npt.NDArray[np.uint64]:
        """One number for each of some results, equal for the same chunk, and hardly ever for others."""
        if isinstance(self.chunk_ids, pa.DictionaryArray):
            return self._likenesses_of_vocabulary[self.codes[results]]
        return fingerprints(
            self.chunk_ids[results] if isinstance(results, slice) else taken(self.chunk_ids, results)
        )

    @cached_property
    def _likenesses_of_vocabulary(self) -> npt.NDArray[np.uint64]:
        return fingerprints(self.coded.dictionary)

    def row_of(self, query_id: str) -> int | None:
        """Row of a query, None where the run has none for it."""
        try:
            row = self.query_index.get_loc(query_id)
        except KeyError:
            return None
        return row if isinstance(row, int) else None

    @cached_property
    def query_index(self) -> pd.Index[Any]:
        """`query_ids` as an index, hashed once."""
        return pd.Index(self.query_ids, dtype=object)

    def list_of(self, query_id: str) -> tuple[list[str], npt.NDArray[np.float64]]:
        """Chunk ids and scores of one query in rank order; both empty where the run lacks it."""
        row = self.row_of(query_id)
        if row is None:
            return [], np.empty(0)
        start, end = int(self.offsets[row]), int(self.offsets[row + 1])
        return texts(self.chunk_ids[start:end]), self.scores[start:end]

    @classmethod
    def of(
        cls,
        query_ids: Iterable[str],
        lengths: npt.ArrayLike,
        chunk_ids: Ids,
        scores: npt.ArrayLike,
        free_of_repeats: bool = False,
    ) -> RankedLists:
        """Build from lists laid end to end, and how long each is."""
        ids = list(query_ids)
        query_array = np.empty(len(ids), dtype=object)
        query_array[:] = ids
        return cls(
            query_ids=query_array,
            offsets=offsets_of(lengths),
            chunk_ids=chunk_ids,
            scores=np.asarray(scores, dtype=np.float64),
            free_of_repeats=free_of_repeats,
        )

    @classmethod
    def from_lists(
        cls, lists: Mapping[str, list[str]], scores: Mapping[str, list[float]] | None = None
    ) -> RankedLists:
        """Build from `{query_id: [chunk_id, ...]}`, already in rank order."""
        flat = [chunk for ranked in lists.values() for chunk in ranked]
        values = [s for query in lists for s in scores[query]] if scores is not None else [np.nan] * len(flat)
        return cls.of(lists, [len(ranked) for ranked in lists.values()], ids_of(flat), values)
