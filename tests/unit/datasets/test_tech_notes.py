"""The bundled set tech-notes keeps what its guide and README promise."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

Record = dict[str, Any]

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


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def chunks(folder: Path) -> dict[str, Record]:
    return {record["_id"]: record for record in _records(folder / "corpus.jsonl")}


@pytest.fixture(scope="module")
def queries(folder: Path) -> dict[str, Record]:
    return {record["_id"]: record for record in _records(folder / "queries.jsonl")}


@pytest.fixture(scope="module")
def gold(folder: Path) -> dict[str, list[Record]]:
    by_query: dict[str, list[Record]] = defaultdict(list)
    for record in _records(folder / "qrels" / "dev.jsonl"):
        by_query[record["query_id"]].append(record)
    return by_query


def _is_answerable(query: Record) -> bool:
    return bool(query["metadata"]["answerable"])


def test_ids_and_texts_are_unique(folder: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        records = _records(folder / name)
        assert len({record["_id"] for record in records}) == len(records)
        assert len({record["text"] for record in records}) == len(records)


def test_chunks_of_a_document_are_numbered_from_one(chunks: dict[str, Record]) -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for chunk_id, chunk in chunks.items():
        document, number = chunk_id.split("#")
        assert chunk["metadata"]["doc_id"] == document
        numbers[document].append(int(number))
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())


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
    counts = Counter((q["metadata"]["type"], _is_answerable(q)) for q in queries.values())
    assert counts == {(kind, True): 30 for kind in TYPES} | {(kind, False): 10 for kind in TYPES}
    kinds = Counter((_is_answerable(q), q["metadata"].get("near_miss", False)) for q in queries.values())
    assert kinds == {(True, False): 180, (False, True): 30, (False, False): 30}
    textbook = Counter(_is_answerable(q) for q in queries.values() if q["metadata"].get("textbook", False))
    assert textbook == {True: 90, False: 10}


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
        assert best == 3 if _is_answerable(query) else best < 2, query_id
        assert ("reference" in query["metadata"]) == _is_answerable(query), query_id


def test_each_group_has_direct_evidence(gold: dict[str, list[Record]]) -> None:
    for query_id, judgments in gold.items():
        groups = {j["group"] for j in judgments if "group" in j}
        assert groups == {j["group"] for j in judgments if j["grade"] == 3}, query_id


def test_only_questions_for_several_pieces_of_evidence_have_several_groups(
    queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if _is_answerable(query):
            groups = {judgment["group"] for judgment in gold[query_id] if "group" in judgment}
            assert (len(groups) > 1) == (query["metadata"]["type"] == "multi-evidence"), query_id


def test_hard_negatives_have_a_distractor(queries: dict[str, Record], gold: dict[str, list[Record]]) -> None:
    for query_id, query in queries.items():
        if query["metadata"]["type"] == "hard-negative":
            assert any("role" in judgment for judgment in gold[query_id]), query_id


def test_near_misses_show_the_chunks_that_tempt(
    queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    without_answer = {query_id: q for query_id, q in queries.items() if not _is_answerable(q)}
    for query_id, query in without_answer.items():
        assert query["metadata"]["note"]
        assert bool(gold.get(query_id)) == query["metadata"].get("near_miss", False), query_id


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


def _numbers(text: str) -> set[float]:
    # "1,200" is one figure, while the comma of "3,1" parts two
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return {float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", text)}


def test_figures_of_a_reference_answer_come_from_its_gold(
    chunks: dict[str, Record], queries: dict[str, Record], gold: dict[str, list[Record]]
) -> None:
    for query_id, query in queries.items():
        if not _is_answerable(query):
            continue
        evidence = [chunks[j["chunk_id"]]["text"] for j in gold[query_id] if j["grade"] >= 2]
        known = _numbers("\n".join([query["text"], *evidence])) | IN_WORDS.get(query_id, set())
        assert _numbers(query["metadata"]["reference"]) <= known, query_id


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
    counts = Counter((q["metadata"]["type"], _is_answerable(q)) for q in queries.values())
    for kind in TYPES:
        assert f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |" in readme


def test_runs_are_over_these_texts_and_from_a_clean_checkout(folder: Path) -> None:
    hashes = json.loads((folder / "snapshot.json").read_text("utf-8"))["hashes"]
    cards = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in folder.glob("runs/*.toml")}
    assert cards.keys() == {"bm25", "e5-small", "minilm"}
    for card in cards.values():
        assert (card["corpus_hash"], card["queries_hash"]) == (hashes["corpus"], hashes["queries"])
        assert (card["depth"], card["exact"], card["git_dirty"]) == (50, True, False)
