"""Lists that a table holds as text, because a data frame with list columns was saved as CSV.

They are parsed as JSON, as Python literals or as numpy prints arrays; nothing is ever evaluated.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ragtui.dataset.readers.values import BadValue, WrittenFloat, shown

CELL_LIMIT = 4 * 2**20
"""Characters of the longest cell that is parsed as a Python literal."""

_NUMBERS = re.compile(r"\[\s*\d+(?:[\s,]+\d+)*[\s,]*\]")
# what starts like this and ends with a bracket was meant as a list: a quoted text, an object, a list, a call
_MEANT_AS_LIST = re.compile(r"\[\s*(?:['\"{\[]|\w+\().*\]", re.DOTALL)
_BETWEEN = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT})


def listed(value: object, field: str) -> list[Any] | None:
    """A list column as a list: text is parsed, a text that is no list is its only element, None stays None.

    Raises:
        BadValue: neither a list nor text, or text that was meant as a list and cannot be read as one.
    """
    if value is None or isinstance(value, list):
        return value
    if not isinstance(value, str):
        raise BadValue("not-a-list", field=field, value=shown(value))
    text = value.strip()
    if not text:
        return None
    if not (text.startswith("[") and text.endswith("]")):
        return [value]
    if _NUMBERS.fullmatch(text):
        return re.findall(r"\d+", text)  # ids as they are written, leading zeros too
    found = _of_json(text)
    if found is None:
        found = _of_python(text, field)
    if found is not None:
        return found
    if _MEANT_AS_LIST.fullmatch(text):
        raise BadValue("list-as-text", field=field, value=shown(text))
    return [value]


def _of_json(text: str) -> list[Any] | None:
    try:
        found = json.loads(text, parse_float=WrittenFloat, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _refuse(name: str) -> object:
    raise ValueError(name)


def _of_python(text: str, field: str) -> list[Any] | None:
    """A Python list, or a numpy array of texts; None where it is neither.

    numpy writes no commas, and Python joins neighbouring texts: `['a' 'b']` would be the one text `ab`.
    """
    if len(text) > CELL_LIMIT:
        return None
    try:
        tokens = list(_tokens(text))
        if any(token.string == "..." for token in tokens):
            raise BadValue("list-cut-short", field=field)
        kinds = [token.type for token in tokens]
        if (tokenize.STRING, tokenize.STRING) in pairwise(kinds):
            return _of_numpy(tokens)
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return None
    return _with_written_floats(found) if isinstance(found, list) else None


def _of_numpy(tokens: list[tokenize.TokenInfo]) -> list[Any] | None:
    inside = tokens[1:-1]
    if any(token.type != tokenize.STRING for token in inside):
        return None
    return [ast.literal_eval(token.string) for token in inside]


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    return (
        token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in _BETWEEN
    )


def _with_written_floats(value: Any) -> Any:
    """The same value with fractions that remember how they look, as ids need it."""
    if isinstance(value, float):
        return WrittenFloat(repr(value))
    if isinstance(value, list | tuple):
        return [_with_written_floats(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _with_written_floats(held) for key, held in value.items()}
    return value
