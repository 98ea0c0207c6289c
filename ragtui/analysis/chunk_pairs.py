"""Which query goes with which chunk: what gold needs, and what a run returned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.columns import Column


@dataclass(frozen=True, eq=False)
class ChunkPairs:
    """Lists of chunks, each of which belongs to a query of a table.

    Attributes:
        rows: (l,) row of the table that each list is of, -1 where its query is not in the table.
        offsets: (l + 1,) list i is `[offsets[i]:offsets[i + 1]]`.
        chunks: (m,) the chunks, coded; their texts are ids.
    """

    rows: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    chunks: Column

    @classmethod
    def of(
        cls,
        rows: npt.NDArray[np.int64],
        offsets: npt.NDArray[np.int64],
        codes: npt.NDArray[np.signedinteger[Any]],
        ids: Iterable[str],
    ) -> ChunkPairs:
        """Lists of chunks that are coded by their place in `ids`."""
        return cls(rows, offsets, Column(codes, tuple(ids), {}))

    def counts_in(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How often these rows of the table have each chunk."""
        return self._counts if rows.all() else self._counted(np.append(rows, False)[self.rows])

    @cached_property
    def _counts(self) -> npt.NDArray[np.int64]:
        return self._counted(self.rows >= 0)

    def _counted(self, lists: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        return self.chunks.counts_in(np.repeat(lists, np.diff(self.offsets)))

    def rows_with(self, chunks: npt.NDArray[np.bool_], n: int) -> npt.NDArray[np.bool_]:
        """(n,) rows of the table that have one of the chunks, which are given as one flag per id."""
        found = np.zeros(n + 1, dtype=bool)
        if not chunks.any():
            return found[:n]
        places = np.flatnonzero(chunks[self.chunks.codes])
        found[self.rows[np.searchsorted(self.offsets, places, side="right") - 1]] = True
        return found[:n]
