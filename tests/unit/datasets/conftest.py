"""Records of the bundled set whose folder a test file names."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.unit.datasets.bundled import Record, records


@pytest.fixture(scope="module")
def chunks(folder: Path) -> dict[str, Record]:
    return {record["_id"]: record for record in records(folder / "corpus.jsonl")}


@pytest.fixture(scope="module")
def queries(folder: Path) -> dict[str, Record]:
    return {record["_id"]: record for record in records(folder / "queries.jsonl")}


@pytest.fixture(scope="module")
def gold(folder: Path) -> dict[str, list[Record]]:
    by_query: dict[str, list[Record]] = defaultdict(list)
    for record in records(folder / "qrels" / "dev.jsonl"):
        by_query[record["query_id"]].append(record)
    return by_query
