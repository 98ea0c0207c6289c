"""Parquet as any part of a set, and its values as JSON would hold them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragtui.dataset.faults import BadInput, Faults
from ragtui.dataset.readers.parquet import parquet_rows, parquet_size
from ragtui.dataset.reading import check, open_set


def write(path: Path, rows: Sequence[dict[str, Any]] | pa.Table) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(list(rows)), path)
    return path


def test_a_whole_set(tmp_path: Path) -> None:
    here = tmp_path / "set"
    write(
        here / "corpus.parquet", [{"_id": "a#1", "title": "A", "text": "alpha"}, {"_id": "b#1", "text": "b"}]
    )
    write(here / "queries.parquet", [{"query_id": 1, "query": "one?"}, {"query_id": 2, "query": "two?"}])
    gold = [{"query_id": 1, "chunk_id": "a#1", "grade": 2}, {"query_id": 2, "chunk_id": "b#1", "grade": 1}]
    write(here / "qrels/test.parquet", gold)
    flat = [
        {"query_id": 1, "chunk_id": "b#1", "score": 0.5},
        {"query_id": 2, "chunk_id": "b#1", "score": 0.25},
        {"query_id": 1, "chunk_id": "a#1", "score": 0.4},
    ]
    write(here / "runs/flat.parquet", flat)
    write(here / "runs/ranked.parquet", [{**row, "rank": 3 - place} for place, row in enumerate(flat)])
    write(
        here / "run.lists.parquet",
        [{"query_id": 1, "retrieved_ids": ["a#1"]}, {"query_id": 2, "retrieved_ids": []}],
    )
    found = open_set(here)
    assert found.format == "loose"
    assert found.queries["text"].to_dict() == {"1": "one?", "2": "two?"}
    assert found.gold[["query_id", "chunk_id", "grade", "split"]].values.tolist() == [
        ["1", "a#1", 2.0, "test"],
        ["2", "b#1", 1.0, "test"],
    ]
    assert found.runs["flat"].lists.list_of("1")[0] == ["b#1", "a#1"]
    assert found.runs["ranked"].lists.list_of("1")[0] == ["a#1", "b#1"]
    assert found.runs["lists"].lists.lengths.tolist() == [1, 0]


def test_gold_alone_and_queries_with_their_gold(tmp_path: Path) -> None:
    alone = write(tmp_path / "qrels.parquet", [{"query_id": "q1", "chunk_id": "a", "grade": 1}])
    assert open_set(alone).gold["chunk_id"].to_list() == ["a"]
    inside = write(
        tmp_path / "x" / "gold.parquet", [{"query_id": "q1", "query": "one?", "relevant": ["a", "b"]}]
    )
    assert open_set(inside).gold["chunk_id"].to_list() == ["a", "b"]
    assert open_set(inside.parent).queries["text"].to_list() == ["one?"]


def test_gold_as_an_object_has_only_the_chunks_of_its_row(tmp_path: Path) -> None:
    """A column of objects has every key in every row, null where the row lacks it."""
    rows = [{"query_id": "q1", "relevant": {"a": 1}}, {"query_id": "q2", "relevant": {"b": 2}}]
    found = open_set(write(tmp_path / "gold.parquet", rows))
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        ["q1", "a", 1.0],
        ["q2", "b", 2.0],
    ]


def test_values_are_those_of_json(tmp_path: Path) -> None:
    table = pa.table(
        {
            "time": pa.array(["2024-01-13T14:03:00"]).cast(pa.timestamp("us")),
            "day": pa.array([datetime.date(2024, 1, 13)]),
            "money": pa.array([Decimal("2.50")]),
            "whole": pa.array([Decimal("7.00")]),
            "raw": pa.array([b"abc"]),
            "odd": pa.array([b"\xff"]),
            "map": pa.array([[("a", 1.0)]], pa.map_(pa.string(), pa.float64())),
            "nested": pa.array([{"at": datetime.date(2024, 1, 13), "none": None}]),
            "word": pa.array(["x"]).dictionary_encode(),
            "texts": pa.array([["x", None]]),
        }
    )
    path = write(tmp_path / "x.parquet", table)
    assert parquet_size(path) == (1, tuple(table.column_names))
    assert list(parquet_rows(path, Faults())) == [
        (
            1,
            {
                "time": "2024-01-13T14:03:00",
                "day": "2024-01-13",
                "money": 2.5,
                "whole": 7,
                "raw": "abc",
                "odd": "ff",
                "map": {"a": 1.0},
                "nested": {"at": "2024-01-13"},
                "word": "x",
                "texts": ["x", None],
            },
        )
    ]


def test_ids_that_became_fractions_keep_their_text_and_the_cause_is_named(tmp_path: Path) -> None:
    gold = write(tmp_path / "qrels.parquet", [{"query_id": "1", "chunk_id": "7", "grade": 1}])
    run = write(tmp_path / "run.parquet", [{"query_id": 1.0, "chunk_id": 7.0, "score": 1.0}])
    with pytest.raises(BadInput) as raised:
        open_set(gold, runs={"x": run})
    found = {fault.kind: fault for fault in raised.value.faults.of("error")}
    assert "'1.0'" in found["no-shared-queries"].what
    assert "read as numbers" in found["no-shared-queries"].mend
    assert "read as numbers" in found["no-shared-chunks"].mend


def test_faults_name_the_row(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"query_id": "q1", "chunk_id": "a", "grade": 1.0},
        {"query_id": "q2", "chunk_id": None, "grade": 1.0},
    ]
    found = check(write(tmp_path / "qrels.parquet", rows)).of("error")
    assert [(fault.kind, fault.line) for fault in found] == [("empty-id", 2)]


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    path = write(tmp_path / "qrels.parquet", [{"query_id": "q1", "chunk_id": "a", "grade": 1}])
    path.write_bytes(path.read_bytes()[:-9])
    assert [fault.kind for fault in check(path).of("error")] == ["bad-parquet"]
