"""Reads a verdict out of what a model wrote, or says what kind of failure the reply is.

Tolerant of form: fences, reasoning in tags, prose around, loose JSON, words for verdicts. Strict in meaning:
`8/10` or `75%` is no verdict, two verdicts that differ are none, and an object that was begun and cannot be
read makes the whole reply unreadable, because what stands inside it may be a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragtui.judging.loose_json import Record, Unreadable, read_object
from ragtui.judging.model import Status
from ragtui.judging.schema_shape import Shape, key_of, shape_of
from ragtui.judging.wording import (
    BINARY,
    Unread,
    is_refusal,
    is_vague_refusal,
    leading_value,
    stated_values,
    value_of,
)

_MARK = re.compile(r"\{|<(?P<end>/?)(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_BEGINS_OBJECT = re.compile(r"\{[\s\u3000]*[\"'“‘「＂]")
_FENCE = re.compile(r"(?m)^\s*`{3,}\s*\w*\s*$")
# A verdict needs one; every further attempt may read to the end of the reply.
_MOST_ATTEMPTS = 50
_DEEPEST_WRAPPING = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict of a reply.

    Attributes:
        value: on the scale.
        reason: as the model gave it, `""` without.
        label: the id or statement it is about, `""` where the reply names none.
    """

    value: float
    reason: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A reply that could be read: its verdicts in order, exactly one unless the schema asks for several."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A reply without a usable verdict. `code` is a key below `judging.reason` in the message catalogue."""

    kind: Status
    code: str


@dataclass(frozen=True, slots=True)
class _Scan:
    """What a reply holds once reasoning is left out: objects, the text around them, and whether one broke."""

    records: tuple[Record, ...]
    around: str
    broken: bool


def parse(text: str, schema: Mapping[str, Any], scale: Sequence[float] = BINARY) -> Parsed | Failure:
    """Read a reply.

    Args:
        text: the raw reply.
        schema: JSON Schema the reply was asked to have.
        scale: values a verdict may have.

    Raises:
        BadSchema: the schema has no place for a verdict.
    """
    shape = shape_of(schema)
    if not text.strip():
        return Failure("parse-error", "empty-reply")
    scan = _scan(text)
    if is_refusal(scan.around):
        return Failure("refused", "refused")
    if scan.broken:
        return Failure("parse-error", "broken-json")
    if not scan.records and not scan.around:
        return Failure("parse-error", "only-reasoning")
    return _several(scan, shape, scale) if shape.several else _one(scan, shape, scale)


def _scan(text: str) -> _Scan:
    records: list[Record] = []
    around: list[str] = []
    broken = False
    at = attempts = 0
    while (mark := _MARK.search(text, at)) is not None:
        around.append(text[at : mark.start()])
        if mark[0] == "{":
            attempts += 1
            if attempts > _MOST_ATTEMPTS:
                return _Scan((), "", True)
            try:
                record, at = read_object(text, mark.start())
                records.append(record)
            except Unreadable:
                broken = broken or _BEGINS_OBJECT.match(text, mark.start()) is not None
                around.append("{")
                at = mark.end()
        elif mark["end"]:
            # reasoning whose beginning is not part of the reply: all before it is no answer
            records, around, broken = [], [], False
            at = mark.end()
        else:
            end = re.compile(re.escape(f"</{mark[0][1:]}"), re.IGNORECASE).search(text, mark.end())
            at = end.end() if end else len(text)
    around.append(text[at:])
    return _Scan(tuple(records), _FENCE.sub("", "".join(around)).strip(), broken)


