"""The bundled set tech-notes keeps what its guide and README promise."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.unit.datasets.bundled import Record, is_answerable, numbers

# The day on which all questions are asked.
ASKED_ON = "2026-10-31"

TYPES = {"direct", "paraphrase", "code/API", "mixed-language", "hard-negative", "multi-evidence"}

REPLACED = {"api-v1-messages", "rate-limits-2023", "webhooks-v1", "sdk-3-legacy", "billing-2024"}

# Figures of a reference answer that the evidence writes in words: 两万 yuan.
IN_WORDS: dict[str, set[float]] = {"q_069": {20000}}

# Ask for the end of a replaced version, which its own pages state.
ASKS_FOR_THE_END = {"q_023", "q_060"}

_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def folder(checkout: Path) -> Path:
    return checkout / "datasets" / "tech-notes"


def test_documents_come_in_two_languages(chunks: dict[str, Record]) -> None:
    language = {chunk["metadata"]["doc_id"]: chunk["metadata"]["language"] for chunk in chunks.values()}
    assert len(chunks) == 406
    assert Counter(language.values()) == {"en": 21, "zh": 18, "mixed": 3}
    for chunk in chunks.values():
        has_chinese = bool(_IDEOGRAPH.search(chunk["text"]))
        assert has_chinese or chunk["metadata"]["language"] != "zh", chunk["_id"]
        assert not has_chinese or chunk["metadata"]["language"] != "en", chunk["_id"]


def test_a_chunk_is_a_paragraph(chunks: dict[str, Record]) -> None:
    for chunk in chunks.values():
        if _IDEOGRAPH.search(chunk["text"]):
            units = re.findall(r"[\u4e00-\u9fff]|[A-Za-z0-9_.:/%-]+", chunk["text"])
            assert 70 <= len(units) <= 300, chunk["_id"]
            assert len(chunk["text"]) >= 80, chunk["_id"]
        else:
            assert 60 <= len(chunk["text"].split()) <= 200, chunk["_id"]


def test_size_is_what_the_set_promises(queries: dict[str, Record]) -> None:
    counts = Counter((q["metadata"]["type"], is_answerable(q)) for q in queries.values())
    assert counts == {(kind, True): 30 for kind in TYPES} | {(kind, False): 10 for kind in TYPES}
    kinds = Counter((is_answerable(q), q["metadata"].get("near_miss", False)) for q in queries.values())
    assert kinds == {(True, False): 180, (False, True): 30, (False, False): 30}
    textbook = Counter(is_answerable(q) for q in queries.values() if q["metadata"].get("textbook", False))
    assert textbook == {True: 90, False: 10}


def test_each_group_has_direct_evidence(gold: dict[str, list[Record]]) -> None:
    for query_id, judgments in gold.items():
        groups = {j["group"] for j in judgments if "group" in j}
        assert groups == {j["group"] for j in judgments if j["grade"] == 3}, query_id


def test_only_questions_for_several_pieces_of_evidence_have_several_groups(
    queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if is_answerable(query):
            groups = {judgment["group"] for judgment in gold[query_id] if "group" in judgment}
            assert (len(groups) > 1) == (query["metadata"]["type"] == "multi-evidence"), query_id


def test_hard_negatives_have_a_distractor(queries: dict[str, Record], gold: dict[str, list[Record]]) -> None:
    for query_id, query in queries.items():
        if query["metadata"]["type"] == "hard-negative":
            assert any("role" in judgment for judgment in gold[query_id]), query_id


def test_a_replaced_version_is_evidence_only_for_its_own_end(
    chunks: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    old = {chunk_id for chunk_id, c in chunks.items() if c["metadata"].get("valid_to", "9999") < ASKED_ON}
    leaning_on_old = {
        query_id
        for query_id, judgments in gold.items()
        if any(judgment["grade"] >= 2 and judgment["chunk_id"] in old for judgment in judgments)
    }
    assert {chunk_id.split("#")[0] for chunk_id in old} == REPLACED
    assert leaning_on_old == ASKS_FOR_THE_END


def test_figures_of_a_reference_answer_come_from_its_gold(
    chunks: dict[str, Record], queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if not is_answerable(query):
            continue
        evidence = [chunks[j["chunk_id"]]["text"] for j in gold[query_id] if j["grade"] >= 2]
        known = numbers("\n".join([query["text"], *evidence])) | IN_WORDS.get(query_id, set())
        assert numbers(query["metadata"]["reference"]) <= known, query_id


def test_chunks_and_queries_that_the_guide_names_exist(
    folder: Path, chunks: dict[str, Record], queries: dict[str, Record]
) -> None:
    guide = (folder / "guide.md").read_text("utf-8")
    named = set(re.findall(r"[a-z]+(?:-[a-z0-9]+)*#\d+", guide))
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
    assert f"{len(judgments)}条分级标注" in readme
    assert f"several pieces of evidence | {several} |" in readme
    counts = Counter((q["metadata"]["type"], is_answerable(q)) for q in queries.values())
    for kind in TYPES:
        assert f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |" in readme


def test_runs_are_over_these_texts_and_from_a_clean_checkout(folder: Path) -> None:
    hashes = json.loads((folder / "snapshot.json").read_text("utf-8"))["hashes"]
    cards = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in folder.glob("runs/*.toml")}
    assert cards.keys() == {"bm25", "e5-small", "minilm"}
    for card in cards.values():
        assert (card["corpus_hash"], card["queries_hash"]) == (hashes["corpus"], hashes["queries"])
        assert (card["depth"], card["exact"], card["git_dirty"]) == (50, True, False)
