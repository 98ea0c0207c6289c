"""Events as JSON lines and back.

A line has `schema`, `id`, `time`, `reviewer`, `kind`, the fields of that kind as far as they say something,
and `batch` where several lines were one act. Lines are never changed: a field that is not known is passed
over, and a line that cannot be understood is set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args

import orjson

from ragtui.review.events import Event, What

SCHEMA = 1
READABLE = frozenset({1})
"""Schema versions that can be read; a file of each is kept with the tests."""

_TAKING_BACK = frozenset({"undo", "redo"})


def line_of(event: Event) -> bytes:
    """The line of an event, with its end; what a field leaves unsaid is left out."""
    what = event.what
    said = {
        item.name: _whole(value)
        for item in fields(what)
        if (value := getattr(what, item.name)) != item.default or item.default is MISSING
    }
    row = {
        "schema": SCHEMA,
        "id": event.id,
        "time": event.time,
        "reviewer": _whole(event.reviewer),
        "kind": what.kind,
        **({"batch": event.batch} if event.batch else {}),
        **said,
    }
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


class NewerSchema(ValueError):
    """A line that a later version wrote."""


def row_of(line: bytes) -> dict[str, Any]:
    """A line as a row of which is known what it is about: `id`, `reviewer`, `kind`, `query_id`, `chunk_id`.

    Raises:
        NewerSchema: a later version wrote it.
        ValueError: it is no event.
    """
    row: dict[str, Any] = orjson.loads(line)
    try:
        if row["schema"] != SCHEMA:
            _refuse_schema(row["schema"])
        kind = row["kind"]
        if kind == "session":
            row["query_id"] = row["session"]
        elif kind in _TAKING_BACK:
            "".join((row["of"], row["event"]))
        # joining texts is the quickest way to learn that all of them are
        "".join((row["id"], row["reviewer"], row["query_id"], row.get("chunk_id", "")))
        if kind not in _READERS:
            raise ValueError(kind)
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
    return row


def event_of(line: bytes) -> Event:
    """Read a line.

    Raises:
        NewerSchema: a later version wrote it.
        ValueError: it is no event.
    """
    row = row_of(line)
    try:
        what = _READERS[row["kind"]](row)
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
    time, batch = (_text(row.get(name, ""), name) for name in ("time", "batch"))
    return Event(row["id"], time, row["reviewer"], what, batch)


def _refuse_schema(schema: object) -> None:
    if schema in READABLE:
        return
    if type(schema) is int and schema > SCHEMA:
        raise NewerSchema(schema)
    raise ValueError(str(schema))


def _whole(value: Any) -> Any:
    """Text without halves of surrogate pairs, which a file of UTF-8 cannot hold; tuples of it too."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return [_whole(item) for item in value] if isinstance(value, tuple) else value


def _text(value: object, name: str) -> str:
    if type(value) is not str:
        raise ValueError(name)
    return value


def _number(value: object, name: str) -> float | None:
    if value is None:
        return None
    if type(value) is bool or not isinstance(value, int | float):
        raise ValueError(name)
    return float(value)


def _whole_number(value: object, name: str) -> int:
    if type(value) is not int:
        raise ValueError(name)
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not value:
        return ()
    if type(value) is not list or not all(type(item) is str for item in value):
        raise ValueError(name)
    return tuple(value)


def _flag(value: object, name: str) -> bool:
    if type(value) is not bool:
        raise ValueError(name)
    return value


def _by_rater(value: object, name: str) -> tuple[tuple[str, float], ...]:
    if not isinstance(value, list):
        raise ValueError(name)
    return tuple((str(rater), float(grade)) for rater, grade in value)


_OF_TYPE: Mapping[str, Callable[[object, str], Any]] = {
    "str": _text,
    "float | None": _number,
    "int": _whole_number,
    "tuple[str, ...]": _texts,
    "bool": _flag,
    "tuple[tuple[str, float], ...]": _by_rater,
}
"""What a field holds, by its annotation in `events`."""

_UNSAID: Mapping[str, object] = {"float | None": None, "tuple[str, ...]": ()}
"""What it is where a line lacks it and the event has no default."""


def _reader(act: type[What]) -> Callable[[Mapping[str, Any]], What]:
    """Reads the fields of an event as its class declares them; what a line leaves unsaid is the default."""
    plan = [
        (
            item.name,
            _OF_TYPE[str(item.type)],
            item.default is MISSING and item.type not in _UNSAID,
            _UNSAID.get(str(item.type)) if item.default is MISSING else item.default,
        )
        for item in fields(act)
    ]

    make: Callable[..., What] = act

    def read(row: Mapping[str, Any]) -> What:
        return make(
            *(
                of_type(row[name], name) if name in row or is_needed else unsaid
                for name, of_type, is_needed, unsaid in plan
            )
        )

    return read


_READERS: Mapping[str, Callable[[Mapping[str, Any]], What]] = {
    act.kind: _reader(act) for act in get_args(What)
}
