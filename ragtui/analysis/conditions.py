"""What the values of a filter term mean, as tests over whole columns."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.chunk_pairs import ChunkPairs
from ragtui.analysis.columns import Column, Columns, as_date, as_number, fold
from ragtui.analysis.facts import Rows
from ragtui.analysis.where_parser import Piece, Term, Wrong

NONE = frozenset({"none", "无"})

Numbers = npt.NDArray[np.float64]
NumberTest = Callable[[Numbers, Rows], Rows]
Compare = Callable[[Any, Any], Any]
"""Of arrays with a number, or of two texts."""

_COMPARE: dict[str, Compare] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_DECIMALS = re.compile(r"[+-]?\d*\.(\d{2,})")


def is_none(value: Piece) -> bool:
    """Whether a value asks for rows that have none; a quoted `"none"` is the word."""
    return not value.quoted and fold(value.text) in NONE


def range_of(value: Piece) -> tuple[str, str] | None:
    """Both ends of `low..high`, either of which may be empty; None where the value is no range."""
    if value.quoted or ".." not in value.text:
        return None
    low, high = value.text.split("..", 1)
    return (low, high) if low or high else None


def words(columns: Columns, names: Sequence[str], wanted: Sequence[str]) -> Rows:
    """Rows in which any of the columns holds any of the `wanted` texts (folded)."""
    return _any([_holding(columns[name], word) for name in names for word in wanted])


def _holding(column: Column, word: str) -> Rows:
    if not word:
        return np.ones(len(column.codes), dtype=bool)
    return column.rows(column.holding(methodcaller("__contains__", word)))


def number_test(term: Term, name: str) -> NumberTest:
    """Test of a numeric field: numbers, `50%`, ranges, `none`, comparisons.

    Raises:
        Wrong: a value is no number, or a range runs backwards.
    """
    if term.operator != ":":
        compare, bounds = _COMPARE[term.operator], [_number(value, value.text, name) for value in term.values]
        return lambda numbers, _: _any([compare(numbers, bound) for bound in bounds])
    tests = [_one_number(value, name) for value in term.values]
    return lambda numbers, empty: _any([test(numbers, empty) for test in tests])


def _one_number(value: Piece, name: str) -> NumberTest:
    if is_none(value):
        return lambda _, empty: empty
    bounds = range_of(value)
    if bounds is not None:
        low = _number(value, bounds[0], name) if bounds[0] else -np.inf
        high = _number(value, bounds[1], name) if bounds[1] else np.inf
        if low > high:
            raise Wrong(value.start, value.end - value.start, "backwards", low=bounds[0], high=bounds[1])
        return lambda numbers, _: (numbers >= low) & (numbers <= high)
    wanted, tolerance = _number(value, value.text, name), _tolerance(value.text)
    return lambda numbers, _: np.abs(numbers - wanted) <= tolerance


def _number(value: Piece, text: str, name: str) -> float:
    percent = text.endswith("%")
    number = as_number(text[:-1] if percent else text)
    if number is None:
        raise Wrong(value.start, value.end - value.start, "no-number", field=name, value=text)
    return number / 100 if percent else number


def _tolerance(text: str) -> float:
    """How far a number may lie from the typed one: with two or more decimals, all that is shown like it."""
    match = _DECIMALS.fullmatch(text)
    return 0.5 * 10.0 ** -len(match[1]) + 1e-9 if match else 1e-9


def category_test(term: Term, name: str, column: Column) -> Rows:
    """Rows whose metadata value is one of those of a term, or lies on the asked side of them.

    Values are compared whole, without case; `*` at the end stands for anything. Columns that hold numbers or
    dates are compared as such. A date matches to the precision that was typed.

    Raises:
        Wrong: a comparison with something that is neither number nor date, or a range that runs backwards.
    """
    if term.operator == ":":
        return _any([_one_value(value, name, column) for value in term.values])
    sides = [_side(term.operator, value, value.text, name, column) for value in term.values]
    return column.rows(_any(sides))


def _one_value(value: Piece, name: str, column: Column) -> Rows:
    if is_none(value):
        return column.is_empty
    bounds = range_of(value)
    if bounds is not None and (column.holds_numbers or column.holds_dates):
        return column.rows(_between(bounds, value, name, column))
    wanted = fold(value.text)
    if wanted.endswith("*") and not value.quoted:
        return column.rows(column.holding(methodcaller("startswith", wanted[:-1])))
    same = column.holding(methodcaller("__eq__", wanted))
    number, date = as_number(wanted), as_date(wanted)
    if number is not None:
        same |= column.numbers == number
    if date is not None and column.holds_dates:
        same |= np.array([known is not None and known.startswith(date) for known in column.dates], dtype=bool)
    return column.rows(same)


def _between(bounds: tuple[str, str], value: Piece, name: str, column: Column) -> Rows:
    low, high = bounds
    matching = np.ones(len(column.texts), dtype=bool)
    if low:
        matching &= _side(">=", value, low, name, column)
    if high:
        matching &= _side("<=", value, high, name, column)
    backwards = low and high and _order(low, column) > _order(high, column)
    if backwards:
        raise Wrong(value.start, value.end - value.start, "backwards", low=low, high=high)
    return matching


def _order(bound: str, column: Column) -> tuple[float, str]:
    if column.holds_dates:
        return 0.0, as_date(bound) or ""
    return as_number(bound) or 0.0, ""


def _side(sign: str, value: Piece, bound: str, name: str, column: Column) -> Rows:
    """For each different value of a column, whether it lies on that side of a bound."""
    compare = _COMPARE[sign]
    if column.holds_dates:
        date = as_date(bound)
        if date is None:
            raise Wrong(value.start, value.end - value.start, "no-date", field=name, value=bound)
        return np.array([_date_side(compare, known, date) for known in column.dates], dtype=bool)
    number = as_number(bound)
    if number is None or not column.holds_numbers:
        examples = ", ".join(column.texts[:3]) or "-"
        key = "no-number" if column.holds_numbers else "no-order"
        raise Wrong(value.start, value.end - value.start, key, field=name, value=bound, examples=examples)
    return np.asarray(compare(column.numbers, number), dtype=bool)


def _date_side(compare: Compare, known: str | None, bound: str) -> bool:
    """Compare to the precision of the bound: `<=2024-06` takes all of June."""
    if known is None:
        return False
    return bool(compare(known[: len(bound)], bound))


def _any(masks: Sequence[Rows]) -> Rows:
    return np.asarray(np.logical_or.reduce(masks), dtype=bool)


def has_chunk(pairs: ChunkPairs, values: Sequence[Piece], n: int) -> Rows:
    """Rows (of n) paired with a chunk of one of the given ids; `*` at the end stands for anything."""
    return pairs.rows_with(_any([_ids_meant(pairs.chunks, value) for value in values]), n)


def _ids_meant(ids: Column, value: Piece) -> Rows:
    """Which ids are meant; case counts only where an id is written exactly so."""
    if value.text in ids.texts:
        return np.equal(np.arange(len(ids.texts)), ids.texts.index(value.text))
    wanted = fold(value.text)
    if wanted.endswith("*") and not value.quoted:
        return ids.holding(methodcaller("startswith", wanted[:-1]))
    return ids.holding(methodcaller("__eq__", wanted))
