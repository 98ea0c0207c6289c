"""An array that grows while a file is read."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

_T = TypeVar("_T", bound=np.generic)


class Growing(Generic[_T]):
    """Values of one type, added in a few large blocks.

    Unlike a list of blocks it is never held twice, not even at the end: the memory is extended in place.
    """

    def __init__(self, dtype: type[_T]) -> None:
        self._values: npt.NDArray[_T] = np.empty(0, dtype=dtype)

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Add a block; the first one is kept as it is if it is nobody else's."""
        used = len(self._values)
        if (
            not used
            and values.dtype == self._values.dtype
            and values.flags.owndata
            and values.flags.writeable
        ):
            self._values = values
            return
        self._values.resize(used + len(values), refcheck=False)
        self._values[used:] = values

    def whole(self) -> npt.NDArray[_T]:
        """All values; nothing may be added after that."""
        return self._values
