"""The folders and files people have, with the names they chose."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragtui.dataset.faults import BadInput
from ragtui.dataset.reading import open_pair, open_set


def kinds(found: Any) -> set[str]:
    return {fault.kind for fault in found.warnings}


def test_gold_that_stands_inside_the_queries(folder: Any) -> None:
    files = {
        "gold.jsonl": [
            {"query_id": "q1", "query": "one?", "relevant": {"A": 2, "B": 0}},
            {"query_id": "q2", "query": "two?", "gold_doc_ids": ["C"], "answerable": "yes"},
            {"query_id": "q3", "query": "three?", "relevant": [{"id": "D", "grade": 1, "reason": "says so"}]},
            {"query_id": "q4", "query": "four?", "gold_doc_ids": [], "answerable": False},
            {"query_id": "q5", "query": "five?", "relevant": "E"},
        ],
        "run.jsonl": [{"query_id": "q1", "retrieved": [{"doc_id": "A", "score": 1.0}]}],
    }
    found = open_set(folder(files))
    assert found.format == "loose"
    assert found.splits == ("all",)
    assert found.gold[["query_id", "chunk_id", "grade", "reason"]].values.tolist() == [
        ["q1", "A", 2.0, ""],
        ["q1", "B", 0.0, ""],
        ["q2", "C", 1.0, ""],
        ["q3", "D", 1.0, "says so"],
        ["q5", "E", 1.0, ""],
    ]
    assert found.queries["answerable"].to_list() == [None, True, None, False, None]
    assert found.query_split["q4"] == "all"


def test_evidence_sets_are_groups_and_distractors_keep_their_role(folder: Any) -> None:
    files = {
        "queries.jsonl": [
            {
                "qid": "q1",
                "question": "both?",
                "gold_doc_ids": ["A", "B", "C"],
                "gold_evidence_sets": [["A", "B"], ["C"]],
                "distractor_doc_ids": ["X", "X", "Y"],
            }
        ]
    }
    gold = open_set(folder(files)).gold
    assert gold[["chunk_id", "grade", "group", "role"]].values.tolist() == [
        ["A", 1.0, "g1", None],
        ["B", 1.0, "g1", None],
        ["C", 1.0, "g2", None],
        ["X", 0.0, None, "distractor"],
        ["Y", 0.0, None, "distractor"],
    ]


def test_a_gold_file_beats_inline_gold_and_keeps_what_agrees(folder: Any) -> None:
    files = {
        "queries.jsonl": [
            {
                "query_id": "q1",
                "query": "both?",
                "gold_evidence_sets": [["A"], ["B"]],
                "distractors": ["X", "B2"],
                "answerable": True,
            },
        ],
        "qrels.trec": "q1 0 A 3\nq1 0 B2 1\n",
    }
    found = open_set(folder(files))
    # B is not in the file, so it is no gold; B2 is relevant there, so it is no distractor
    assert found.gold[["chunk_id", "grade", "group", "role"]].values.tolist() == [
        ["A", 3.0, "g1", None],
        ["B2", 1.0, None, None],
        ["X", 0.0, None, "distractor"],
    ]
    assert [fault.kind for fault in found.warnings].count("gold-file-beats-inline") == 1
    assert "distractor-is-relevant" in kinds(found)
    assert found.queries["answerable"].to_list() == [True]


def test_gold_rows_in_csv_beside_queries_with_gold(folder: Any) -> None:
    files = {
        "gold.jsonl": b"\xef\xbb\xbf" + b'{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}\n',
        "gold.csv": b"\xef\xbb\xbfquery_id,doc_id,relevance\r\nq1,A,2\r\n",
    }
    found = open_set(folder(files))
    assert found.queries["text"].to_list() == ["one?"]
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [["q1", "A", 2.0]]


def test_texts_in_results_are_the_corpus_where_there_is_none(folder: Any) -> None:
    files = {
        "gold.jsonl": [{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}],
        "run_x.jsonl": [
            {"query_id": "q1", "hits": [{"id": "A", "text": "first", "title": "T"}, {"id": "B"}]}
        ],
        "run_y.jsonl": [
            {"query_id": "q1", "docs": [{"id": "A", "text": "other"}]},
        ],
    }
    found = open_set(folder(files))
    assert list(found.runs) == ["x", "y"]
    assert found.chunks[["title", "text"]].values.tolist() == [["T", "first"]]
    assert "run-chunk-with-two-texts" in kinds(found)


def test_distance_means_lower_is_better(folder: Any) -> None:
    files = {
        "gold.jsonl": [{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}],
        "run.a.jsonl": [{"query_id": "q1", "retrieved": [{"doc_id": "A", "distance": 0.1}]}],
        "run.b.jsonl": [{"query_id": "q1", "retrieved": [{"doc_id": "A", "score": 0.1}]}],
        "run.c.csv": "qid,docid,rank,distance\nq1,B,2,.3\nq1,A,1,.2\n",
    }
    runs = open_set(folder(files)).runs
    assert {name: run.direction for name, run in runs.items()} == {"a": "lower", "b": "higher", "c": "lower"}
    chunk_ids, scores = runs["c"].lists.list_of("q1")
    assert (chunk_ids, scores.tolist()) == (["A", "B"], [0.2, 0.3])


@pytest.mark.parametrize(
    "results",
    [
        {"results": ["A", "B"]},
        {"retrieved": [["A", 2.0], ["B", 1.0]]},
        {"hits": [{"docid": "A", "similarity": 2.0}, {"docid": "B", "similarity": 1.0}]},
        {"contexts": [{"chunk_id": "A", "text": "x"}, {"chunk_id": "B", "text": "y"}]},
        {"retrieved_ids": ["A", "B"], "scores": [2.0, 1.0]},
        {"docs": [{"_id": "A", "score": None}, {"_id": "B", "score": 1, "extra": {}}]},
    ],
)
def test_shapes_of_a_list(folder: Any, results: dict[str, Any]) -> None:
    files = {
        "gold.jsonl": [{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}],
        "run.jsonl": [{"qid": "q1", **results}],
    }
    assert open_set(folder(files)).runs["run"].lists.list_of("q1")[0] == ["A", "B"]


def test_a_null_score_is_allowed_where_the_list_decides(folder: Any) -> None:
    files = {
        "gold.jsonl": [{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}],
        "run.jsonl": [
            {"query_id": "q1", "retrieved": [{"doc_id": "A", "score": None}, {"doc_id": "B", "score": 2}]}
        ],
    }
    scores = open_set(folder(files)).runs["run"].lists.list_of("q1")[1]
    assert np.isnan(scores[0])
    assert scores[1] == 2.0


def test_nested_json_is_ordered_by_score_and_ties_by_place(folder: Any) -> None:
    files = {
        "qrels.json": json.dumps({"q1": {"A": 1, "B": 0}, "q2": ["C"]}),
        "run.x.json": json.dumps({"q1": {"B": 1.0, "A": 3.0, "D": 1.0}, "q2": {}}, indent=1),
    }
    found = open_set(folder(files))
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        ["q1", "A", 1.0],
        ["q1", "B", 0.0],
        ["q2", "C", 1.0],
    ]
    lists = found.runs["x"].lists
    assert lists.list_of("q1")[0] == ["A", "B", "D"]
    assert lists.lengths.tolist() == [3, 0]


def test_a_table_keeps_leading_zeros_and_takes_the_order_of_ranks(folder: Any) -> None:
    files = {
        "qrels.csv": "query_id,doc_id,relevance\nq1,0012,1\n007,12,1\n",
        "run.csv": "query_id,doc_id,rank,score\nq1,0012,3,0.7\nq1,12,1,0.9\nq1,012,2,0.8\n"
        "007,012,1,0.9\n007,12,2,0.8\n",
    }
    lists = open_set(folder(files)).runs["run"].lists
    assert lists.list_of("q1")[0] == ["12", "012", "0012"]
    assert lists.list_of("007")[0] == ["012", "12"]


def test_a_table_without_ranks_is_in_the_order_of_its_lines(folder: Any) -> None:
    files = {
        "qrels.csv": "query_id;doc_id;relevance\nq1;A;1\n",
        "run.csv": "query_id;doc_id;score\nq1;B;1\nq1;A;2\n",
    }
    assert open_set(folder(files)).runs["run"].lists.list_of("q1")[0] == ["B", "A"]


def test_cells_of_several_lines(folder: Any) -> None:
    files = {
        "queries.csv": 'id,question\nq1,"two\n\nlines, and ""quotes"""\n',
        "qrels.csv": "query_id,doc_id,relevance\nq1,A,1\n",
    }
    assert open_set(folder(files)).queries["text"].to_list() == ['two\n\nlines, and "quotes"']


