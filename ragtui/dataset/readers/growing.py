"""An array that grows while a file is read."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

_T = TypeVar("_T", bound=np.generic)


class Growing(Generic[_T]):
    """Values of one type, added in blocks.

    Unlike a list of blocks it is never held twice, not even at the end: the memory is extended in place.
    """

    def __init__(self, dtype: type[_T]) -> None:
        self._values: npt.NDArray[_T] = np.empty(0, dtype=dtype)
        self._used = 0

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Add a block; the first one is kept as it is if it is nobody else's."""
        if not self._used and values.flags.owndata and values.flags.writeable:
            self._values, self._used = values, len(values)
            return
        needed = self._used + len(values)
        if needed > len(self._values):
            self._values.resize(max(needed, len(self._values) * 3 // 2, 4096), refcheck=False)
        self._values[self._used : needed] = values
        self._used = needed

    def whole(self) -> npt.NDArray[_T]:
        """All values; nothing may be added after that."""
        self._values.resize(self._used, refcheck=False)
        return self._values
