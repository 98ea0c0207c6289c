"""Hashes of what an experiment stands on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Hashes:
    """Hex SHA-256 of what an experiment stands on: a run on corpus and queries, a result also on gold."""

    corpus: str
    queries: str
    gold: str


def hashes(queries: pd.DataFrame, chunks: pd.DataFrame, gold: pd.DataFrame) -> Hashes:
    """Hex SHA-256 of the tables of a set, the same in whatever order and format the rows are stored.

    Every row becomes a JSON array and a line feed in UTF-8; the lines are sorted by their bytes. Corpus: id,
    title, text. Queries: id, text. Gold: query, chunk, annotator, grade as a floating-point number, group or
    null, role or null; neither reasons nor splits, which change no number over given queries.
    """
    return Hashes(
        corpus=_digest_by_id(chunks.index, chunks[["title", "text"]]),
        queries=_digest_by_id(queries.index, queries[["text"]]),
        gold=_digest(
            [gold[name] for name in ("query_id", "chunk_id", "annotator", "grade", "group", "role")]
        ),
    )


def _digest_by_id(ids: pd.Index[Any], table: pd.DataFrame) -> str:
    """Digest of rows whose ids are distinct: ids alone decide their order, so one row is held at a time."""
    import orjson

    # an id ends with a quotation mark that stands for nothing else, so none begins another
    keys = list(map(_line, ids))
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    digest = hashlib.sha256()
    for place, *texts in zip(order.tolist(), *(_texts(table[name], order) for name in table), strict=True):
        digest.update(orjson.dumps((orjson.Fragment(keys[place]), *texts)))
        digest.update(b"\n")
    return digest.hexdigest()


def _texts(column: pd.Series[Any], order: npt.NDArray[np.int64]) -> Iterator[str]:
    """Texts of a column in another order, one by one from where they lie."""
    held = pa.array(column)
    chunks = held.chunks if isinstance(held, pa.ChunkedArray) else [held]
    ends = np.cumsum([len(chunk) for chunk in chunks], dtype=np.int64)
    which = np.searchsorted(ends, order, side="right")
    within = order - (ends - [len(chunk) for chunk in chunks])[which]
    for chunk, place in zip(which.tolist(), within.tolist(), strict=True):
        yield chunks[chunk][place].as_py()


def _digest(columns: Sequence[Iterable[object]]) -> str:
    lines = sorted(map(_line, zip(*columns, strict=True)))
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return digest.hexdigest()


def _line(value: object) -> bytes:
    """JSON, copied: what the writer returns keeps the kilobytes it was given to write into."""
    import orjson

    return bytes(memoryview(orjson.dumps(value)))
