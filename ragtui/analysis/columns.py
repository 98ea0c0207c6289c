"""Metadata columns coded once, so that filters and slices look at each value instead of each row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
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
    if text.isascii():  # much text is, and then all of this comes down to one step
        folded = text.lower().strip()
    else:
        folded = unicodedata.normalize("NFKC", text).casefold().strip()
    return text if folded == text else folded  # most ids are folded already, and need no second copy


def shown(value: Any) -> str:
    """A metadata value as text: `true` and `false`, `""` for none, lists joined by commas."""
    if isinstance(value, str):
        return value
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
        lists: the items of those values that are lists, by what is shown of them.
    """

    codes: npt.NDArray[np.signedinteger[Any]]
    texts: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> Column:
        """Code a column of any metadata values."""
        texts = np.array([shown(value) or None for value in values], dtype=object)
        codes, unique = pd.factorize(texts)
        several = [value for value in values if isinstance(value, list | tuple | set)]
        lists = {shown(value): tuple(map(shown, value)) for value in several if value}
        return cls(np.asarray(codes, dtype=np.int64), tuple(map(str, unique)), lists)

    @property
    def is_empty(self) -> npt.NDArray[np.bool_]:
        """(n,) rows without a value."""
        return self.codes < 0

    @property
    def items(self) -> tuple[tuple[str, ...], ...]:
        """Texts of each value: one, or one per item where the value is a list."""
        return tuple(self.lists.get(text, (text,)) for text in self.texts)

    def counts_in(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """(len(texts),) how many of these rows have each value."""
        codes = self.codes if rows.all() else self.codes[rows]
        # one place more, for no value; bincount takes several times as long over narrower integers
        return np.bincount(codes.astype(np.intp) + 1, minlength=len(self.texts) + 1)[1:]

    @cached_property
    def _folded(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The items of all values one after another, folded, and which value each is of."""
        items = self.items if self.lists else ()
        if not items:
            return [fold(text) for text in self.texts], np.arange(len(self.texts))
        return [fold(item) for several in items for item in several], np.repeat(
            np.arange(len(items)), [len(several) for several in items]
        )

    def holding(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """For each different value, whether `test` holds of it, or of an item of it; folded.

        A test made by `methodcaller` is quicker than one in Python, which counts where values hardly repeat.
        """
        folded, value_of = self._folded
        found = np.fromiter(map(test, folded), dtype=bool, count=len(folded))
        holding = np.zeros(len(self.texts), dtype=bool)
        holding[value_of[found]] = True
        return holding

    @cached_property
    def places(self) -> npt.NDArray[np.float64]:
        """A number for each value that sorts like it: its own where all are numbers, else its place."""
        if len(self.texts) and not np.isnan(self.numbers).any():
            return self.numbers
        folded = [", ".join(map(fold, items)) for items in self.items] if self.lists else self._folded[0]
        order = np.array(sorted(range(len(folded)), key=folded.__getitem__), dtype=np.int64)
        in_order = np.array(folded, dtype=object)[order]
        places = np.empty(len(order))
        places[order] = np.cumsum(np.append(False, in_order[1:] != in_order[:-1])[: len(order)])
        return places

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
        found: npt.NDArray[np.bool_] = np.append(matching, False)[self.codes]
        return found


class Columns:
    """Columns of a frame by name, each coded when it is first asked for."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._coded: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        if name not in self._coded:
            self._coded[name] = Column.of(self._values(name))
        return self._coded[name]

    def _values(self, name: str) -> npt.NDArray[Any]:
        if name == self._frame.index.name:
            return np.asarray(self._frame.index, dtype=object)
        return self._frame[name].to_numpy(dtype=object)
