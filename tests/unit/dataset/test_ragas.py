"""Evaluation datasets of ragas in every kind of file."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragtui.dataset.faults import BadInput
from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.reading import check, open_set
from ragtui.metrics.evaluate import evaluate
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed

Rows = Sequence[dict[str, Any]]

NEW: Rows = [
    {
        "user_input": "Where is Paris?",
        "retrieved_contexts": ["Lyon is a city.", "Paris is in  France."],
        "reference_contexts": ["Paris is in France."],
        "response": "In France.",
        "reference": "France",
    },
    {
        "user_input": "第一季度收入是多少？",
        "retrieved_contexts": ["第一季度收入为三百万元。"],
        "reference_contexts": ["第一季度收入为三百万元。", "Lyon is a city."],
        "response": "三百万元",
        "reference": "三百万元",
    },
]
OLD: Rows = [
    {
        "question": row["user_input"],
        "contexts": row["retrieved_contexts"],
        "ground_truth_contexts": row["reference_contexts"],
        "answer": row["response"],
        "ground_truth": row["reference"],
    }
    for row in NEW
]


def _json_lines(path: Path, rows: Rows) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _json(path: Path, rows: Rows) -> None:
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")


def _csv(path: Path, rows: Rows) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _parquet(path: Path, rows: Rows) -> None:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)


WRITERS: dict[str, Callable[[Path, Rows], None]] = {
    "x.jsonl": _json_lines,
    "x.json": _json,
    "x.csv": _csv,
    "x.parquet": _parquet,
}


def means(found: EvaluationSet, run: str, metrics: Sequence[str]) -> list[float]:
    result = evaluate(
        found.queries.index.to_numpy(dtype=object),
        Listed(found.runs[run].lists, GoldTable.from_frame(found.gold)),
        metrics=metrics,
    )
    return [float(result.table[name].mean()) for name in metrics]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("rows", [NEW, OLD], ids=["new", "old"])
def test_every_kind_of_file_is_the_same_set(tmp_path: Path, name: str, rows: Rows) -> None:
    WRITERS[name](tmp_path / name, rows)
    found = open_set(tmp_path / name)
    assert found.format == "ragas"
    assert found.queries["text"].to_list() == [row["user_input"] for row in NEW]
    assert found.queries["reference"].to_list() == ["France", "三百万元"]
    run = found.runs["x"]
    assert run.lists.lengths.tolist() == [2, 1]
    assert run.answers is not None
    assert run.answers["answer"].to_list() == ["In France.", "三百万元"]
    assert len(found.chunks) == 3
    # reciprocal ranks 1/2 and 1; recall 1/1 and 1/2
    assert means(found, "x", ["mrr@5", "recall@5"]) == [0.75, 0.75]


def test_ids_are_hashes_of_the_text_with_white_space_squeezed(tmp_path: Path) -> None:
    _json_lines(tmp_path / "x.jsonl", NEW)
    found = open_set(tmp_path / "x.jsonl")
    paris = "text-" + hashlib.sha256(b"Paris is in France.").hexdigest()[:16]
    assert found.gold["chunk_id"].iloc[0] == paris
    assert found.runs["x"].lists.list_of(found.queries.index[0])[0][1] == paris
    assert found.queries.index[0] == "query-" + hashlib.sha256(b"Where is Paris?").hexdigest()[:16]


def test_ids_in_a_column_of_their_own(tmp_path: Path) -> None:
    rows = [
        {**NEW[0], "retrieved_context_ids": ["l", 2], "reference_context_ids": [2]},
        {"user_input": "only ids?", "retrieved_context_ids": ["l"], "reference_context_ids": ["l", "p"]},
    ]
    _json_lines(tmp_path / "x.jsonl", rows)
    found = open_set(tmp_path / "x.jsonl")
    assert found.gold["chunk_id"].to_list() == ["2", "l", "p"]
    assert found.runs["x"].lists.list_of(found.queries.index[0])[0] == ["l", "2"]
    assert found.chunks["text"].to_dict() == {"l": "Lyon is a city.", "2": "Paris is in France."}


def test_a_text_that_has_an_id_somewhere_has_it_everywhere(tmp_path: Path) -> None:
    rows = [{**NEW[0], "retrieved_context_ids": ["l", "p"]}]
    _json_lines(tmp_path / "x.jsonl", rows)
    assert open_set(tmp_path / "x.jsonl").gold["chunk_id"].to_list() == ["p"]
    corpus = tmp_path / "corpus.jsonl"
    _json_lines(
        corpus, [{"_id": "P", "text": "Paris is in France."}, {"_id": "L", "text": "Lyon is a city."}]
    )
    _json_lines(tmp_path / "y.jsonl", NEW[:1])
    found = open_set(tmp_path / "y.jsonl", corpus=corpus)
    assert found.gold["chunk_id"].to_list() == ["P"]
    assert found.runs["y"].lists.list_of(found.queries.index[0])[0] == ["L", "P"]


def test_nothing_said_is_missing_and_an_empty_list_found_nothing(tmp_path: Path) -> None:
    rows = [
        NEW[0],
        {"user_input": "b?", "retrieved_contexts": []},
        {"user_input": "c?", "retrieved_contexts": None},
    ]
    _json_lines(tmp_path / "x.jsonl", rows)
    found = open_set(tmp_path / "x.jsonl")
    assert len(found.queries) == 3
    assert found.runs["x"].lists.lengths.tolist() == [2, 0]


def test_the_same_question_twice_is_two_queries(tmp_path: Path) -> None:
    _json_lines(tmp_path / "x.jsonl", [NEW[0], NEW[0]])
    first, second = open_set(tmp_path / "x.jsonl").queries.index
    assert second == f"{first}-2"
    _json_lines(tmp_path / "y.jsonl", [{**NEW[0], "query_id": "q"}, {**NEW[0], "query_id": "q"}])
    found = check(tmp_path / "y.jsonl").of("error")
    assert [(fault.kind, fault.line) for fault in found] == [("query-twice-in-run", 2)]


def test_a_second_file_is_a_second_run(tmp_path: Path) -> None:
    _json_lines(tmp_path / "a.jsonl", NEW)
    better = {**NEW[0], "retrieved_contexts": ["Paris is in France."]}
    _json_lines(tmp_path / "b.jsonl", [NEW[1], better])
    found = open_set(tmp_path / "a.jsonl", runs={"better": tmp_path / "b.jsonl"})
    assert list(found.runs) == ["a", "better"]
    assert means(found, "a", ["mrr@5"]) == [0.75]
    assert means(found, "better", ["mrr@5"]) == [1.0]


def test_gold_that_is_named_beats_the_contexts(tmp_path: Path) -> None:
    rows = [{**NEW[0], "query_id": "q1", "retrieved_context_ids": ["l", "p"]}]
    _json_lines(tmp_path / "x.jsonl", rows)
    gold = tmp_path / "qrels.trec"
    gold.write_text("q1 0 l 1\nq2 0 p 1\n")
    found = open_set(tmp_path / "x.jsonl", gold=gold)
    assert found.gold["chunk_id"].to_list() == ["l", "p"]
    assert found.queries.index.to_list() == ["q1", "q2"]  # the run lacks q2, and that is seen
    assert means(found, "x", ["mrr@5"]) == [0.5]


def test_several_references_and_further_fields(tmp_path: Path) -> None:
    rows = [{"question": "a?", "contexts": ["x"], "ground_truths": ["one", "two"], "synthesizer_name": "s"}]
    _csv(tmp_path / "x.csv", rows)
    found = open_set(tmp_path / "x.csv").queries.iloc[0]
    assert (found["reference"], found["synthesizer_name"]) == ("one", "s")


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"retrieved_contexts": ["a", {"text": "b"}]}, "mixed-contexts"),
        ({"retrieved_contexts": [["a"]]}, "unknown-context"),
        ({"retrieved_contexts": {"a": 1}}, "not-a-list"),
        ({"retrieved_contexts": [{"html": "a"}]}, "unknown-context"),
        ({"retrieved_context_ids": ["a", "b", "c"]}, "ids-do-not-fit"),
        ({"scores": [1.0, 0.5]}, "scores-do-not-fit"),
        ({"user_input": ""}, "missing-field"),
        ({"user_input": [{"content": "a", "type": "human"}]}, "several-turns"),
        ({"response": ["a"]}, "not-a-text"),
        ({"reference": {"a": 1}}, "not-a-text"),
    ],
)
def test_a_shape_that_is_not_known_is_refused_with_its_line(
    tmp_path: Path, changed: dict[str, Any], kind: str
) -> None:
    _json_lines(tmp_path / "x.jsonl", [NEW[0], {**NEW[1], **changed}])
    with pytest.raises(BadInput) as raised:
        open_set(tmp_path / "x.jsonl")
    assert [(fault.kind, fault.line) for fault in raised.value.faults.of("error")] == [(kind, 2)]


def test_case_of_list_columns_as_text(shared: Path) -> None:
    case = shared / "cases/26-list-columns-as-text-in-csv"
    expected = json.loads((case / "expected.json").read_text())
    found = open_set(case / "dataset.csv")
    assert len(found.queries) == expected["rows"]
    lists = found.runs["dataset"].lists
    assert lists.lengths.tolist() == expected["contexts_per_row"]
    assert [lists.list_of(one)[0] for one in found.queries.index] == [["d1", "d2"], ["d3", "d4"], ["d5"]]
    assert found.chunks.loc["d2", "text"] == 'It\'s free, said the "agent".'


@pytest.mark.parametrize("name", ["strings", "langchain", "llamaindex"])
def test_case_of_documents_nodes_or_strings(shared: Path, name: str) -> None:
    case = shared / "cases/28-documents-nodes-or-strings"
    expected = json.loads((case / "expected.json").read_text())
    found = open_set(case / f"{name}.jsonl")
    assert found.runs[name].lists.lengths.tolist() == [expected["contexts"]]
    mean = expected["mean"]
    assert means(found, name, ["mrr@5", "hit@1", "recall@2", "precision@2"]) == [
        mean["rr"],
        1.0,
        mean["recall@2"],
        mean["precision@2"],
    ]
