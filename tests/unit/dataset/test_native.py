"""The native folder, which any BEIR folder is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.dataset.model import CHUNK_COLUMNS, GOLD_COLUMNS, QUERY_COLUMNS
from ragtui.dataset.reading import is_set, open_set


def test_a_beir_folder_opens_as_it_is(folder: Any, good: Mapping[str, Any]) -> None:
    found = open_set(folder(good))
    assert found.format == "native"
    assert found.name == "set"
    assert list(found.queries.index) == ["q1", "q2"]
    assert list(found.queries["text"]) == ["first?", "second?"]
    assert list(found.chunks["title"]) == ["A", "B", "C"]
    assert found.gold[["query_id", "chunk_id", "grade", "split"]].values.tolist() == [
        ["q1", "a#1", 1.0, "test"],
        ["q2", "b#1", 1.0, "test"],
    ]
    assert found.splits == ("test",)
    assert list(found.runs) == ["bm25"]
    chunk_ids, scores = found.runs["bm25"].lists.list_of("q1")
    assert (chunk_ids, scores.tolist()) == (["a#1", "b#1"], [2.0, 1.0])


def test_tables_always_have_their_columns_in_their_types(folder: Any, good: Mapping[str, Any]) -> None:
    found = open_set(folder(good))
    assert tuple(found.queries.columns) == QUERY_COLUMNS
    assert tuple(found.chunks.columns) == CHUNK_COLUMNS
    assert tuple(found.gold.columns) == GOLD_COLUMNS
    assert found.queries["core"].dtype == np.bool_
    assert found.gold["grade"].dtype == np.float64
    assert found.queries["answerable"].to_list() == [None, None]
    assert found.gold[["group", "role"]].isna().all(axis=None)
    assert found.chunks["doc_id"].to_list() == ["a", "b", "c"]


def test_metadata_becomes_columns(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = [
        {
            "_id": "q1",
            "text": "first?",
            "metadata": {
                "type": "direct",
                "answerable": True,
                "core": True,
                "region": "north",
                "text": "odd",
            },
        },
        {
            "_id": "q2",
            "text": "second?",
            "metadata": {"answerable": None, "reference": "beta", "tags": ["x", "y"]},
        },
    ]
    good["corpus.jsonl"] = [
        {"_id": "a#1", "text": "alpha", "metadata": {"doc_id": "A", "version": 2, "section": "s"}},
        {"_id": "b#1", "text": "beta"},
        {"_id": "c#1", "text": "gamma"},
    ]
    found = open_set(folder(good))
    first = found.queries.to_dict("index")["q1"]
    assert [first[name] for name in ("type", "answerable", "core", "region")] == [
        "direct",
        True,
        True,
        "north",
    ]
    assert found.queries.loc["q1", "metadata.text"] == "odd"
    assert found.queries.loc["q2", "reference"] == "beta"
    assert found.queries.loc["q2", "tags"] == ["x", "y"]
    chunk = found.chunks.to_dict("index")["a#1"]
    assert [chunk[name] for name in ("doc_id", "version", "section")] == ["A", 2, "s"]
    assert found.chunks.loc["b#1", "doc_id"] == "b"


def test_gold_in_json_lines_keeps_everything_it_says(folder: Any, good: dict[str, Any]) -> None:
    del good["qrels/test.tsv"]
    good["qrels/dev.jsonl"] = [
        {
            "query_id": "q1",
            "chunk_id": "a#1",
            "grade": 3,
            "reason": "says it",
            "annotator": "ann",
            "group": "g1",
        },
        {"query_id": "q1", "chunk_id": "c#1", "role": "distractor"},
        {"query_id": "q2", "chunk_id": "b#1", "grade": "1.5"},
    ]
    found = open_set(folder(good))
    assert found.gold.iloc[0].to_list() == ["q1", "a#1", 3.0, "says it", "ann", "g1", None, "dev"]
    assert found.gold.iloc[1][["grade", "role"]].to_list() == [0.0, "distractor"]
    assert found.gold.iloc[2]["grade"] == 1.5


def test_a_run_keeps_stages_latency_errors_answers_and_routes(folder: Any, good: dict[str, Any]) -> None:
    good["runs/bm25.jsonl"] = [
        {
            "query_id": "q1",
            "results": [{"chunk_id": "a#1", "score": 2, "routes": {"dense": 4, "bm25": 1}}],
            "stages": {"retrieved": ["a#1", "c#1"], "prompt": ["a#1"]},
            "latency_ms": {"retrieve": 3.5, "rerank": 10},
            "answer": "alpha",
            "answer_correct": True,
        },
        {"query_id": "q2", "error": "timed out"},
    ]
    good["runs/bm25.toml"] = 'depth = 50\nmodel = "bm25s"\nscore_direction = "higher"\n'
    run = open_set(folder(good)).runs["bm25"]
    assert run.depth == 50
    assert run.card is not None
    assert run.card.model == "bm25s"
    assert run.stages["retrieved"].list_of("q1")[0] == ["a#1", "c#1"]
    assert run.stages["prompt"].row_of("q2") is None
    assert run.latency_ms is not None
    assert run.latency_ms.loc["q1"].to_dict() == {"retrieve": 3.5, "rerank": 10.0}
    assert run.errors == {"q2": "timed out"}
    assert run.lists.list_of("q2")[0] == []
    assert run.answers is not None
    assert run.answers.to_dict("index") == {"q1": {"answer": "alpha", "answer_correct": True}}
    assert run.routes is not None
    assert run.routes.values.tolist() == [["q1", "a#1", "dense", 4], ["q1", "a#1", "bm25", 1]]


@pytest.mark.parametrize(("latency", "expected"), [(12, {"total": 12.0}), ({"a": 1}, {"a": 1.0})])
def test_latency_is_one_figure_or_one_for_each_stage(
    folder: Any, good: dict[str, Any], latency: Any, expected: dict[str, float]
) -> None:
    good["runs/bm25.jsonl"] = [{"query_id": "q1", "results": ["a#1"], "latency_ms": latency}]
    table = open_set(folder(good)).runs["bm25"].latency_ms
    assert table is not None
    assert table.loc["q1"].to_dict() == expected


def test_a_card_says_that_scores_are_distances(folder: Any, good: dict[str, Any]) -> None:
    good["runs/bm25.toml"] = 'score_direction = "lower"\n'
    assert open_set(folder(good)).runs["bm25"].direction == "lower"


def test_retired_queries_are_left_out_of_everything_and_counted(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = [
        {"_id": "q1", "text": "first?", "metadata": {"status": "retired"}},
        {"_id": "q2", "text": "second?", "metadata": {"status": "active"}},
    ]
    found = open_set(folder(good))
    assert found.retired == 1
    assert list(found.queries.index) == ["q2"]
    assert list(found.gold["query_id"]) == ["q2"]
    assert list(found.runs["bm25"].lists.query_ids) == ["q2"]
    assert found.runs["bm25"].lists.list_of("q2")[0] == ["c#1"]
    assert "retired" in {fault.kind for fault in found.warnings}


def test_each_gold_file_is_a_split(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = [{"_id": f"q{n}", "text": f"{n}?"} for n in (1, 2, 3)]
    good["qrels/test.tsv"] = "query-id\tcorpus-id\tscore\nq1\ta#1\t1\n"
    good["qrels/dev.tsv"] = "query-id\tcorpus-id\tscore\nq2\tb#1\t1\n"
    found = open_set(folder(good))
    assert found.query_split.to_dict() == {"q1": "test", "q2": "dev", "q3": None}
    assert set(found.splits) == {"dev", "test"}


def test_a_query_without_gold_belongs_to_the_only_split(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = [{"_id": f"q{n}", "text": f"{n}?"} for n in (1, 2, 3)]
    assert open_set(folder(good)).query_split["q3"] == "test"


def test_the_splits_file_decides(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = [{"_id": f"q{n}", "text": f"{n}?"} for n in (1, 2, 3)]
    good["splits.jsonl"] = [{"query_id": "q1", "split": "dev"}, {"query_id": "q2", "split": "held-out"}]
    found = open_set(folder(good))
    assert found.query_split.to_dict() == {"q1": "dev", "q2": "held-out", "q3": None}
    assert found.gold["split"].to_list() == ["dev", "held-out"]
    assert "queries-without-split" in {fault.kind for fault in found.warnings}


def test_gold_in_two_splits_counts_in_the_first(folder: Any, good: dict[str, Any]) -> None:
    good["qrels/all.tsv"] = "query-id\tcorpus-id\tscore\nq1\tb#1\t1\n"
    found = open_set(folder(good))
    assert found.query_split["q1"] == "all"
    assert found.gold[found.gold["query_id"] == "q1"]["chunk_id"].to_list() == ["b#1"]
    assert "gold-in-two-splits" in {fault.kind for fault in found.warnings}


def test_settings_are_read(folder: Any, good: dict[str, Any]) -> None:
    good["set.toml"] = (
        'name = "mine"\nlanguage = "zh"\ngrade_scale = [0, 1, 2, 3]\nk = [10, 5]\nprimary = "mrr@10"\n'
        'gold_complete = true\nsealed = ["test"]\n[targets]\n"ndcg@10" = 0.8\n'
        '[causes]\nodd = "an odd cause"\n'
    )
    settings = open_set(folder(good)).settings
    assert settings.name == "mine"
    assert settings.grade_scale == (0.0, 1.0, 2.0, 3.0)
    assert settings.k == (5, 10)
    assert settings.gold_complete
    assert settings.sealed == ("test",)
    assert settings.targets == {"ndcg@10": 0.8}
    assert settings.causes == {"odd": "an odd cause"}


def test_one_k_is_where_to_start_and_a_list_is_all_of_them(folder: Any, good: dict[str, Any]) -> None:
    good["set.toml"] = "k = 7\n"
    settings = open_set(folder(good)).settings
    assert settings.start_k == 7
    assert settings.k == (1, 3, 5, 10, 20)


@pytest.mark.parametrize(
    ("lines", "level"),
    [
        ("", 1.0),
        ("grade_scale = [0, 1, 2, 3]", 2.0),
        ("grade_scale = [0, 1]", 1.0),
        ("relevant_from = 3", 3.0),
    ],
)
def test_the_level_follows_the_scale(folder: Any, good: dict[str, Any], lines: str, level: float) -> None:
    good["set.toml"] = lines or "# nothing said\n"
    assert open_set(folder(good)).settings.level == level


def test_documents_in_place_of_chunks(folder: Any, good: dict[str, Any]) -> None:
    good["corpus.jsonl"] = [
        {"_id": "a#1", "text": "one"},
        {"_id": "a#2", "text": "two"},
        {"_id": "b#1", "text": "three"},
    ]
    good["qrels/test.tsv"] = "query-id\tcorpus-id\tscore\nq1\ta#1\t1\nq1\ta#2\t2\nq2\tb#1\t1\n"
    good["runs/bm25.jsonl"] = [{"query_id": "q1", "results": ["b#1", "a#2", "a#1"]}]
    found = open_set(folder(good), level_document=True)
    assert found.chunks["text"].to_dict() == {"a": "one\n\ntwo", "b": "three"}
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        ["q1", "a", 2.0],
        ["q2", "b", 1.0],
    ]
    assert found.runs["bm25"].lists.list_of("q1")[0] == ["b", "a", "a"]


def test_what_looks_like_a_set(folder: Any, good: Mapping[str, Any], tmp_path: Path) -> None:
    assert is_set(folder(good))
    assert not is_set(tmp_path)
    assert not is_set(tmp_path / "nowhere")


def test_ids_are_text_as_it_is_written(folder: Any, good: dict[str, Any]) -> None:
    good["corpus.jsonl"] = (
        '{"_id": 7, "text": "seven"}\n{"_id": "007", "text": "zero"}\n{"_id": 1.10, "text": "section"}\n'
        '{"_id": 1.1, "text": "other section"}\n{"_id": 123456789012345678901234567890, "text": "long"}\n'
    )
    good["qrels/test.tsv"] = "query-id\tcorpus-id\tscore\nq1\t007\t1\nq2\t1.10\t1\n"
    good["runs/bm25.jsonl"] = (
        '{"query_id": "q1", "results": [{"chunk_id": 7, "score": 1}, {"chunk_id": 1.10}]}\n'
    )
    found = open_set(folder(good))
    assert list(found.chunks.index) == ["7", "007", "1.10", "1.1", "123456789012345678901234567890"]
    assert list(found.gold["chunk_id"]) == ["007", "1.10"]
    assert found.runs["bm25"].lists.list_of("q1")[0] == ["7", "1.10"]


def test_an_empty_corpus_column_stays_text(folder: Any, good: dict[str, Any]) -> None:
    del good["corpus.jsonl"]
    found = open_set(folder(good))
    assert found.chunks.empty
    assert tuple(found.chunks.columns) == CHUNK_COLUMNS
    assert isinstance(found.chunks["text"].dtype, pd.StringDtype)
