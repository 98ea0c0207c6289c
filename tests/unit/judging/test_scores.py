"""Scores against hand computation: values, coverage, ranges, and what is left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.judging.folder import load_judges
from ragtui.judging.interpret import failed_verdicts, verdicts_from
from ragtui.judging.model import VERDICT_COLUMNS, Item, Judge, Reply, Verdict
from ragtui.judging.score_formulas import average_precision, covered, extremes, ndcg, share
from ragtui.judging.scores import HIGHEST, LOWEST, JudgedScores, judged_scores, means_on_both, score_names
from ragtui.judging.selection import Selected

JUDGES = load_judges()
PRECISION = JUDGES["context-precision"]
GRADE = JUDGES["relevance-grade"]
CLAIMS = JUDGES["claim-coverage"]
RECALL = JUDGES["context-recall"]

Values = Sequence[float | str | None]


def frame(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    return pd.DataFrame(
        [[getattr(v, name) for name in VERDICT_COLUMNS] for v in verdicts], columns=list(VERDICT_COLUMNS)
    )


def verdict(judge: Judge, item: Item, value: float | str, repeat: int = 0) -> list[Verdict]:
    """A verdict of a value, or a failure of a status."""
    if isinstance(value, str):
        return failed_verdicts(judge, item, value, value, model="m", repeat=repeat)  # type: ignore[arg-type]
    name = {"relevance-grade": "grade", "claim-coverage": "supported"}.get(judge.name, "verdict")
    return verdicts_from(judge, item, Reply(f'{{"{name}": {value}}}'), model="m", repeat=repeat)


def item_of(query_id: str, rank: int, claim: str = "") -> Item:
    return Item(query_id, "?", f"c{rank}", f"text {rank}", "a reference", claim=claim)


def scored(judge: Judge, lists: Mapping[str, Values | str], at: str = "5", **other: Any) -> JudgedScores:
    """Scores of made-up lists: values by rank (None not judged, text a failure), or the state of a query."""
    selected, verdicts = [], []
    for query_id, values in lists.items():
        if isinstance(values, str):
            selected.append(Selected(query_id, values))  # type: ignore[arg-type]
            continue
        items = tuple(item_of(query_id, rank) for rank in range(len(values)))
        selected.append(Selected(query_id, "judged", tuple(item.chunk_id for item in items), items))
        for item, value in zip(items, values, strict=True):
            verdicts += [] if value is None else verdict(judge, item, value)
    return judged_scores(judge, selected, frame(verdicts), at=at, **other)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([1, 0, 1], (1 + 2 / 3) / 2),
        ([0, 1, 0], 0.5),
        ([1, 1, 1], 1.0),
        ([1, 1, 0], 1.0),
        ([1] * 97, 1.0),
        ([0, 0, 0], 0.0),
        ([0, 0, 1], 1 / 3),
    ],
)
def test_average_precision(verdicts: list[float], expected: float) -> None:
    assert average_precision(verdicts) == pytest.approx(expected, abs=1e-15)


def test_perfect_is_exactly_1() -> None:
    for n in range(1, 60):
        assert average_precision([1.0] * n) == 1.0
        assert ndcg([3.0] * n, [], n) == 1.0


def test_ndcg_has_what_was_missed_in_its_best_order() -> None:
    gain = (2**2 - 1) / math.log2(2) + (2**1 - 1) / math.log2(3)
    best = (2**3 - 1) / math.log2(2) + (2**2 - 1) / math.log2(3) + (2**1 - 1) / math.log2(4)
    assert ndcg([2, 1], [3, 0], 5) == pytest.approx(gain / best)
    assert ndcg([2], [3, 1, 0], 1) == pytest.approx((2**2 - 1) / (2**3 - 1))
    assert ndcg([0, 0], [], 2) is None


def test_a_statement_is_covered_by_any_context() -> None:
    assert covered([[0, 1], [0, 0], [1, 1]]) == pytest.approx(2 / 3)


@given(st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=7))
def test_extremes_are_those_of_all_ways(verdicts: list[float | None]) -> None:
    ways = itertools.product(*[[0.0, 1.0] if v is None else [v] for v in verdicts])
    values = [average_precision(way) for way in ways]
    assert extremes(average_precision, verdicts, (0.0, 1.0)) == (min(values), max(values))


def test_many_gaps_give_the_whole_range() -> None:
    assert extremes(average_precision, [1.0] + [None] * 40, (0.0, 1.0)) == (0.0, 1.0)


def test_scores_of_contexts() -> None:
    found = scored(PRECISION, {"a": [1, 0, 1], "b": [0, 0, 0], "c": [1, 1]})
    assert found.per_query["context_precision@5"].tolist() == pytest.approx([5 / 6, 0, 1])
    assert found.per_query["context_useful@5"].tolist() == pytest.approx([2 / 3, 0, 1])
    score = found.scores["context_precision@5"]
    assert score.estimate.mean == pytest.approx((5 / 6 + 1) / 3)
    assert (score.estimate.n, score.of, score.complete) == (3, 3, True)
    assert found.counts == {"scored": 3}


def test_a_failure_leaves_the_score_and_widens_the_range() -> None:
    found = scored(PRECISION, {"a": [1, "timeout", 1], "b": [1, 1, 1]})
    row = found.per_query.loc["a"]
    assert row.isna()["context_precision@5"]
    assert row["context_precision@5" + LOWEST] == pytest.approx(5 / 6)
    assert row["context_precision@5" + HIGHEST] == 1.0
    # useful ÷ judged
    assert row["context_useful@5"] == 1.0
    assert row["context_useful@5" + LOWEST] == pytest.approx(2 / 3)
    assert (row["state"], row["judged"], row["failed"]) == ("partly", 2, 1)
    score = found.scores["context_precision@5"]
    assert (score.estimate.mean, score.estimate.n, score.of) == (1.0, 1, 2)
    assert (score.lowest, score.highest) == pytest.approx(((5 / 6 + 1) / 2, 1.0))
    assert not score.complete
    assert not found.scores["context_useful@5"].complete
    assert found.failures == {"timeout": 1}


def test_a_useful_context_that_failed_late_can_lower_the_score() -> None:
    row = scored(PRECISION, {"a": [1, 0, "refused"]}).per_query.loc["a"]
    assert row["context_precision@5" + LOWEST] == pytest.approx(5 / 6)
    assert row["context_precision@5" + HIGHEST] == 1.0


def test_what_is_left_out_is_counted() -> None:
    found = scored(
        PRECISION,
        {
            "a": [1, 1],
            "b": "nothing-retrieved",
            "c": "no-answer",
            "d": "no-reference",
            "e": [None, None],
            "f": ["timeout", "timeout"],
            "g": ["skipped"],
        },
    )
    assert found.counts == {
        "scored": 1,
        "nothing-retrieved": 1,
        "no-answer": 1,
        "no-reference": 1,
        "unjudged": 1,
        "failed": 1,
        "skipped": 1,
    }
    score = found.scores["context_precision@5"]
    # nothing retrieved is 0; what failed or is not judged yet may be anything; the rest does not count
    assert (score.estimate.mean, score.estimate.n, score.of) == (0.5, 2, 4)
    assert (score.lowest, score.highest) == (0.25, 0.75)


def test_verdicts_on_other_texts_and_later_repeats_are_passed_over() -> None:
    item = item_of("a", 0)
    old = Item("a", "?", "c0", "an older text", "a reference")
    selected = [Selected("a", "judged", ("c0",), (item,))]
    verdicts = [
        *verdict(PRECISION, item, 0),
        *verdict(PRECISION, item, 1, repeat=1),
        *verdict(PRECISION, old, 1),
    ]
    found = judged_scores(PRECISION, selected, frame(verdicts), at="5")
    assert found.per_query["context_precision@5"].tolist() == [0.0]
    stale = judged_scores(PRECISION, selected, frame(verdict(PRECISION, old, 1)), at="5")
    assert stale.counts == {"unjudged": 1}


def test_the_last_verdict_on_a_thing_counts() -> None:
    item = item_of("a", 0)
    selected = [Selected("a", "judged", ("c0",), (item,))]
    verdicts = [*verdict(PRECISION, item, "timeout"), *verdict(PRECISION, item, 1)]
    assert judged_scores(PRECISION, selected, frame(verdicts), at="5").counts == {"scored": 1}


def recall(text: str | None, earlier: Sequence[Verdict] = ()) -> JudgedScores:
    item = Item("a", "?", reference="r", contexts=(("c0", "text"),))
    given = [] if text is None else verdicts_from(RECALL, item, Reply(text), model="m")
    selected = [Selected("a", "judged", ("c0",), (item,))]
    return judged_scores(RECALL, selected, frame([*earlier, *given]), at="5")


def test_recall_is_the_share_of_statements() -> None:
    text = '{"classifications": [{"statement": "a", "attributed": 1}, {"statement": "b", "attributed": 0}]}'
    assert recall(text).per_query["context_recall@5"].tolist() == [0.5]
    item = Item("a", "?", reference="r", contexts=(("c0", "text"),))
    # a failure that a later reply mended
    mended = recall(text, failed_verdicts(RECALL, item, "timeout", "timeout"))
    assert mended.per_query["context_recall@5"].tolist() == [0.5]
    failed = recall("?").scores["context_recall@5"]
    assert (failed.estimate.mean, failed.of, failed.lowest, failed.highest) == (None, 1, 0.0, 1.0)
    assert recall(None).counts == {"unjudged": 1}


@pytest.mark.parametrize(
    ("support", "value", "low", "high"),
    [
        ([[1, 0], [0, 0]], 0.5, 0.5, 0.5),
        ([[1, "timeout"], [0, 1]], 1.0, 1.0, 1.0),
        ([[0, "timeout"], [0, 1]], None, 0.5, 1.0),
        ([[None, None], [1, 0]], None, 0.5, 1.0),
    ],
)
def test_claim_coverage(support: list[list[Any]], value: float | None, low: float, high: float) -> None:
    claims = [f"claim {i}" for i in range(len(support))]
    items = tuple(item_of("a", rank, claim) for claim in claims for rank in range(2))
    verdicts: list[Verdict] = []
    for item, given_value in zip(items, itertools.chain.from_iterable(support), strict=True):
        verdicts += [] if given_value is None else verdict(CLAIMS, item, given_value)
    found = judged_scores(
        CLAIMS, [Selected("a", "judged", ("c0", "c1"), items)], frame(verdicts), at="5"
    ).per_query.loc["a"]
    expected = math.nan if value is None else value
    np.testing.assert_equal(
        [found["claim_coverage@5" + end] for end in ("", LOWEST, HIGHEST)], [expected, low, high]
    )


def test_grades() -> None:
    found = scored(
        GRADE, {"a": [3, 0, 2], "b": [0, 0]}, gold={"a": {"c0": 1.0, "missed": 3.0}, "b": {"c1": 0.0}}
    )
    assert found.per_query["mean_grade@5"].tolist() == pytest.approx([5 / 3, 0.0])
    gain = 7 / math.log2(2) + 3 / math.log2(4)
    best = 7 / math.log2(2) + 7 / math.log2(3) + 3 / math.log2(4)
    assert found.per_query.loc["a", "ndcg_judged@5"] == pytest.approx(gain / best)
    # b has no grade above 0, so there is no best order
    assert found.scores["ndcg_judged@5"].of == 1
    assert found.scores["ndcg_judged@5"].complete


def test_ndcg_needs_gold_to_know_what_was_missed() -> None:
    assert score_names(GRADE) == ("mean_grade",)
    assert "ndcg_judged@5" not in scored(GRADE, {"a": [3]}).scores


def test_a_grade_that_failed() -> None:
    row = scored(GRADE, {"a": [3, "timeout"]}, gold={}).per_query.loc["a"]
    assert row.isna()["ndcg_judged@5"]
    assert row["ndcg_judged@5" + HIGHEST] == 1.0
    assert (row["mean_grade@5"], row["mean_grade@5" + LOWEST], row["mean_grade@5" + HIGHEST]) == (
        3.0,
        1.5,
        3.0,
    )


def test_a_stage_names_the_score() -> None:
    assert list(scored(PRECISION, {"a": [1]}, at="prompt").scores) == [
        "context_precision@prompt",
        "context_useful@prompt",
    ]


def test_two_runs_are_compared_where_both_have_a_value() -> None:
    first = scored(PRECISION, {"a": [1], "b": [0], "c": ["timeout"]})
    second = scored(PRECISION, {"a": [0], "b": ["timeout"], "c": [1]})
    assert means_on_both(first, second, "context_precision@5") == (1.0, 0.0, 1)
    third = scored(PRECISION, {"c": [1]})
    assert means_on_both(first, third, "context_precision@5") == (None, None, 0)


def test_no_queries_at_all() -> None:
    found = scored(PRECISION, {})
    score = found.scores["context_precision@5"]
    assert (score.estimate.mean, score.of, score.lowest) == (None, 0, None)


@given(st.lists(st.lists(st.sampled_from([0, 1, "timeout"]), min_size=1, max_size=4), min_size=1, max_size=4))
def test_every_score_lies_in_its_range(lists: list[list[Any]]) -> None:
    found = scored(PRECISION, {f"q{i}": values for i, values in enumerate(lists)})
    for name, score in found.scores.items():
        for column in (name + LOWEST, name + HIGHEST, name):
            assert found.per_query[column].dropna().between(0, 1).all()
        assert score.lowest is not None
        assert score.highest is not None
        assert score.lowest <= score.highest


def test_share_is_the_mean() -> None:
    assert share([1, 0, 0, 1]) == 0.5
