"""The bundled example set keeps what its guide and README promise."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.unit.datasets.bundled import Record, is_answerable, numbers

# The day on which all questions are asked.
ASKED_ON = "2025-09-30"

TYPES = {
    "direct",
    "paraphrase",
    "multi-evidence",
    "aggregation",
    "vague",
    "code/API",
    "mixed-language",
    "hard-negative",
    "time/version",
    "role/permission",
    "table",
    "alias",
    "relational",
    "cross-document",
}

# Figures of a reference answer that no text states, worked out from figures that the gold states.
COMPUTED: dict[str, set[float]] = {
    # five in the afternoon, three days of meals, of incidentals, both
    "q_022": {5 + 12, 3 * 100, 3 * 30, 3 * 100 + 3 * 30},
    "q_024": {2 * 8000, 3 * 5000, 2 * 8000 + 3 * 5000},
    "q_025": {8 * 65},
    "q_027": {240, 240 + 60},  # 300 km at 0.8 a kilometre, and the toll
    "q_036": {520.5},
    "q_085": {500 + 100},  # 20 % of 500 on top
    "q_089": {100 + 30 + 60},
}

# Asks for the rule of an earlier year, so that the old version is the evidence.
ASKS_FOR_OLD_VERSION = {"q_056"}


@pytest.fixture(scope="module")
def folder(checkout: Path) -> Path:
    return checkout / "datasets" / "travel-policy-zh"


def test_size_is_what_the_set_promises(chunks: dict[str, Record], queries: dict[str, Record]) -> None:
    documents = {chunk["metadata"]["doc_id"] for chunk in chunks.values()}
    assert (len(documents), len(chunks)) == (34, 240)
    assert all(60 <= len(chunk["text"]) <= 260 for chunk in chunks.values())
    kinds = Counter((is_answerable(q), q["metadata"].get("near_miss", False)) for q in queries.values())
    assert kinds == {(True, False): 90, (False, True): 15, (False, False): 15}
    assert sum(q["metadata"].get("core", False) for q in queries.values()) == 20


def test_every_type_has_questions_with_and_without_an_answer(queries: dict[str, Record]) -> None:
    counts = Counter((q["metadata"]["type"], is_answerable(q)) for q in queries.values())
    assert {kind for kind, _ in counts} == TYPES
    assert all(counts[kind, True] in (6, 7) and counts[kind, False] >= 1 for kind in TYPES)


def test_questions_for_several_pieces_of_evidence_have_several_groups(
    queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if is_answerable(query) and query["metadata"]["type"] in ("multi-evidence", "cross-document"):
            assert len({judgment["group"] for judgment in gold[query_id] if "group" in judgment}) >= 2, (
                query_id
            )


def test_a_replaced_version_is_evidence_only_where_the_past_is_asked_for(
    chunks: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    old = {chunk_id for chunk_id, c in chunks.items() if c["metadata"].get("valid_to", "9999") < ASKED_ON}
    leaning_on_old = {
        query_id
        for query_id, judgments in gold.items()
        if any(judgment["grade"] >= 2 and judgment["chunk_id"] in old for judgment in judgments)
    }
    assert len(old) == 28
    assert leaning_on_old == ASKS_FOR_OLD_VERSION


def test_figures_of_a_reference_answer_come_from_its_gold(
    chunks: dict[str, Record], queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if not is_answerable(query):
            continue
        evidence = [chunks[j["chunk_id"]]["text"] for j in gold[query_id] if j["grade"] >= 2]
        known = numbers("\n".join([query["text"], *evidence])) | COMPUTED.get(query_id, set())
        assert numbers(query["metadata"]["reference"]) <= known, query_id


def test_chunks_and_queries_that_the_guide_names_exist(
    folder: Path, chunks: dict[str, Record], queries: dict[str, Record]
) -> None:
    guide = (folder / "guide.md").read_text("utf-8")
    named = set(re.findall(r"[a-z]+(?:-[a-z0-9]+)+#\d+", guide))
    assert len(named) > 10
    assert named <= chunks.keys()
    assert set(re.findall(r"q_\d{3}", guide)) <= queries.keys()


def test_readme_counts_are_those_of_the_files(
    folder: Path, queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    readme = (folder / "README.md").read_text("utf-8")
    judgments = [judgment for found in gold.values() for judgment in found]
    distractors = sum("role" in judgment for judgment in judgments)
    groups = [{j["group"] for j in found if "group" in j} for found in gold.values()]
    several = sum(len(found) > 1 for found in groups)
    assert f"| {len(judgments)} on the scale 0–3, of which {distractors} distractors" in readme
    assert f"several pieces of evidence | {several} |" in readme
    counts = Counter((q["metadata"]["type"], is_answerable(q)) for q in queries.values())
    for kind in TYPES:
        assert f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |" in readme
