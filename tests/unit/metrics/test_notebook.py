"""The notebook door takes gold and runs in the shapes people have, and refuses what gives no right number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ragtui

GOLD = {"q1": {"A": 1, "B": 2}, "q2": {"C": 1}}
RUN = {"q1": ["X", "B", "A"], "q2": ["C"]}


def hits(gold: Any, run: Any) -> list[float]:
    return [float(value) for value in ragtui.per_query(gold, run, ["mrr"], k=5)["mrr@5"]]


@pytest.mark.parametrize(
    "gold",
    [
        GOLD,
        {"q1": ["A", "B"], "q2": {"C"}},
        {"q1": {"A": "1", "B": np.int64(2)}, "q2": {"C": 1.0}},
        pd.DataFrame({"query_id": ["q1", "q1", "q2"], "chunk_id": ["A", "B", "C"], "grade": [1, 2, 1]}),
    ],
    ids=["grades", "collections", "numbers-as-text", "table"],
)
@pytest.mark.parametrize(
    "run",
    [
        RUN,
        {"q1": ("X", "B", "A"), "q2": ("C",)},
        {"q1": {"A": 0.1, "B": 0.2, "X": 0.3}, "q2": {"C": 1}},
        {"q1": {"A": "0.1", "B": "0.2", "X": "0.3"}, "q2": ["C"]},
        pd.DataFrame({"query_id": ["q1", "q1", "q2", "q1"], "chunk_id": ["X", "B", "C", "A"]}),
        pd.DataFrame(
            {
                "query_id": ["q1", "q2", "q1", "q1"],
                "chunk_id": ["A", "C", "B", "X"],
                "score": [0.1, 1.0, 0.2, 0.3],
            }
        ),
        pd.DataFrame(
            {
                "query_id": ["q1", "q2", "q1", "q1"],
                "chunk_id": ["A", "C", "B", "X"],
                "score": [0.9, 1.0, 0.2, 0.3],
                "rank": [3, 1, 2, 1],
            }
        ),
    ],
    ids=["lists", "tuples", "scores", "mixed", "table", "table-with-score", "table-with-rank"],
)
def test_every_shape_gives_the_same(gold: Any, run: Any) -> None:
    assert hits(gold, run) == [1 / 2, 1.0]


def test_several_runs_are_rows() -> None:
    runs: dict[str, Any] = {
        "bm25": RUN,
        "dense": {"q1": {"A": 1.0}, "q2": {}},
        "frame": pd.DataFrame({"query_id": ["q1"], "chunk_id": ["A"]}),
    }
    table = ragtui.evaluate(GOLD, runs, ["mrr@5", "recall@5"])
    assert table.index.to_list() == ["bm25", "dense", "frame"]
    assert list(table) == ["recall@5", "mrr@5"]
    # recall: (2/2 + 1) ÷ 2; (1/2 + 0) ÷ 2 twice
    assert table["recall@5"].to_list() == [1.0, 0.25, 0.25]
    assert table["mrr@5"].to_list() == [0.75, 0.5, 0.5]
    per_query = ragtui.per_query(GOLD, runs, ["mrr@5"])
    assert per_query.loc["dense"]["mrr@5"].to_dict() == {"q1": 1.0, "q2": 0.0}


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ({"q1": {}, "q2": {"C": 1.0}}, ["run"]),
        ({"q1": [], "q2": []}, ["run"]),
        ({"a": {"q1": []}}, ["a"]),
        ({"a": {"q1": {}}, "b": {"q2": ["C"]}}, ["a", "b"]),
        ({"q1": {}, "q2": {}}, ["run"]),
    ],
)
def test_one_run_is_told_from_several(runs: Any, names: list[str]) -> None:
    assert ragtui.evaluate(GOLD, runs, ["hit@1"]).index.to_list() == names


def test_numbers_become_their_text_and_nothing_else_does() -> None:
    assert hits({1: {7: 1}}, {"1": ["7"]}) == [1.0]
    with pytest.raises(ragtui.RagtuiError, match="no query in common"):
        ragtui.evaluate({"007": ["A"]}, {7: ["A"]})


def test_lists_of_one_query_under_two_spellings_of_a_number_are_one() -> None:
    assert hits({"1": ["A"]}, {1: ["X"], "1": ["A"]}) == [0.5]


def test_equal_scores_keep_their_order() -> None:
    assert hits(GOLD, {"q1": {"X": 0.5, "B": 0.5}, "q2": {"C": 0.5}}) == [0.5, 1.0]


def test_direction_lower_puts_the_smallest_first() -> None:
    run = {"q1": {"X": 0.9, "A": 0.1}, "q2": {"C": 0.1}}
    assert ragtui.evaluate(GOLD, run, ["mrr@5"], direction="lower").to_numpy().tolist() == [[1.0]]


def test_groups_and_roles_of_a_table_count() -> None:
    gold = pd.DataFrame(
        {
            "query_id": ["q"] * 4,
            "chunk_id": ["a1", "a2", "b", "old"],
            "grade": [1, 1, 1, 0],
            "group": ["g", "g", None, None],
            "role": [None, None, None, "distractor"],
        }
    )
    table = ragtui.per_query(gold, {"q": ["a1", "old"]}, ["coverage@2", "stale@2"])
    assert table[["coverage@2", "stale@2"]].to_numpy().tolist() == [[0.5, 0.5]]


def test_annotators_may_differ_and_the_majority_counts() -> None:
    gold = pd.DataFrame(
        {"query_id": ["q"] * 3, "chunk_id": ["a"] * 3, "grade": [1, 0, 1], "annotator": ["x", "y", "z"]}
    )
    table = ragtui.evaluate(gold, {"q": ["a"]}, ["hit@1"])
    assert table["hit@1"].to_list() == [1.0]
    assert table.attrs["counts"]["run"]["conflicts"] == 1


def test_unjudged_queries_of_the_run_are_counted() -> None:
    table = ragtui.evaluate(GOLD, {**RUN, "q9": ["A"]}, ["hit@1"])
    assert table.attrs["counts"]["run"]["unjudged"] == 1


@pytest.mark.parametrize(
    ("gold", "run", "key"),
    [
        (GOLD, {"q1": {"A": float("nan")}}, "score-not-a-number"),
        (GOLD, {"q1": {"A": None}}, "score-not-a-number"),
        (GOLD, {"q1": {"A": "high"}}, "score-not-a-number"),
        (
            GOLD,
            pd.DataFrame({"query_id": ["q1"], "chunk_id": ["A"], "score": [np.nan]}),
            "score-not-a-number",
        ),
        (GOLD, {"q1": "A"}, "not-a-run"),
        (GOLD, {"q1": 3}, "not-a-run"),
        (GOLD, {"q1": [None]}, "no-id"),
        (GOLD, {"q1": [("A", 0.5)]}, "no-id"),
        (GOLD, {"q1": [float("nan")]}, "no-id"),
        (GOLD, {}, "no-results"),
        (GOLD, {"a": {}, "b": RUN}, "no-results"),
        (GOLD, pd.DataFrame({"query_id": ["q1"], "doc": ["A"]}), "missing-column"),
        (GOLD, {"Q1": ["A"]}, "no-shared-query"),
        ({}, RUN, "no-gold"),
        ({"q1": {"A": "good"}}, RUN, "grade-not-a-number"),
        ({"q1": {"A": float("inf")}}, RUN, "grade-not-a-number"),
        (pd.DataFrame({"query_id": ["q1"], "chunk_id": ["A"]}), RUN, "missing-column"),
        (
            pd.DataFrame({"query_id": ["q1"] * 2, "chunk_id": ["A"] * 2, "grade": [1, 2]}),
            RUN,
            "grade-conflict",
        ),
    ],
)
def test_what_gives_no_right_number_is_refused_with_a_mend(gold: Any, run: Any, key: str) -> None:
    with pytest.raises(ragtui.RagtuiError) as caught:
        ragtui.evaluate(gold, run)
    assert caught.value.key == f"metrics.{key}"
    assert caught.value.mend


def test_the_input_is_left_as_it_is() -> None:
    gold = pd.DataFrame({"query_id": [1], "chunk_id": [2], "grade": ["1"]})
    run = pd.DataFrame({"query_id": [1], "chunk_id": [2], "score": ["0.5"]})
    before = gold.copy(), run.copy()
    ragtui.evaluate(gold, run)
    pd.testing.assert_frame_equal(gold, before[0])
    pd.testing.assert_frame_equal(run, before[1])
