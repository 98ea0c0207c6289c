"""Single values of input files: ids, numbers, yes or no, texts. What cannot be one raises `BadValue`."""

from __future__ import annotations

import math
import re
from typing import Any

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_YES = frozenset({"true", "yes", "1", "y", "是"})
_NO = frozenset({"false", "no", "0", "n", "否"})
_SHOWN = 60


class BadValue(Exception):
    """A value that is not what its field holds: the kind of the fault and what fills its text."""

    def __init__(self, kind: str, **values: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.values = values


class InexactId(Exception):
    """An id written as a number that floating point does not keep.

    The record has to be read again, exactly.
    """


class WrittenFloat(float):
    """A number that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> WrittenFloat:
        value = super().__new__(cls, text)
        value.text = text
        return value


def shown(value: object) -> str:
    """A value as faults quote it: at most 60 characters."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except RecursionError:
        return type(value).__name__
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 2] + ".."


def id_text(value: object, field: str) -> str:
    """An id exactly as written; a number becomes its text.

    Raises:
        BadValue: empty, or neither text nor a number.
        InexactId: a JSON number with a fraction, or too large for an integer of 64 bits.
    """
    if type(value) is str:
        if value == "" or value.isspace():
            raise BadValue("empty-id", field=field)
        return value
    if value is None:
        raise BadValue("empty-id", field=field)
    if type(value) is int:
        return str(value)
    if isinstance(value, WrittenFloat):
        return value.text
    if type(value) is float:
        raise InexactId
    raise BadValue("not-an-id", field=field, value=shown(value))


def number(value: object, field: str) -> float:
    """A finite number; text that is one counts.

    Raises:
        BadValue: `decimal-comma`, `not-finite` or `not-a-number`.
    """
    if isinstance(value, str):
        return number_text(value, field)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue("not-a-number", field=field, value=shown(value))
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise BadValue("not-finite", field=field, value=shown(value))
    return result


def number_text(text: str, field: str) -> float:
    """Like `number`, for text."""
    try:
        result = float(text)
    except ValueError:
        kind = "decimal-comma" if _DECIMAL_COMMA.fullmatch(text.strip()) else "not-a-number"
        raise BadValue(kind, field=field, value=shown(text), mended=text.strip().replace(",", ".")) from None
    if not math.isfinite(result):
        raise BadValue("not-finite", field=field, value=shown(text))
    if "_" in text:  # Python's own notation, which no file means
        raise BadValue("not-a-number", field=field, value=shown(text))
    return result


def grade(value: object, field: str = "grade") -> float:
    """A relevance grade: a number, or true and false as 1 and 0."""
    return float(value) if isinstance(value, bool) else number(value, field)


def yes_or_no(value: object, field: str) -> bool | None:
    """True, False, or None where nothing is said; words such as `yes` and `false` count."""
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _YES or word in _NO:
        return word in _YES
    if not word:
        return None
    raise BadValue("not-yes-or-no", field=field, value=shown(value))


def text(value: object, field: str) -> str:
    """A text; a number becomes its text, nothing becomes `""`."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value.text if isinstance(value, WrittenFloat) else repr(value)
    raise BadValue("not-a-text", field=field, value=shown(value))
