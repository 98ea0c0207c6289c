"""AutoRAG's Parquet files: nested gold, and results that belong to the questions by their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.reading import check, is_set, open_set

Rows = Sequence[Mapping[str, Any]]

QUESTIONS: Rows = [
    {"qid": "q1", "query": "one?", "retrieval_gt": [["a", "b"], ["c"]], "generation_gt": ["x", "y"]},
    {"qid": "q2", "query": "two?", "retrieval_gt": [["c"]], "generation_gt": ["z"]},
]
CORPUS: Rows = [{"doc_id": one, "contents": f"text of {one}", "metadata": {"path": "p"}} for one in "abc"]
RESULT: Rows = [
    {"retrieved_ids": ["b", "a", "a"], "retrieve_scores": [3.0, 2.0, 2.0], "retrieval_recall": 0.5},
    {"retrieved_ids": ["a", "c"], "retrieve_scores": [1.0, 0.5], "retrieval_recall": 1.0},
]


def made(folder: Path, files: Mapping[str, Rows]) -> Path:
    for name, rows in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(list(rows)), folder / name)
    return folder


ALL: Mapping[str, Rows] = {
    "qa.parquet": QUESTIONS,
    "corpus.parquet": CORPUS,
    "result_lexical_retrieval__0.parquet": RESULT,
}


def kinds(found: EvaluationSet) -> list[str]:
    return [fault.kind for fault in found.warnings]


def test_a_folder(tmp_path: Path) -> None:
    here = made(tmp_path / "project", ALL)
    assert is_set(here)
    found = open_set(here)
    assert found.format == "autorag"
    assert found.gold[["query_id", "chunk_id", "group"]].values.tolist() == [
        ["q1", "a", "g1"],
        ["q1", "b", "g1"],
        ["q1", "c", "g2"],
        ["q2", "c", "g1"],
    ]
    assert found.queries["reference"].to_list() == ["x", "z"]
    assert (found.chunks["text"].iloc[0], found.chunks["path"].iloc[0]) == ("text of a", "p")
    ids, scores = found.runs["lexical_retrieval"].lists.list_of("q1")
    assert (ids, scores.tolist()) == (["b", "a", "a"], [3.0, 2.0, 2.0])
    assert kinds(found) == ["joined-by-position", "known-chunks"]


def test_a_project_with_a_trial(tmp_path: Path) -> None:
    node = "0/retrieve_node_line/semantic_retrieval"
    files = {
        "data/qa.parquet": QUESTIONS,
        "data/corpus.parquet": CORPUS,
        f"{node}/0.parquet": RESULT,
        f"{node}/1.parquet": RESULT,
        f"{node}/best_1.parquet": RESULT,
    }
    here = made(tmp_path / "project", files)
    (here / "trial.json").write_text("[]")
    assert list(open_set(here).runs) == ["semantic_retrieval-0", "semantic_retrieval-1"]


@pytest.mark.parametrize(
    ("gold", "groups"),
    [
        ("a", {"a": "g1"}),
        (["a", "b"], {"a": "g1", "b": "g1"}),
        ([["a"], ["b"]], {"a": "g1", "b": "g2"}),
        ([[]], {}),
        ([], {}),
    ],
)
def test_gold_that_is_not_nested_is_one_group(tmp_path: Path, gold: object, groups: dict[str, str]) -> None:
    table = pa.table({"qid": ["q1"], "query": ["one?"], "generation_gt": [["x"]], "retrieval_gt": [gold]})
    pq.write_table(table, tmp_path / "qa.parquet")
    found = open_set(tmp_path / "qa.parquet").gold
    assert dict(zip(found["chunk_id"], found["group"], strict=True)) == groups


def test_two_candidates_are_asked_about(tmp_path: Path) -> None:
    here = made(tmp_path / "x", {**ALL, "qa2.parquet": QUESTIONS[:1], "corpus2.parquet": CORPUS})
    found = {fault.kind: fault for fault in check(here).of("error")}
    assert set(found) == {"several-queries", "several-corpora"}
    assert "qa.parquet, qa2.parquet" in found["several-queries"].what
    assert "--queries" in found["several-queries"].mend
    assert "--corpus" in found["several-corpora"].mend
    named = open_set(here, queries=here / "qa.parquet", corpus=here / "corpus.parquet")
    assert list(named.runs) == ["lexical_retrieval"]
    # results of other questions of the folder are left out, and that is said
    other = open_set(here, queries=here / "qa2.parquet", corpus=here / "corpus.parquet")
    assert (list(other.runs), kinds(other)) == ([], ["rows-of-other-queries"])


def test_rows_that_do_not_line_up_are_refused(tmp_path: Path) -> None:
    here = made(tmp_path / "x", {**ALL, "result_bm25.parquet": RESULT[:1]})
    found = check(here).of("error")
    assert [fault.kind for fault in found] == ["rows-do-not-line-up"]
    assert "1 rows for 2 queries" in found[0].what


def test_results_with_query_ids_join_by_them(tmp_path: Path) -> None:
    rows = [{"qid": "q2", "retrieved_ids": ["c"]}]
    here = made(tmp_path / "x", {**ALL, "result_lexical_retrieval__0.parquet": rows})
    found = open_set(here)
    assert found.runs["lexical_retrieval"].lists.query_ids.tolist() == ["q2"]
    assert "joined-by-position" not in kinds(found)


def test_results_in_another_order_are_noticed_by_their_recall(tmp_path: Path) -> None:
    here = made(tmp_path / "x", {**ALL, "result_lexical_retrieval__0.parquet": [RESULT[1], RESULT[0]]})
    assert "recall-of-other-rows" in kinds(open_set(here))


def test_results_that_are_named(tmp_path: Path) -> None:
    here = made(tmp_path, ALL)
    result = here / "result_lexical_retrieval__0.parquet"
    found = open_set(here / "qa.parquet", runs={"bm25": result})
    assert found.runs["bm25"].lists.lengths.tolist() == [3, 2]
    assert [fault.kind for fault in check(result).of("error")] == ["results-without-queries"]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"retrieved_ids": None}, "missing-field"),
        ({"retrieved_ids": ["a"], "retrieve_scores": [1.0, 2.0]}, "scores-do-not-fit"),
        ({"retrieved_ids": ["a"], "retrieved_contents": []}, "scores-do-not-fit"),
        ({"retrieved_ids": [None]}, "empty-id"),
        ({"retrieved_ids": ["a"], "retrieve_scores": [float("nan")]}, "not-finite"),
        ({"qid": "q1", "retrieved_ids": ["a"]}, "query-twice-in-run"),
    ],
)
def test_faults_of_results(tmp_path: Path, row: dict[str, Any], kind: str) -> None:
    first = {"retrieved_ids": ["a"], **({"qid": "q1"} if "qid" in row else {})}
    rows = [{**dict.fromkeys(row), **first}, row]
    here = made(tmp_path / "x", {**ALL, "result_lexical_retrieval__0.parquet": rows})
    found = check(here).of("error")
    assert [(fault.kind, fault.line) for fault in found] == [(kind, 2)]


def test_the_public_sample(shared: Path) -> None:
    here = shared / "data/autorag_sample"
    assert {fault.kind for fault in check(here).of("error")} == {"several-queries", "several-corpora"}
    corpus = here / "corpus_data_sample.parquet"
    found = open_set(here, queries=here / "qa_data_sample.parquet", corpus=corpus)
    assert (len(found.queries), len(found.chunks), len(found.gold)) == (10, 30, 10)
    nodes = ["hybrid_retrieval", "lexical_retrieval", "passage_reranker", "semantic_retrieval"]
    assert list(found.runs) == nodes
    assert [run.lists.lengths.tolist() for run in found.runs.values()] == [
        [8] * 10,
        [10] * 10,
        [5] * 10,
        [10] * 10,
    ]
    assert set(kinds(found)) == {"joined-by-position", "known-chunks"}
    # the data's own note: reciprocal rank of the first gold position, repeats left in, is .95, .95, 1 and 1
    gold = dict(zip(found.gold["query_id"], found.gold["chunk_id"], strict=True))
    ranks = {
        name: [1 / (1 + run.lists.list_of(one)[0].index(gold[one])) for one in found.queries.index]
        for name, run in found.runs.items()
    }
    assert {name: sum(values) / 10 for name, values in ranks.items()} == {
        "hybrid_retrieval": 0.95,
        "lexical_retrieval": 0.95,
        "passage_reranker": 1.0,
        "semantic_retrieval": 1.0,
    }
    second = open_set(
        here,
        queries=here / "dataset_sample_gen_by_autorag__qa.parquet",
        corpus=here / "dataset_sample_gen_by_autorag__corpus.parquet",
    )
    assert (len(second.queries), len(second.chunks), len(second.gold), list(second.runs)) == (20, 55, 20, [])
