"""Sets written for other tools: what is read back, and what is said to be lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragtui import messages
from ragtui.dataset.export.catalogue import EXPORT_NAMES
from ragtui.dataset.export.frames import frames
from ragtui.dataset.export.losses import losses
from ragtui.dataset.export.simple_gold import one_grade_each
from ragtui.dataset.export.writers import WRITERS
from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.reading import open_set
from ragtui.dataset.writing import CannotWrite

FORMS = tuple(WRITERS)
FULL: dict[str, Any] = {
    "set.toml": 'name = "x"\ngrade_scale = [0, 1, 2, 3]\n',
    "corpus.jsonl": [
        {"_id": "a#1", "title": "A", "text": "alpha", "metadata": {"page": 1}},
        {"_id": "b#1", "title": "", "text": "beta"},
        {"_id": "c#1", "title": "", "text": "gamma\nand more"},
        {"_id": "d#1", "title": "", "text": "never"},
    ],
    "queries.jsonl": [
        {
            "_id": "q1",
            "text": "one\tor two?",
            "metadata": {"type": "direct", "reference": "r", "tags": ["x"]},
        },
        {"_id": "q2", "text": "two?"},
        {"_id": "q3", "text": "three?", "metadata": {"answerable": False}},
    ],
    "qrels/dev.jsonl": [
        {"query_id": "q1", "chunk_id": "a#1", "grade": 3, "reason": "says it", "group": "g"},
        {"query_id": "q1", "chunk_id": "b#1", "grade": 1, "role": "distractor"},
    ],
    "qrels/test.jsonl": [{"query_id": "q2", "chunk_id": "c#1", "grade": 2.5}],
    "splits.jsonl": [{"query_id": q, "split": s} for q, s in (("q1", "dev"), ("q2", "test"), ("q3", "test"))],
    "runs/x.jsonl": [
        {
            "query_id": "q1",
            "results": [{"chunk_id": "b#1", "score": 0.75}, {"chunk_id": "a#1", "score": 0.5}],
            "stages": {"prompt": ["b#1"]},
            "latency_ms": 5,
            "answer": "yes",
        },
        {"query_id": "q2", "results": [{"chunk_id": "c#1", "score": 1.0}]},
        {"query_id": "q3", "results": []},
    ],
}


@pytest.fixture
def full(folder: Callable[[Mapping[str, Any]], Path]) -> EvaluationSet:
    return open_set(folder(FULL))


def lists_of(found: EvaluationSet, run: str = "x") -> dict[str, list[str]]:
    lists = found.runs[run].lists
    return {one: lists.list_of(one)[0] for one in lists.query_ids}


def pairs_of(found: EvaluationSet) -> set[tuple[str, str, float]]:
    return set(found.gold[["query_id", "chunk_id", "grade"]].itertuples(index=False, name=None))


def kinds(found: EvaluationSet, form: str) -> dict[str, Any]:
    return {fault.kind: dict(fault.values).get("n") for fault in losses(found, form)}


def test_native_loses_nothing(full: EvaluationSet, tmp_path: Path) -> None:
    assert kinds(full, "native") == {}
    WRITERS["native"](full, tmp_path / "out")
    assert open_set(tmp_path / "out").hashes == full.hashes


def test_trec_round_trip(full: EvaluationSet, tmp_path: Path) -> None:
    assert kinds(full, "trec") == {
        "lost-settings": None,
        "lost-texts": 4,
        "lost-metadata": 4,
        "lost-groups": 1,
        "lost-roles": 1,
        "lost-reasons": 1,
        "fractional-grades": 1,
        "lost-run-parts": 1,
        "lost-empty-lists": 1,
    }
    WRITERS["trec"](full, tmp_path / "out")
    assert (tmp_path / "out/qrels.test.trec").read_text() == "q2 0 c#1 2.5\n"
    assert (tmp_path / "out/run.x.trec").read_text().splitlines()[1] == "q1 Q0 a#1 2 0.5 x"
    found = open_set(tmp_path / "out")
    assert found.queries["text"].to_list() == ["one or two?", "two?", "three?"]
    assert pairs_of(found) == pairs_of(full)
    assert found.query_split.to_dict() == full.query_split.to_dict()
    assert lists_of(found) == {"q1": ["b#1", "a#1"], "q2": ["c#1"]}


def test_beir_round_trip(full: EvaluationSet, tmp_path: Path) -> None:
    assert set(kinds(full, "beir")) == {
        "lost-settings",
        "lost-groups",
        "lost-roles",
        "lost-reasons",
        "fractional-grades",
        "lost-run-parts",
    }
    WRITERS["beir"](full, tmp_path / "out")
    assert json.loads((tmp_path / "out/runs/x.json").read_text())["q1"] == {"b#1": 0.75, "a#1": 0.5}
    found = open_set(tmp_path / "out")
    assert (found.hashes.corpus, found.hashes.queries) == (full.hashes.corpus, full.hashes.queries)
    assert found.queries.drop(columns="core").equals(full.queries.drop(columns="core"))
    assert pairs_of(found) == pairs_of(full)
    assert lists_of(found) == lists_of(full)


def test_ragas_round_trip(full: EvaluationSet, tmp_path: Path) -> None:
    assert kinds(full, "ragas") == {
        "lost-settings": None,
        "lost-splits": 2,
        "lost-chunks": 1,
        "lost-metadata": 2,
        "lost-groups": 1,
        "lost-roles": 1,
        "lost-reasons": 1,
        "lost-grades": 1,
        "lost-run-parts": 1,
    }
    WRITERS["ragas"](full, tmp_path / "out")
    first = json.loads((tmp_path / "out/x.jsonl").read_text().splitlines()[0])
    assert first == {
        "query_id": "q1",
        "user_input": "one\tor two?",
        "retrieved_contexts": ["beta", "alpha"],
        "retrieved_context_ids": ["b#1", "a#1"],
        "retrieved_scores": [0.75, 0.5],
        "response": "yes",
        "reference_contexts": ["alpha"],
        "reference_context_ids": ["a#1"],
        "reference": "r",
    }
    found = open_set(tmp_path / "out/x.jsonl")
    assert found.hashes.queries == full.hashes.queries
    assert lists_of(found) == lists_of(full)
    assert found.runs["x"].lists.list_of("q1")[1].tolist() == [0.75, 0.5]
    assert {(q, c) for q, c, _ in pairs_of(found)} == {("q1", "a#1"), ("q2", "c#1")}
    assert found.queries["answerable"].to_list() == [None, None, False]
    assert found.runs["x"].answers is not None


def test_parquet_round_trip(full: EvaluationSet, tmp_path: Path) -> None:
    assert set(kinds(full, "parquet")) == {"lost-settings", "lost-run-parts", "lost-empty-lists"}
    WRITERS["parquet"](full, tmp_path / "out")
    found = open_set(tmp_path / "out")
    assert found.hashes == full.hashes
    assert found.query_split.to_dict() == full.query_split.to_dict()
    assert found.queries["tags"].to_list() == full.queries["tags"].to_list()
    assert lists_of(found) == {"q1": ["b#1", "a#1"], "q2": ["c#1"]}


def test_a_set_without_runs_corpus_and_gold(tmp_path: Path, folder: Any) -> None:
    bare = open_set(folder({"queries.jsonl": [{"_id": "q1", "text": "one?"}]}))
    for form in FORMS:
        WRITERS[form](bare, tmp_path / form)
    assert open_set(tmp_path / "beir").queries.index.to_list() == ["q1"]
    assert json.loads((tmp_path / "ragas/questions.jsonl").read_text()) == {
        "query_id": "q1",
        "user_input": "one?",
    }


def run_of(folder: Any, good: dict[str, Any], results: list[Any]) -> EvaluationSet:
    return open_set(folder({**good, "runs/bm25.jsonl": [{"query_id": "q1", "results": results}]}))


def test_scores_that_say_another_order_are_replaced_by_places(folder: Any, good: Any, tmp_path: Path) -> None:
    found = run_of(folder, good, [["a#1", 0.1], ["b#1", 0.9], ["c#1", 0.5], ["b#1", 0.2]])
    assert kinds(found, "trec")["lost-repeats"] == 1
    assert "replaced-scores" in kinds(found, "trec")
    WRITERS["trec"](found, tmp_path / "out")
    assert (tmp_path / "out/run.bm25.trec").read_text().splitlines() == [
        "q1 Q0 a#1 1 3 bm25",
        "q1 Q0 b#1 2 2 bm25",
        "q1 Q0 c#1 3 1 bm25",
    ]
    WRITERS["beir"](found, tmp_path / "beir")
    assert lists_of(open_set(tmp_path / "beir"), "bm25") == {"q1": ["a#1", "b#1", "c#1"]}


def test_distances_are_negated(folder: Any, good: Any, tmp_path: Path) -> None:
    listed = [{"chunk_id": "a#1", "distance": 0.25}, {"chunk_id": "b#1", "distance": 0.5}]
    found = run_of(folder, good, listed)
    assert "negated-scores" in kinds(found, "trec")
    WRITERS["trec"](found, tmp_path / "out")
    assert (tmp_path / "out/run.bm25.trec").read_text().split()[4] == "-0.25"
    assert lists_of(open_set(tmp_path / "out"), "bm25") == {"q1": ["a#1", "b#1"]}


def test_of_several_grades_the_most_frequent_counts_and_then_the_lower() -> None:
    """As `GoldTable.from_frame` decides for all metrics; worked out by hand."""
    rows = [("a", 2), ("a", 1), ("a", 2), ("b", 3), ("b", 1), ("c", 1)]
    gold = pd.DataFrame(
        {
            "query_id": "q",
            "chunk_id": [chunk for chunk, _ in rows],
            "grade": [float(grade) for _, grade in rows],
            "annotator": [str(place) for place in range(len(rows))],
            "split": None,
        }
    )
    decided, differed = one_grade_each(gold)
    assert differed == 2
    assert dict(zip(decided["chunk_id"], decided["grade"], strict=True)) == {"a": 2.0, "b": 1.0, "c": 1.0}


@pytest.mark.parametrize("one", ["a b", "a\tb", "#a", " a", "a\u3000b"])
def test_ids_that_trec_cannot_hold_are_refused(folder: Any, good: Any, tmp_path: Path, one: str) -> None:
    good["queries.jsonl"] = [
        {"_id": one, "text": "x"},
        {"_id": "q1", "text": "y"},
        {"_id": "q2", "text": "z"},
    ]
    with pytest.raises(CannotWrite, match="TREC"):
        WRITERS["trec"](open_set(folder(good)), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_ids_that_a_table_cannot_hold_are_refused(folder: Any, good: Any, tmp_path: Path) -> None:
    del good["qrels/test.tsv"]
    good["qrels/test.jsonl"] = [{"query_id": "q1", "chunk_id": "a\tb", "grade": 1}]
    good["corpus.jsonl"].append({"_id": "a\tb", "text": "x"})
    with pytest.raises(CannotWrite, match="tab"):
        WRITERS["beir"](open_set(folder(good)), tmp_path / "out")


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_left_of_a_folder_that_cannot_be_written(
    full: EvaluationSet, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    monkeypatch.setattr("pyarrow.parquet.write_table", fails)
    with pytest.raises(CannotWrite, match="No space left"):
        WRITERS[form](full, tmp_path / "out")
    assert [entry.name for entry in tmp_path.iterdir()] == ["set"]
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/x").write_text("x")
    with pytest.raises(CannotWrite, match="not empty"):
        WRITERS[form](full, tmp_path / "taken")


def test_frames(full: EvaluationSet) -> None:
    tables = frames(full)
    assert tables.queries[["query_id", "split"]].values.tolist() == [
        ["q1", "dev"],
        ["q2", "test"],
        ["q3", "test"],
    ]
    assert tables.chunks["chunk_id"].to_list() == ["a#1", "b#1", "c#1", "d#1"]
    assert len(tables.gold) == 3
    assert tables.results.values.tolist() == [
        ["x", "q1", 1, "b#1", 0.75],
        ["x", "q1", 2, "a#1", 0.5],
        ["x", "q2", 1, "c#1", 1.0],
    ]
    tables.gold["grade"] = 0.0
    assert full.gold["grade"].max() == 3.0


def test_every_form_and_every_loss_has_words(full: EvaluationSet) -> None:
    assert [one.name for one in EXPORT_NAMES] == list(WRITERS)
    for language in messages.LANGUAGES:
        for form in FORMS:
            assert messages.t(f"dataset.export.{form}", language)
            for fault in losses(full, form):
                assert messages.t(f"dataset.fault.{fault.kind}", language, **dict(fault.values))


@pytest.mark.parametrize("name", ["cranfield", "squad2_cs224n", "rgb"])
def test_public_sets_come_back(shared: Path, tmp_path: Path, name: str) -> None:
    found = open_set(shared / "data" / name)
    for form in ("trec", "beir", "parquet"):
        WRITERS[form](found, tmp_path / form)
        copy = open_set(tmp_path / form)
        assert pairs_of(copy) == pairs_of(found), form
        for run in found.runs:
            kept = {one: listed for one, listed in lists_of(copy, run).items() if listed}
            assert kept == {one: list(dict.fromkeys(ids)) for one, ids in lists_of(found, run).items() if ids}
