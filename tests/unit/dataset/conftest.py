"""Small sets on disk, written by each test itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from ragtui.dataset import reading
from ragtui.dataset.faults import Fault

Content = str | bytes | list[dict[str, Any]]
Writer = Callable[[Mapping[str, Content]], Path]

GOOD: dict[str, Content] = {
    "corpus.jsonl": [
        {"_id": "a#1", "title": "A", "text": "alpha"},
        {"_id": "b#1", "title": "B", "text": "beta"},
        {"_id": "c#1", "title": "C", "text": "gamma"},
    ],
    "queries.jsonl": [
        {"_id": "q1", "text": "first?"},
        {"_id": "q2", "text": "second?"},
    ],
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta#1\t1\nq2\tb#1\t1\n",
    "runs/bm25.jsonl": [
        {"query_id": "q1", "results": [{"chunk_id": "a#1", "score": 2.0}, {"chunk_id": "b#1", "score": 1.0}]},
        {"query_id": "q2", "results": [{"chunk_id": "c#1", "score": 2.0}]},
    ],
}
"""A native set without a fault; tests change one file of it."""


def _bytes(content: Content) -> bytes:
    if isinstance(content, list):
        content = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in content)
    return content.encode() if isinstance(content, str) else content


@pytest.fixture
def folder(tmp_path: Path) -> Writer:
    """Writes files (text, bytes, or records as JSON Lines) into a folder and returns the folder."""

    def write(files: Mapping[str, Content]) -> Path:
        for name, content in files.items():
            path = tmp_path / "set" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_bytes(content))
        return tmp_path / "set"

    return write


@pytest.fixture
def good() -> dict[str, Content]:
    """The files of a set without a fault, to change."""
    return deepcopy(GOOD)


@pytest.fixture
def faults_of(folder: Writer) -> Callable[[Mapping[str, Content]], list[Fault]]:
    """All faults of the good set with some files changed, notes left out."""

    def check(changed: Mapping[str, Content]) -> list[Fault]:
        found = reading.check(folder({**GOOD, **changed}))
        return [fault for fault in found if fault.severity != "note"]

    return check
