"""Which query goes with which chunk: what gold needs, and what a run returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.columns import Column


@dataclass(frozen=True, eq=False)
class ChunkPairs:
    """Pairs of a query of a table and a chunk.

    Attributes:
        rows: (m,) int32, row of the query in the table.
        chunks: (m,) the chunk, coded; its texts are ids.
    """

    rows: npt.NDArray[np.int32]
    chunks: Column

    @classmethod
    def of(
        cls,
        rows: npt.NDArray[np.integer[Any]],
        codes: npt.NDArray[np.signedinteger[Any]],
        ids: Sequence[str] | npt.NDArray[np.object_],
    ) -> ChunkPairs:
        """Pairs whose query is in the table: a row below 0 says that it is not."""
        inside = rows >= 0
        if not inside.all():
            rows, codes = rows[inside], codes[inside]
        return cls(rows.astype(np.int32), Column(codes, tuple(ids), {}))

    def counts_in(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How many of these rows of the table have each chunk."""
        return self._counts if rows.all() else self.chunks.counts_in(rows[self.rows])

    @cached_property
    def _counts(self) -> npt.NDArray[np.int64]:
        return self.chunks.counts_in(np.ones(len(self.rows), dtype=bool))

    def rows_with(self, chunks: npt.NDArray[np.bool_], n: int) -> npt.NDArray[np.bool_]:
        """(n,) rows of the table that have one of the chunks, which are given as one flag per id."""
        found = np.zeros(n, dtype=bool)
        found[self.rows[chunks[self.chunks.codes]]] = True
        return found