def _one(scan: _Scan, shape: Shape, scale: Sequence[float]) -> Parsed | Failure:
    """The one verdict of a reply: of its objects, else of its words."""
    found = [member for record in scan.records for member in _holding(record, shape.value, _DEEPEST_WRAPPING)]
    stated = stated_values(scan.around, shape.value, scale)
    if found:
        findings = [_finding(record, shape, scale) for record in found]
        failed = next((finding for finding in findings if isinstance(finding, Failure)), None)
        if failed and len(findings) == 1:
            return failed
        values = [finding.value for finding in findings if isinstance(finding, Finding)] + stated
        if failed or len(set(values)) > 1:
            return Failure("contradiction", "two-verdicts")
        first = next(finding for finding in findings if isinstance(finding, Finding))
        refused = is_refusal(first.reason)
        return Failure("refused", "refused") if refused else Parsed((first,))
    if len(set(stated)) > 1:
        return Failure("contradiction", "two-verdicts")
    value = stated[0] if stated else leading_value(scan.around, scale)
    if isinstance(value, Unread):
        return _nothing(scan.around, value)
    return Parsed((Finding(value, scan.around),))


def _nothing(around: str, why: Unread) -> Failure:
    if is_vague_refusal(around):
        return Failure("refused", "refused")
    return Failure(why.kind, why.code)


def _several(scan: _Scan, shape: Shape, scale: Sequence[float]) -> Parsed | Failure:
    """The verdicts of a reply that is to hold a list: the list, else the objects that stand side by side."""
    lists = [
        value
        for record in scan.records
        for key, value in record.members
        if key_of(key) == key_of(shape.several) and isinstance(value, list)
    ]
    if len(lists) > 1 and any(other != lists[0] for other in lists):
        return Failure("contradiction", "two-verdicts")
    entries: Sequence[Any] = lists[0] if lists else scan.records
    if not lists and not any(_holding(record, shape.value, 0) for record in scan.records):
        return _nothing(scan.around, Unread("parse-error", "no-verdict"))
    findings: dict[tuple[str, int], Finding] = {}
    for place, entry in enumerate(entries):
        finding = _finding(entry, shape, scale)
        if isinstance(finding, Failure):
            return finding
        # entries without a label are told apart by their place
        key = (finding.label, -1) if finding.label else ("", place)
        if finding.value != findings.setdefault(key, finding).value:
            return Failure("contradiction", "repeated-label")
    return Parsed(tuple(findings.values())) if findings else Failure("parse-error", "no-statements")


def _finding(entry: Any, shape: Shape, scale: Sequence[float]) -> Finding | Failure:
    """The verdict of one object, or of a bare value in a list."""
    if not isinstance(entry, Record):
        value = value_of(entry, scale)
        return Failure(value.kind, value.code) if isinstance(value, Unread) else Finding(value)
    written = _members(entry, shape.value)
    if not written:
        return Failure("parse-error", "no-verdict")
    values = [value_of(raw, scale) for raw in written]
    if any(value != values[0] for value in values):
        return Failure("contradiction", "repeated-key")
    first = values[0]
    if isinstance(first, Unread):
        return Failure(first.kind, first.code)
    return Finding(first, _text(entry, shape.reason), _text(entry, shape.label))


def _holding(record: Record, key: str, deeper: int) -> list[Record]:
    """The record itself where it has a plain value under `key`, else the records inside that have."""
    if any(not isinstance(value, Record) for value in _members(record, key)):
        return [record]
    if not deeper:
        return []
    members = [value for _, value in record.members]
    inner = [value for member in members for value in (member if isinstance(member, list) else [member])]
    records = [value for value in inner if isinstance(value, Record)]
    return [found for value in records for found in _holding(value, key, deeper - 1)]


def _members(record: Record, key: str) -> list[Any]:
    wanted = key_of(key)
    return [value for name, value in record.members if key_of(name) == wanted]


def _text(record: Record, key: str) -> str:
    """Text under a key, `""` without; a number is its text."""
    values = _members(record, key) if key else []
    if not values or isinstance(values[-1], Record | list) or values[-1] is None:
        return ""
    # escapes may spell half of a surrogate pair, which no file can hold
    return str(values[-1]).encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()