def test_files_may_be_gzipped_whatever_they_are_called(folder: Any) -> None:
    files = {
        "queries.jsonl": gzip.compress(b'{"_id": "q1", "text": "one?"}\n'),
        "qrels.tsv.gz": gzip.compress(b"q1\t0\tA\t1\n"),
        "run.x.trec.gz": gzip.compress(b"q1 Q0 A 1 0.5 x\n"),
    }
    found = open_set(folder(files))
    assert found.queries["text"].to_list() == ["one?"]
    assert found.runs["x"].lists.list_of("q1")[0] == ["A"]


def test_two_runs_of_one_name_are_called_by_their_files(folder: Any) -> None:
    files = {
        "qrels.trec": "q1 0 A 1\n",
        "run.trec": "q1 Q0 A 1 0.5 x\n",
        "run.jsonl": [{"query_id": "q1", "results": ["A"]}],
        "compat.run": "q1 Q0 A 1 0.5 x\n",
        "run2.trec": "q1 Q0 A 1 0.5 x\n",
        "run.sh": "echo no run\n",
        "runs/x.trec": "q1 Q0 A 1 0.5 x\n",
        "runs/x.trec.gz": gzip.compress(b"q1 Q0 A 1 0.5 x\n"),
    }
    runs = open_set(folder(files)).runs
    assert set(runs) == {"run.trec", "run.jsonl", "compat", "run2", "x.trec", "x.trec.gz"}


