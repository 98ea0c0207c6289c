"""The file that freezes an evaluation: counts, parameters and hashes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.hashes import Hashes
from ragtui.dataset.model import EvaluationSet

SCHEMA = 1
NAMES = ("corpus", "queries", "gold")


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


def read_snapshot(path: Path, faults: Faults) -> Mapping[str, str]:
    """The hashes of a `snapshot.json`; none where it holds none."""
    import orjson

    from ragtui.dataset.readers.content import document

    content = document(path, faults)
    if content is None:
        return {}
    try:
        frozen = orjson.loads(content)["hashes"]
        return {name: str(frozen[name]) for name in NAMES}
    except (orjson.JSONDecodeError, KeyError, TypeError):
        faults.error("bad-snapshot", path)
        return {}


def compare_snapshot(path: Path, frozen: Mapping[str, str], found: Hashes, faults: Faults) -> None:
    """Warn of each hash that is not that of what was read."""
    for name, written in frozen.items():
        if written != getattr(found, name):
            faults.warning(f"changed-{name}", path, frozen=written[:6], found=getattr(found, name)[:6])
