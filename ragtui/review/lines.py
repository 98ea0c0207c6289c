"""Events as JSON lines and back.

A line has `schema`, `id`, `time`, `reviewer`, `kind`, the fields of that kind as far as they say something,
and `batch` where several lines were one act. Lines are never changed: a field that is not known is passed
over, and a line that cannot be understood is set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

import orjson

from ragtui.review.events import (
    Decision,
    Event,
    Grade,
    Guard,
    Note,
    Opened,
    Rating,
    Redo,
    Tag,
    Undo,
    What,
)

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
    return Event(row["id"], _text(row, "time"), row["reviewer"], what, _text(row, "batch"))


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


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name, "")
    if type(value) is not str:
        raise ValueError(name)
    return value


def _needed(row: Mapping[str, Any], name: str) -> str:
    value = row[name]
    if type(value) is not str:
        raise ValueError(name)
    return value


def _number(row: Mapping[str, Any], name: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if type(value) is bool or not isinstance(value, int | float):
        raise ValueError(name)
    return float(value)


def _whole_number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name, 0)
    if type(value) is not int:
        raise ValueError(name)
    return value


def _texts(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = row.get(name, ())
    if not value:
        return ()
    if type(value) is not list or not all(type(item) is str for item in value):
        raise ValueError(name)
    return tuple(value)


def _flag(row: Mapping[str, Any], name: str, unsaid: bool) -> bool:
    value = row.get(name, unsaid)
    if type(value) is not bool:
        raise ValueError(name)
    return value


def _tag(row: Mapping[str, Any]) -> Tag:
    return Tag(
        _needed(row, "query_id"),
        _texts(row, "causes"),
        _text(row, "note"),
        _text(row, "run"),
        _whole_number(row, "k"),
        _text(row, "suggested"),
        _flag(row, "shown", unsaid=True),
        _text(row, "session"),
    )


def _note(row: Mapping[str, Any]) -> Note:
    return Note(_needed(row, "query_id"), _text(row, "text"), _text(row, "chunk_id"))


def _grade(row: Mapping[str, Any]) -> Grade:
    return Grade(
        _needed(row, "query_id"),
        _needed(row, "chunk_id"),
        _number(row, "grade"),
        was=_number(row, "was"),
        reason=_text(row, "reason"),
        group=_text(row, "group"),
        in_sight=_texts(row, "in_sight"),
        blind=_flag(row, "blind", unsaid=False),
        session=_text(row, "session"),
    )


def _rating(row: Mapping[str, Any]) -> Rating:
    return Rating(
        _needed(row, "query_id"),
        _needed(row, "chunk_id"),
        _number(row, "grade"),
        reason=_text(row, "reason"),
        blind=_flag(row, "blind", unsaid=True),
        session=_text(row, "session"),
    )


def _decision(row: Mapping[str, Any]) -> Decision:
    heard = tuple((str(rater), float(grade)) for rater, grade in row.get("heard", ()))
    return Decision(
        _needed(row, "query_id"),
        _needed(row, "chunk_id"),
        _number(row, "grade"),
        reason=_text(row, "reason"),
        heard=heard,
        in_sight=_texts(row, "in_sight"),
    )


def _guard(row: Mapping[str, Any]) -> Guard:
    return Guard(
        _needed(row, "query_id"),
        on=_flag(row, "on", unsaid=True),
        run=_text(row, "run"),
        k=_whole_number(row, "k"),
        in_sight=_texts(row, "in_sight"),
    )


def _opened(row: Mapping[str, Any]) -> Opened:
    return Opened(
        _needed(row, "session"),
        _needed(row, "purpose"),
        _texts(row, "queries"),
        chunks=_texts(row, "chunks"),
        run=_text(row, "run"),
        k=_whole_number(row, "k"),
        where=_text(row, "where"),
        seed=_whole_number(row, "seed"),
    )


def _undo(row: Mapping[str, Any]) -> Undo:
    return Undo(_needed(row, "event"), _needed(row, "of"), _needed(row, "query_id"), _text(row, "chunk_id"))


def _redo(row: Mapping[str, Any]) -> Redo:
    return Redo(_needed(row, "event"), _needed(row, "of"), _needed(row, "query_id"), _text(row, "chunk_id"))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], What]] = {
    "tag": _tag,
    "note": _note,
    "grade": _grade,
    "rating": _rating,
    "decision": _decision,
    "guard": _guard,
    "session": _opened,
    "undo": _undo,
    "redo": _redo,
}
