"""One score per query: from arrays of a run and from a list in production, to the last digit the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.calibration.policy import should_refuse
from ragtui.analysis.calibration.score_names import Direction, ScoreName, score_name
from ragtui.analysis.calibration.scores import scores_of
from ragtui.dataset.model import RankedLists
from ragtui.errors import RagtuiError

names = st.sampled_from([ScoreName(), ScoreName("margin"), ScoreName("mean", 3), ScoreName("mean", 1)])
numbers = st.floats(-1e6, 1e6, allow_nan=False)
directions = st.sampled_from(["higher", "lower"])


def lists_of(scores: list[list[float]]) -> RankedLists:
    return RankedLists.from_lists(
        {f"q{i}": [f"c{j}" for j in range(len(row))] for i, row in enumerate(scores)},
        {f"q{i}": row for i, row in enumerate(scores)},
    )


@given(st.lists(st.lists(numbers, max_size=5), min_size=1, max_size=8), names, directions)
def test_arrays_and_one_list_give_the_same(
    scores: list[list[float]], name: ScoreName, direction: Direction
) -> None:
    found = scores_of(lists_of(scores), np.arange(len(scores)), name, direction)
    alone = [name.of(row, direction) for row in scores]
    assert [None if math.isnan(value) else value for value in found.values.tolist()] == alone
    assert found.lengths.tolist() == [len(row) for row in scores]


@given(st.lists(numbers, max_size=5), names, directions, numbers)
def test_production_decides_as_the_figures_say(
    scores: list[float], name: ScoreName, direction: Direction, threshold: float
) -> None:
    policy = {"score": str(name), "direction": direction, "threshold": threshold}
    score = name.of(scores, direction)
    better_is_lower = name.kind != "margin" and direction == "lower"
    answered = score is not None and (score <= threshold if better_is_lower else score >= threshold)
    assert should_refuse(scores, policy) == (not answered)
    assert should_refuse(iter(scores), policy) == should_refuse(np.array(scores), policy)


def test_scores_by_hand() -> None:
    scores = [[0.9, 0.5, 0.1], [0.7]]
    for name, expected in (
        ("top1", [0.9, 0.7]),
        ("margin", [0.9 - 0.5, None]),
        ("mean@2", [0.7, 0.7]),
        ("mean@3", [0.5, 0.7]),
    ):
        found = scores_of(lists_of(scores), np.arange(2), score_name(name), "higher").values.tolist()
        assert [None if math.isnan(value) else value for value in found] == pytest.approx(expected)


def test_a_margin_of_distances_is_how_much_nearer_the_first_is() -> None:
    assert score_name("margin").of([0.2, 0.5], "lower") == pytest.approx(0.3)
    assert score_name("margin").direction("lower") == "higher"


def test_a_repeated_chunk_counts_once() -> None:
    lists = RankedLists.from_lists({"q": ["a", "a", "b"]}, {"q": [0.9, 0.9, 0.4]})
    assert scores_of(lists, np.arange(1), score_name("margin"), "higher").values[0] == pytest.approx(0.5)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_named(bad: float) -> None:
    lists = lists_of([[0.9, 0.8], [0.7, bad]])
    with pytest.raises(RagtuiError, match="q1"):
        scores_of(lists, np.arange(2), score_name("margin"), "higher")
    assert scores_of(lists, np.arange(2), score_name("top1"), "higher").values.tolist() == [0.9, 0.7]


@pytest.mark.parametrize(
    "text", ["", "top", "top2", "mean", "mean@", "mean@0", "mean@-1", "margin@2", "mean@99999"]
)
def test_what_is_no_score(text: str) -> None:
    with pytest.raises(RagtuiError, match="no score"):
        score_name(text)


@pytest.mark.parametrize("text", ["top1", "margin", "mean@1", "mean@20"])
def test_names_are_written_as_they_are_read(text: str) -> None:
    assert str(score_name(text)) == text
