"""Reads queries, with the gold that may stand inside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import QUERY, layout, plain
from ragtui.dataset.readers.inline_gold import INLINE_GOLD, gold_of
from ragtui.dataset.readers.records import Record, each, ids_with_text, records
from ragtui.dataset.readers.rows import QueryRow
from ragtui.dataset.readers.shape import Shape, shape_of
from ragtui.dataset.readers.values import BadValue, id_text, text, yes_or_no

_FLAGS = ("answerable", "unanswerable", "core")


def read_queries(path: Path, faults: Faults) -> list[QueryRow]:
    """Queries of a file in its order.

    One id twice with the same text is merged, with two texts it is a fault.
    """
    shape = shape_of(path, faults)
    if shape is None:
        return []
    return unique_queries(query_rows(path, shape, faults), path, faults)


def query_rows(path: Path, shape: Shape, faults: Faults) -> Iterator[QueryRow]:
    """Every query of a file as it stands, repeats included."""
    if shape.kind == "columns":
        return (QueryRow(one, written, {}, line) for line, one, written in ids_with_text(path, faults))
    return each(records(path, shape, faults), lambda record: query_row(record, path), path, faults)


def unique_queries(rows: Iterator[QueryRow], path: Path, faults: Faults) -> list[QueryRow]:
    """Rows with each id once."""
    found: dict[str, QueryRow] = {}
    merged = 0
    for row in rows:
        first = found.setdefault(row.query_id, row)
        if first is row:
            continue
        if first.text is not None and row.text is not None and first.text != row.text:
            faults.error("query-with-two-texts", path, row.line, id=row.query_id, first=first.line)
            continue
        merged += 1
        first.text = row.text if first.text is None else first.text
        first.metadata = {**row.metadata, **first.metadata}
        if row.gold is not None:
            first.gold = [*(first.gold or ()), *row.gold]
    if merged:
        faults.note("queries-merged", path, n=merged)
    return list(found.values())


def query_row(record: Record, path: Path) -> QueryRow:
    """One query.

    Raises:
        BadValue, InexactId: a field that is missing or not what it should be.
    """
    data = record.data
    words = layout("query", tuple(data))
    if "query_id" not in words:
        raise BadValue("missing-field", field="query_id", names=", ".join(QUERY["query_id"][:4]))
    query_id = id_text(data[words["query_id"]], words["query_id"])
    written = text(data[words["text"]], words["text"]) if "text" in words else None
    row = QueryRow(query_id, written, _metadata(data, words), record.line)
    fields = {word: data[words[word]] for word in INLINE_GOLD if word in words}
    if fields:
        row.gold = gold_of(query_id, fields, path, record.line)
    return row


def _metadata(data: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Everything but id, text and gold: our words first, the rest under its own name."""
    used = {words[word] for word in ("query_id", "text", "metadata", *INLINE_GOLD) if word in words}
    described = {key: value for key, value in data.items() if key not in used}
    nested = data[words["metadata"]] if "metadata" in words else None
    if nested is not None:
        if not isinstance(nested, Mapping):
            raise BadValue("not-an-object-in", field=words["metadata"])
        described = {**nested, **described}
    ours = {key: word for word, key in layout("query_metadata", tuple(described)).items()}
    result: dict[str, Any] = {}
    for key, value in described.items():
        word = ours.get(key, key)
        if word in _FLAGS:
            result[word] = yes_or_no(value, key)
        elif word == "reference":
            result |= _reference(key, value)
        else:
            result[f"metadata.{key}" if plain(word) in ("text", "query_id") else word] = value
    if "unanswerable" in result:
        said = result.pop("unanswerable")
        result.setdefault("answerable", None if said is None else not said)
    return result


def _reference(key: str, value: object) -> dict[str, Any]:
    """The first of several reference answers is the one that is read.

    All of them stay under the name they had.
    """
    if not isinstance(value, list):
        return {"reference": None if value is None else text(value, key)}
    first = next((item for item in value if item not in (None, "")), None)
    kept = {key: value} if len(value) > 1 and key != "reference" else {}
    return {"reference": None if first is None else text(first, key), **kept}
