"""What is written reads back equal, and is there whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui import atomic
from ragtui.dataset.model import EvaluationSet, RankedLists, Run, RunCard
from ragtui.dataset.reading import open_set
from ragtui.dataset.writing import CannotWrite, write_native, write_run, write_snapshot

HEADER = "query-id\tcorpus-id\tscore\n"


def assert_equal(left: EvaluationSet, right: EvaluationSet) -> None:
    """All tables, runs and settings are the same; paths and formats may differ."""
    pd.testing.assert_frame_equal(left.queries, right.queries)
    pd.testing.assert_frame_equal(left.chunks, right.chunks)
    key = ["split", "query_id", "chunk_id", "annotator"]
    pd.testing.assert_frame_equal(
        left.gold.sort_values(key, ignore_index=True), right.gold.sort_values(key, ignore_index=True)
    )
    pd.testing.assert_series_equal(left.query_split, right.query_split)
    assert left.settings == right.settings
    assert left.hashes == right.hashes
    assert list(left.runs) == list(right.runs)
    for name in left.runs:
        assert_equal_runs(left.runs[name], right.runs[name])


def assert_equal_runs(left: Run, right: Run) -> None:
    assert lists_of(left.lists) == lists_of(right.lists)
    assert {stage: lists_of(lists) for stage, lists in left.stages.items()} == {
        stage: lists_of(lists) for stage, lists in right.stages.items()
    }
    assert (left.card.fields if left.card else None) == (right.card.fields if right.card else None)
    assert left.direction == right.direction
    assert left.errors == right.errors
    for mine, other in (
        (left.latency_ms, right.latency_ms),
        (left.answers, right.answers),
        (left.routes, right.routes),
    ):
        assert (mine is None) == (other is None)
        if mine is not None and other is not None:
            pd.testing.assert_frame_equal(mine, other)


def lists_of(lists: RankedLists) -> dict[str, list[tuple[str, str]]]:
    """Every list with its scores as text, in which NaN equals NaN."""
    found = {}
    for query_id in lists.query_ids:
        chunk_ids, scores = lists.list_of(query_id)
        found[query_id] = list(zip(chunk_ids, map(repr, scores.tolist()), strict=True))
    return found


def full(folder: Any) -> Path:
    """A native set that uses every field there is."""
    path: Path = folder(
        {
            "set.toml": 'name = "full"\ngrade_scale = [0, 1, 2, 3]\nk = [1, 5]\nrelevant_from = 2\n'
            '[targets]\n"ndcg@10" = 0.5\n[causes]\nodd = "odd one"\n',
            "corpus.jsonl": [
                {
                    "_id": "a#1",
                    "title": "甲",
                    "text": "线\u2028行",
                    "metadata": {"doc_id": "A", "page": 3, "tags": ["x"]},
                },
                {"_id": "../etc/b", "title": "", "text": "[/b] \u001b[31m\u0000"},
                {"_id": "c#1", "text": "gamma", "metadata": {"metadata.text": "odd"}},
            ],
            "queries.jsonl": [
                {
                    "_id": "q/1",
                    "text": "first?",
                    "metadata": {"type": "direct", "core": True, "answerable": True},
                },
                {"_id": "007", "text": "second?", "metadata": {"reference": "beta", "text": "odd"}},
                {"_id": "q3", "text": "third?", "metadata": {"answerable": False, "status": "active"}},
            ],
            "qrels/dev.jsonl": [
                {
                    "query_id": "q/1",
                    "chunk_id": "a#1",
                    "grade": 3,
                    "reason": "r",
                    "annotator": "x",
                    "group": "g1",
                },
                {"query_id": "q/1", "chunk_id": "a#1", "grade": 2.5, "annotator": "y"},
                {"query_id": "q/1", "chunk_id": "c#1", "grade": 0, "role": "distractor"},
            ],
            "qrels/test.tsv": HEADER + "007\t../etc/b\t2\n",
            "splits.jsonl": [
                {"query_id": "q/1", "split": "dev"},
                {"query_id": "007", "split": "test"},
                {"query_id": "q3", "split": "dev"},
            ],
            "runs/a.jsonl": [
                {
                    "query_id": "q/1",
                    "results": [{"chunk_id": "a#1", "score": 0.1, "routes": {"x": 2}}, {"chunk_id": "c#1"}],
                    "stages": {"prompt": ["a#1"]},
                    "latency_ms": {"retrieve": 1.5, "rerank": 2},
                    "answer": "alpha",
                    "answer_correct": False,
                },
                {"query_id": "007", "error": "timeout"},
                {"query_id": "q3", "results": [], "latency_ms": {"retrieve": 4}},
            ],
            "runs/a.toml": 'depth = 10\nmodel = "m"\n[index]\nkind = "exact"\n',
            "runs/b.jsonl": [
                {"query_id": "q/1", "results": [{"chunk_id": "a#1", "distance": 0.1}], "latency_ms": 3}
            ],
        }
    )
    return path


def test_a_full_set_reads_back_equal(folder: Any, tmp_path: Path) -> None:
    first = open_set(full(folder))
    write_native(first, tmp_path / "copy")
    second = open_set(tmp_path / "copy")
    assert second.format == "native"
    assert_equal(first, second)


@pytest.mark.parametrize(
    "files",
    [
        {
            "qrels.trec": "q1 0 A 1\nq2 0 B 0\n",
            "run.x.trec": "q1 Q0 B 1 .5 t\nq1 Q0 A 2 .5 t\nq2 Q0 A 1 .1 t\n",
        },
        {
            "qrels.csv": "query_id,doc_id,relevance\nq1,A,0.5\n",
            "run.csv": "query_id,doc_id,rank\nq1,B,2\nq1,A,1\n",
        },
        {
            "gold.jsonl": [{"qid": "q1", "query": "?", "relevant": {"A": 2}}],
            "run.json": '{"q1": {"A": 1, "B": 2}}',
        },
        {
            "gold.jsonl": [
                {"qid": "q1", "query": "?", "gold_evidence_sets": [["A", "B"]], "distractors": ["C"]}
            ]
        },
        {
            "qrels/a.tsv": HEADER + "q1\tA\t1\n",
            "qrels/b.tsv": HEADER + "q2\tA\t1\n",
            "queries.jsonl": [{"_id": f"q{n}", "text": str(n)} for n in (1, 2, 3)],
        },
        {
            "gold.jsonl": [{"qid": "q1", "query": "?", "relevant": {"A": 1}}],
            "run.jsonl": [{"qid": "q1", "hits": [{"id": "A", "distance": 1.5, "text": "alpha"}]}],
        },
    ],
)
def test_every_format_reads_back_equal(folder: Any, tmp_path: Path, files: dict[str, Any]) -> None:
    first = replace(open_set(folder(files)))
    write_native(first, tmp_path / "copy")
    assert_equal(first, open_set(tmp_path / "copy"))


def test_plain_gold_is_written_as_beir_has_it(folder: Any, good: dict[str, Any], tmp_path: Path) -> None:
    write_native(open_set(folder(good)), tmp_path / "copy")
    assert (tmp_path / "copy/qrels/test.tsv").read_text() == good["qrels/test.tsv"]
    assert not (tmp_path / "copy/splits.jsonl").exists()
    assert not (tmp_path / "copy/set.toml").exists()


def test_a_folder_that_is_not_empty_is_left_alone(folder: Any, good: dict[str, Any], tmp_path: Path) -> None:
    found = open_set(folder(good))
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    with pytest.raises(CannotWrite, match="not empty"):
        write_native(found, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    with pytest.raises(CannotWrite, match="no folder"):
        write_native(found, tmp_path / "full/mine.txt")
    (tmp_path / "empty").mkdir()
    write_native(found, tmp_path / "empty")
    assert (tmp_path / "empty/queries.jsonl").is_file()


def test_a_write_that_fails_leaves_nothing(
    folder: Any, good: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = open_set(folder(good))
    before = sorted(tmp_path.iterdir())

    def full_disk(path: Path, content: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(atomic, "write_text", full_disk)
    with pytest.raises(CannotWrite, match="No space left"):
        write_native(found, tmp_path / "copy")
    assert sorted(tmp_path.iterdir()) == before


def a_run(name: str = "mine") -> Run:
    return Run(name, RankedLists.from_lists({"q1": ["a#1"]}, {"q1": [1.0]}), card=RunCard({"depth": 3}))


def test_a_run_is_written_beside_others(folder: Any, good: dict[str, Any]) -> None:
    here = folder(good)
    path = write_run(a_run(), here / "runs")
    assert path == here / "runs/mine.jsonl"
    run = open_set(here).runs["mine"]
    assert run.depth == 3
    assert run.lists.list_of("q1")[0] == ["a#1"]


def test_a_run_is_replaced_only_on_demand(tmp_path: Path) -> None:
    write_run(a_run(), tmp_path)
    with pytest.raises(CannotWrite, match="already"):
        write_run(a_run(), tmp_path)
    write_run(a_run(), tmp_path, replace=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.jsonl", "mine.toml"]


@pytest.mark.parametrize("name", ["../mine", "a/b", "", "."])
def test_the_name_of_a_run_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotWrite):
        write_run(a_run(name), tmp_path / "runs")
    assert list(tmp_path.iterdir()) == []


def test_values_without_a_form_are_refused(tmp_path: Path) -> None:
    run = replace(a_run(), card=RunCard({"depth": 3, "odd": object()}))
    with pytest.raises(CannotWrite):
        write_run(run, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_snapshot_names_what_changed(folder: Any, good: dict[str, Any]) -> None:
    here = folder(good)
    write_snapshot(open_set(here), {"size": 300})
    frozen = json.loads((here / "snapshot.json").read_text())
    assert frozen["counts"] == {
        "documents": 3,
        "chunks": 3,
        "queries": 2,
        "retired": 0,
        "gold": 2,
        "splits": {"test": 2},
    }
    assert frozen["parameters"] == {"size": 300}
    assert {fault.severity for fault in open_set(here).warnings} == {"note"}
    (here / "qrels/test.tsv").write_text(HEADER + "q1\ta#1\t2\nq2\tb#1\t1\n")
    assert [fault.kind for fault in open_set(here).warnings if fault.severity == "warning"] == [
        "changed-gold"
    ]


def test_only_a_folder_is_frozen(folder: Any) -> None:
    here = folder({"q.trec": "q1 0 A 1\n"})
    with pytest.raises(CannotWrite):
        write_snapshot(open_set(here / "q.trec"))


def test_hashes_do_not_depend_on_the_order_of_rows(folder: Any, good: dict[str, Any], tmp_path: Path) -> None:
    first = open_set(folder(good)).hashes
    good["queries.jsonl"] = good["queries.jsonl"][::-1]
    good["corpus.jsonl"] = good["corpus.jsonl"][::-1]
    good["qrels/test.tsv"] = HEADER + "q2\tb#1\t1.0\nq1\ta#1\t1\n"
    assert open_set(folder(good)).hashes == first
    good["corpus.jsonl"][0]["text"] += "."
    changed = open_set(folder(good)).hashes
    assert changed.corpus != first.corpus
    assert (changed.queries, changed.gold) == (first.queries, first.gold)


def test_a_hash_is_that_of_its_canonical_lines(folder: Any, good: dict[str, Any]) -> None:
    import hashlib

    lines = b'["q1","first?"]\n["q2","second?"]\n'
    assert open_set(folder(good)).hashes.queries == hashlib.sha256(lines).hexdigest()


def test_scores_that_are_not_there_are_not_written(tmp_path: Path) -> None:
    run = Run("x", RankedLists.from_lists({"q1": ["A", "B"]}, {"q1": [1.0, np.nan]}))
    written = write_run(run, tmp_path).read_text()
    assert json.loads(written)["results"] == [{"chunk_id": "A", "score": 1.0}, {"chunk_id": "B"}]
