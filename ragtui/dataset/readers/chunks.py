"""Reads the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import CHUNK, layout, plain
from ragtui.dataset.readers.records import Record, each, ids_with_text, records
from ragtui.dataset.readers.rows import ChunkRow
from ragtui.dataset.readers.shape import Shape, shape_of
from ragtui.dataset.readers.values import BadValue, id_text, text


def read_chunks(path: Path, faults: Faults) -> list[ChunkRow]:
    """Chunks of a file in its order.

    One id twice with the same text is merged, with two texts it is a fault.
    """
    shape = shape_of(path, faults)
    if shape is None:
        return []
    rows = _rows(path, shape, faults)
    found: dict[str, ChunkRow] = {}
    merged = 0
    for row in rows:
        first = found.setdefault(row.chunk_id, row)
        if first is row:
            continue
        if (first.text, first.title) != (row.text, row.title):
            faults.error("chunk-with-two-texts", path, row.line, id=row.chunk_id, first=first.line)
        else:
            merged += 1
    if merged:
        faults.note("chunks-merged", path, n=merged)
    return list(found.values())


def _rows(path: Path, shape: Shape, faults: Faults) -> Iterator[ChunkRow]:
    if shape.kind == "columns":
        return (ChunkRow(one, "", written, {}, line) for line, one, written in ids_with_text(path, faults))
    return each(records(path, shape, faults), chunk_row, path, faults)


def chunk_row(record: Record) -> ChunkRow:
    """One chunk.

    Raises:
        BadValue, InexactId: a field that is missing or not what it should be.
    """
    data = record.data
    words = layout("chunk", tuple(data))
    for word in ("chunk_id", "text"):
        if word not in words:
            raise BadValue("missing-field", field=word, names=", ".join(CHUNK[word][:4]))
    return ChunkRow(
        id_text(data[words["chunk_id"]], words["chunk_id"]),
        text(data[words["title"]], "title") if "title" in words else "",
        text(data[words["text"]], words["text"]),
        _metadata(data, words),
        record.line,
    )


def _metadata(data: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    used = {words[word] for word in ("chunk_id", "text", "title", "metadata") if word in words}
    described = {key: value for key, value in data.items() if key not in used}
    nested = data[words["metadata"]] if "metadata" in words else None
    if nested is not None:
        if not isinstance(nested, Mapping):
            raise BadValue("not-an-object-in", field=words["metadata"])
        described = {**nested, **described}
    if not described:
        return described
    ours = {key: word for word, key in layout("chunk_metadata", tuple(described)).items()}
    result = {}
    for key, value in described.items():
        word = ours.get(key, key)
        if word == "doc_id":
            result[word] = None if value is None else id_text(value, key)
        else:
            result[f"metadata.{key}" if plain(word) in ("text", "title", "chunk_id") else word] = value
    return result
