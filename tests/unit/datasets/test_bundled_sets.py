"""What every bundled set keeps to: ids, texts, gold and near misses."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.unit.datasets.bundled import Record, is_answerable, records


@pytest.fixture(scope="module", params=["tech-notes", "travel-policy-zh"])
def folder(checkout: Path, request: pytest.FixtureRequest) -> Path:
    return checkout / "datasets" / str(request.param)


def test_ids_and_texts_are_unique(folder: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        found = records(folder / name)
        assert len({record["_id"] for record in found}) == len(found)
        assert len({record["text"] for record in found}) == len(found)


def test_chunks_of_a_document_are_numbered_from_one(chunks: dict[str, Record]) -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for chunk_id, chunk in chunks.items():
        document, number = chunk_id.split("#")
        assert chunk["metadata"]["doc_id"] == document
        numbers[document].append(int(number))
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())


def test_judgments_name_known_queries_and_chunks_once(
    chunks: dict[str, Record], queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    assert gold.keys() <= queries.keys()
    for judgments in gold.values():
        judged = [judgment["chunk_id"] for judgment in judgments]
        assert set(judged) <= chunks.keys()
        assert len(set(judged)) == len(judged)
        assert all(judgment["reason"] for judgment in judgments)


def test_groups_hold_relevant_chunks_and_distractors_are_irrelevant(gold: dict[str, list[Record]]) -> None:
    for judgments in gold.values():
        for judgment in judgments:
            assert judgment["grade"] in (0, 1, 2, 3)
            assert ("group" in judgment) == (judgment["grade"] >= 2), judgment
            assert judgment.get("role") in (None, "distractor")
            assert "role" not in judgment or judgment["grade"] == 0, judgment


def test_answerable_means_direct_evidence(queries: dict[str, Record], gold: dict[str, list[Record]]) -> None:
    for query_id, query in queries.items():
        best = max((judgment["grade"] for judgment in gold.get(query_id, [])), default=0)
        assert best == 3 if is_answerable(query) else best < 2, query_id
        assert ("reference" in query["metadata"]) == is_answerable(query), query_id


def test_near_misses_show_the_chunks_that_tempt(
    queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    without_answer = {query_id: q for query_id, q in queries.items() if not is_answerable(q)}
    for query_id, query in without_answer.items():
        assert query["metadata"]["note"]
        assert bool(gold.get(query_id)) == query["metadata"].get("near_miss", False), query_id
