"""What freezes an evaluation: hashes of corpus, queries and gold, and the file that keeps them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ragtui.dataset.faults import Faults
from ragtui.dataset.model import EvaluationSet, Hashes

SCHEMA = 1
NAMES = ("corpus", "queries", "gold")


def hashes(queries: pd.DataFrame, chunks: pd.DataFrame, gold: pd.DataFrame) -> Hashes:
    """Hex SHA-256 of what an experiment stands on, the same in whatever order and format the rows are stored.

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


def freeze(evaluation: EvaluationSet, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What `snapshot.json` holds: counts, parameters, hashes, the version that wrote it and when."""
    from datetime import UTC, datetime

    from ragtui import __version__

    chunks = evaluation.chunks
    return {
        "schema": SCHEMA,
        "ragtui": __version__,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "name": evaluation.name,
        "counts": {
            "documents": int(chunks["doc_id"].nunique()),
            "chunks": len(chunks),
            "queries": len(evaluation.queries),
            "retired": evaluation.retired,
            "gold": len(evaluation.gold),
            "splits": {split: int((evaluation.query_split == split).sum()) for split in evaluation.splits},
        },
        "parameters": dict(parameters or {}),
        "hashes": {name: getattr(evaluation.hashes, name) for name in NAMES},
    }


def compare_snapshot(path: Path, found: Hashes, faults: Faults) -> None:
    """Warn of each hash of a `snapshot.json` that is not that of what was read."""
    import orjson

    from ragtui.dataset.readers.content import document

    content = document(path, faults)
    if content is None:
        return
    try:
        frozen = orjson.loads(content)["hashes"]
        changed = [name for name in NAMES if frozen[name] != getattr(found, name)]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        faults.error("bad-snapshot", path)
        return
    for name in changed:
        faults.warning(f"changed-{name}", path, frozen=str(frozen[name])[:6], found=getattr(found, name)[:6])


def _digest(columns: Sequence[Iterable[object]]) -> str:
    import orjson

    lines = [orjson.dumps(row) for row in zip(*columns, strict=True)]
    lines.sort()
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return digest.hexdigest()
