"""Ids that are collected while a run is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragtui.dataset.ids import ID, Ids, chosen, coded, codes_of, joined, places, taken, with_codes
from ragtui.dataset.readers.growing import Growing

# Ids are kept as they stand up to so many bytes, which is quickest; those of larger runs are coded part by
# part, so that an id costs four bytes and not its whole text wherever it is.
_FEW = 32 * 2**20
_PART = 16 * 2**20


class GrowingIds:
    """Ids of a run: as they stand while they are few, coded part by part when they are many."""

    def __init__(self) -> None:
        self._pending: list[Ids | pa.ChunkedArray[Any]] = []
        self._size = 0
        self._codes: Growing[np.int32] = Growing(np.int32)
        self._distinct: Ids | None = None

    def add(self, ids: Ids | pa.ChunkedArray[Any]) -> None:
        """Some more ids."""
        self._pending.append(ids)
        self._size += ids.nbytes
        if self._size > (_FEW if self._distinct is None else _PART):
            self._code()

    def entries(self) -> npt.NDArray[np.int32]:
        """Which of the collected ids each result has, for the caller to put in order."""
        if self._distinct is None:
            return np.arange(sum(map(len, self._pending)), dtype=np.int32)
        self._code()
        return self._codes.whole()

    def ids(self, entries: npt.NDArray[np.int32], as_read: bool) -> Ids:
        """The ids of `entries` after they were put in order, `as_read` if they were in order already."""
        if self._distinct is not None:
            return with_codes(entries, self._distinct)
        plain = joined(self._pending)
        return plain if as_read else taken(plain, entries)

    def _code(self) -> None:
        plain = joined(self._pending)
        self._pending, self._size = [], 0
        part = coded(plain)
        del plain
        known = pa.array([], type=ID) if self._distinct is None else self._distinct
        place = places(part.dictionary, known)
        is_new = place < 0
        code = np.where(is_new, len(known) - 1 + np.cumsum(is_new, dtype=np.int32), place)
        self._codes.extend(code[codes_of(part)])
        self._distinct = joined([known, chosen(part.dictionary, is_new)]) if is_new.any() else known
        # what Arrow keeps at hand for its next need would add up to the size of the run
        pa.default_memory_pool().release_unused()
