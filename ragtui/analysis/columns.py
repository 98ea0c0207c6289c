"""Metadata columns coded once, so that filters and slices look at each value instead of each row."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T ].*)?)?)?")


def fold(text: str) -> str:
    """`text` for comparison: case and width of characters do not count, nor do blanks around it."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def shown(value: Any) -> str:
    """A metadata value as text: `true` and `false`, `""` for none, lists joined by commas."""
    if isinstance(value, list | tuple | set):
        return ", ".join(shown(item) for item in value)
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return str(value)


def as_number(text: str) -> float | None:
    """A number written as text, None for anything else."""
    return float(text) if _NUMBER.fullmatch(text) else None


def as_date(text: str) -> str | None:
    """A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD` (a time after it is dropped), None for anything else."""
    match = _DATE.fullmatch(text.strip())
    return "-".join(part.zfill(2) for part in match.groups() if part) if match else None


@dataclass(frozen=True, eq=False)
class Column:
    """One metadata column.

    Attributes:
        codes: (n,) index into `texts`, -1 for no value.
        texts: each different value as shown, in order of first appearance.
        items: for each value its texts: one, or one per item where the value is a list.
    """

    codes: npt.NDArray[np.int64]
    texts: tuple[str, ...]
    items: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Column:
        """Code a column of any metadata values."""
        texts = np.array([shown(value) or None for value in values], dtype=object)
        codes, unique = pd.factorize(texts)
        items: dict[str, tuple[str, ...]] = {}
        for text, value in zip(texts, values, strict=True):
            if text is not None and text not in items:
                several = value if isinstance(value, list | tuple | set) else [value]
                items[text] = tuple(shown(item) for item in several)
        names = tuple(str(text) for text in unique)
        return cls(np.asarray(codes, dtype=np.int64), names, tuple(items[text] for text in names))

    @property
    def is_empty(self) -> npt.NDArray[np.bool_]:
        """(n,) rows without a value."""
        return self.codes < 0

    @cached_property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """`items`, folded."""
        return tuple(tuple(map(fold, items)) for items in self.items)

    @cached_property
    def numbers(self) -> npt.NDArray[np.float64]:
        """Each value as a number, NaN for those that are none."""
        numbers = [as_number(text.strip()) for text in self.texts]
        return np.array([np.nan if n is None else n for n in numbers], dtype=np.float64)

    @cached_property
    def dates(self) -> tuple[str | None, ...]:
        """Each value as an ISO date, None for those that are none."""
        return tuple(as_date(text) for text in self.texts)

    @property
    def holds_numbers(self) -> bool:
        return bool((~np.isnan(self.numbers)).any())

    @property
    def holds_dates(self) -> bool:
        """Whether there are dates with a month; years alone are numbers."""
        return any(date is not None and "-" in date for date in self.dates)

    def rows(self, matching: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(n,) rows whose value is one of those that `matching` (one flag per value) says."""
        return np.append(matching, False)[self.codes]


class Columns:
    """Columns of a frame by name, each coded when it is first asked for."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._coded: dict[str, Column] = {}
        self._folded: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> Column:
        if name not in self._coded:
            self._coded[name] = Column.of(self._values(name))
        return self._coded[name]

    def folded(self, name: str) -> list[str]:
        """Every text of a column, folded; for columns whose values hardly repeat."""
        if name not in self._folded:
            self._folded[name] = [fold(shown(value)) for value in self._values(name)]
        return self._folded[name]

    def _values(self, name: str) -> npt.NDArray[Any]:
        if name == self._frame.index.name:
            return np.asarray(self._frame.index, dtype=object)
        return self._frame[name].to_numpy(dtype=object)
