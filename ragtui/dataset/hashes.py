"""Hashes of what an experiment stands on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd


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
        corpus=_digest([chunks.index, chunks["title"], chunks["text"]]),
        queries=_digest([queries.index, queries["text"]]),
        gold=_digest(
            [gold[name] for name in ("query_id", "chunk_id", "annotator", "grade", "group", "role")]
        ),
    )


def _digest(columns: Sequence[Iterable[object]]) -> str:
    import orjson

    lines = [orjson.dumps(row) for row in zip(*columns, strict=True)]
    lines.sort()
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return digest.hexdigest()