def test_named_files_take_the_place_of_those_that_are_found(folder: Any, tmp_path: Path) -> None:
    here = folder({"qrels.a": "q1 0 A 1\n", "qrels.b": "q1 0 B 1\n", "system.txt": "q1 Q0 B 1 0.5 x\n"})
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"id": "A", "contents": "alpha"}\n{"id": "B", "contents": "beta"}\n')
    questions = tmp_path / "what.jsonl"
    questions.write_text('{"id": "q1", "question": "one?"}\n')
    found = open_set(
        here, corpus=texts, queries=questions, gold=here / "qrels.b", runs={"mine": here / "system.txt"}
    )
    assert found.chunks["text"].to_list() == ["alpha", "beta"]
    assert found.queries["text"].to_list() == ["one?"]
    assert found.gold["chunk_id"].to_list() == ["B"]
    assert list(found.runs) == ["mine"]


def test_a_bare_pair_is_a_set(folder: Any) -> None:
    here = folder({"q.txt": "q1 0 A 1\nq2 0 B 0\n", "r.txt": "q1 Q0 A 1 0.5 x\nq3 Q0 C 1 0.5 x\n"})
    found = open_pair(here / "q.txt", {"r": here / "r.txt"})
    assert found.queries["text"].to_dict() == {"q1": "", "q2": "", "q3": ""}
    assert found.format == "pair"
    assert found.query_split.to_list() == ["all", "all", "all"]


def test_a_file_of_queries_with_gold_is_a_set(folder: Any) -> None:
    here = folder({"mine.jsonl": [{"query_id": "q1", "query": "one?", "relevant": {"A": 1}}]})
    assert open_set(here / "mine.jsonl").gold["chunk_id"].to_list() == ["A"]


def test_a_run_is_a_set_as_soon_as_gold_is_named(folder: Any) -> None:
    here = folder({"q.txt": "q1 0 A 1\n", "run.x.txt": "q1 Q0 A 1 0.5 x\n"})
    with pytest.raises(BadInput, match="no gold"):
        open_set(here / "run.x.txt")
    assert list(open_set(here / "run.x.txt", gold=here / "q.txt").runs) == ["x"]


def test_several_reference_answers(folder: Any) -> None:
    files = {
        "queries.jsonl": [
            {"query_id": "q1", "query": "one?", "answers": ["first", "second"], "relevant": ["A"]},
            {"query_id": "q2", "query": "two?", "answers": [], "relevant": ["A"]},
            {"query_id": "q3", "query": "three?", "is_impossible": True, "gold_ids": []},
        ]
    }
    queries = open_set(folder(files)).queries
    assert queries["reference"].to_list() == ["first", None, None]
    assert queries.loc["q1", "answers"] == ["first", "second"]
    assert queries["answerable"].to_list() == [None, None, False]
