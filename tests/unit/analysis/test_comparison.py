from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.analysis.comparison import Comparison, compare, latency
from ragtui.dataset.model import RankedLists, Run, RunCard
from ragtui.stats.paired import holm

NONE = RankedLists.from_lists({})


def run(name: str, *, latency_ms: pd.DataFrame | None = None, **card: Any) -> Run:
    return Run(name, NONE, card=RunCard(card) if card else None, latency_ms=latency_ms)


def table(first_rank: list[float], **metrics: list[float]) -> pd.DataFrame:
    index = pd.Index([f"q{place}" for place in range(len(first_rank))], name="query_id")
    return pd.DataFrame({**metrics, "first_rank": first_rank}, index=index, dtype=np.float64)


def compared(before: pd.DataFrame, after: pd.DataFrame, primary: str = "ndcg@10", **more: Any) -> Comparison:
    return compare((run("old"), before), (run("new"), after), primary, **more)


NAN = float("nan")


def test_first_ranks_count_to_the_common_depth_and_both_misses_are_no_ties() -> None:
    # earlier, later, same, found by the new alone, by neither, and beyond rank 10 by both
    before = table([5, 1, 2, NAN, NAN, 12], **{"ndcg@10": [0.0] * 6})
    after = table([1, 5, 2, 3, NAN, 11], **{"ndcg@10": [0.0] * 6})
    found = compare((run("old", depth=20), before), (run("new", depth=10), after), "ndcg@10").first_rank
    assert (found.wins, found.losses, found.ties, found.both_miss, found.depth) == (2, 1, 1, 2, 10)
    whole = compared(before, after).first_rank
    assert (whole.wins, whole.losses, whole.ties, whole.both_miss, whole.depth) == (3, 1, 1, 1, None)


@pytest.mark.parametrize(
    ("primary", "change", "verdict"),
    [
        ("ndcg@10", 0.2, "better"),
        ("ndcg@10", -0.2, "worse"),
        ("stale@5", -0.2, "better"),
        ("stale@5", 0.2, "worse"),
    ],
)
def test_the_primary_metric_decides_by_its_interval(primary: str, change: float, verdict: str) -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0.3, 0.6, 40)
    moved = values + change + rng.normal(0, 0.01, 40)
    ranks = [1.0] * 40
    found = compared(table(ranks, **{primary: list(values)}), table(ranks, **{primary: list(moved)}), primary)
    assert found.verdict == verdict
    assert found.primary.p_holm is None


def test_what_varies_around_nothing_is_not_decisive() -> None:
    values = [0.5] * 30
    moved = [0.5 + (0.1 if place % 2 else -0.1) for place in range(30)]
    found = compared(table([1.0] * 30, **{"ndcg@10": values}), table([1.0] * 30, **{"ndcg@10": moved}))
    assert found.verdict == "undecided"


def test_where_all_differences_are_equal_the_test_decides() -> None:
    one = compared(table([1.0] * 4, **{"ndcg@10": [0.2] * 4}), table([1.0] * 4, **{"ndcg@10": [0.7] * 4}))
    assert one.primary.paired.difference.low is None
    assert one.primary.paired.p == pytest.approx(2 / 2**4)  # all plus, all minus, of 16
    assert one.verdict == "undecided"
    ten = compared(table([1.0] * 10, **{"ndcg@10": [0.2] * 10}), table([1.0] * 10, **{"ndcg@10": [0.7] * 10}))
    assert ten.verdict == "better"  # 2 ÷ 1,024


def test_all_others_and_all_slices_are_adjusted_together() -> None:
    rng = np.random.default_rng(3)
    columns = {name: list(rng.uniform(0, 1, 12)) for name in ("hit@5", "ndcg@10", "recall@5")}
    moved = {name: [value + rng.normal(0.1, 0.2) for value in values] for name, values in columns.items()}
    before, after = table([1.0] * 12, **columns), table([1.0] * 12, **moved)
    slices = {"a": before.index[:6], "b": before.index[6:], "none": pd.Index(["elsewhere"])}
    found = compared(before, after, key="type", slices=slices)
    assert [one.name for one in found.metrics] == ["ndcg@10", "hit@5", "recall@5"]
    assert [(one.name, one.value) for one in found.slices] == [("ndcg@10", "a"), ("ndcg@10", "b")]
    tested = [*found.metrics[1:], *found.slices]
    assert [one.p_holm for one in tested] == holm([one.paired.p or 0.0 for one in tested])
    assert not any(one.primary for one in tested)


def test_only_shared_queries_count() -> None:
    before, after = table([1, 1, 1], **{"ndcg@10": [1.0, 0, 1]}), table([1, 1], **{"ndcg@10": [0.0, 1]})
    found = compared(before, after)
    assert found.queries == 2
    assert found.primary.paired.baseline == 0.5


def test_what_differs_on_the_cards_leaves_out_when_they_were_made() -> None:
    cells = {"ndcg@10": [0.5]}
    first = run("old", model="a", dimension=384, time="yesterday", command="x", git_dirty=True)
    second = run("new", model="b", dimension=384, time="today", rerank="c")
    found = compare((first, table([1], **cells)), (second, table([1], **cells)), "ndcg@10")
    assert found.differs == (("model", "a", "b"), ("rerank", "", "c"))


def test_latency_is_that_of_all_stages_over_the_queries_that_have_one() -> None:
    index = pd.Index([f"q{place}" for place in range(5)])
    stages = pd.DataFrame({"a": [1.0, 2, 3, 4, NAN], "b": [10.0, 10, 10, NAN, NAN]}, index=index)
    found = latency(run("x", latency_ms=stages), index)
    assert found is not None
    # 11, 12, 13 and 4, of which the median is 11.5; 95 % lies .85 of the way from 12 to 13
    assert (found.p50, found.n) == (11.5, 4)
    assert found.p95 == pytest.approx(12.85)
    total = latency(run("x", latency_ms=stages.assign(total=7.0)), index[:2])
    assert total is not None
    assert (total.p50, total.n) == (7.0, 2)
    assert latency(run("x"), index) is None
    assert latency(run("x", latency_ms=stages), pd.Index(["q4"])) is None


def test_what_got_worse_first() -> None:
    before = table([1, 1, 2, NAN], **{"ndcg@10": [1.0, 0.9, 0.5, 0.0]})
    after = table([NAN, 1, 1, 1], **{"ndcg@10": [0.0, 0.8, 0.6, 1.0]})
    found = compared(before, after).worse
    assert [(one.query_id, one.baseline, one.candidate, one.first_rank) for one in found] == [
        ("q0", 1.0, 0.0, (1, None)),
        ("q1", 0.9, 0.8, (1, 1)),
    ]
