"""Reads the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import CHUNK, layout, plain
from ragtui.dataset.ids import coded, codes_of
from ragtui.dataset.readers.chunk_columns import ChunkColumns
from ragtui.dataset.readers.records import Record, each, ids_with_text, records
from ragtui.dataset.readers.rows import ChunkRow
from ragtui.dataset.readers.shape import Shape, shape_of
from ragtui.dataset.readers.values import BadValue, id_text, text


def read_chunks(path: Path, faults: Faults) -> ChunkColumns:
    """Chunks of a file in its order.

    One id twice with the same text is merged, with two texts it is a fault.
    """
    shape = shape_of(path, faults)
    rows = _rows(path, shape, faults) if shape is not None else iter(())
    return unique_chunks(ChunkColumns.of(rows), path, faults)


def unique_chunks(chunks: ChunkColumns, path: Path, faults: Faults) -> ChunkColumns:
    """Each id once; see `read_chunks`."""
    codes = codes_of(coded(chunks.ids))
    first = np.unique(codes, return_index=True)[1]  # codes count up from 0, so this is the place of each code
    if len(first) == len(codes):
        return chunks
    is_again = np.ones(len(codes), dtype=bool)
    is_again[first] = False
    merged = 0
    for place in np.flatnonzero(is_again):
        row, known = chunks.row(int(place)), chunks.row(int(first[codes[place]]))
        if (known.text, known.title) != (row.text, row.title):
            faults.error("chunk-with-two-texts", path, row.line, id=row.chunk_id, first=known.line)
        else:
            merged += 1
    if merged:
        faults.note("chunks-merged", path, n=merged)
    return chunks.where(~is_again)


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
