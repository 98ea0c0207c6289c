"""Paired differences against brute force and scipy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragtui.stats.paired import holm, paired_differences, sign_flip

POINTS = st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0])


def brute_force(differences: list[float]) -> float:
    """Share of all choices of signs whose sum is as far from 0, in whole tenths so that nothing rounds."""
    tenths = [round(10 * d) for d in differences if d]
    choices = product((1, -1), repeat=len(tenths))
    sums = [abs(sum(sign * d for sign, d in zip(signs, tenths, strict=True))) for signs in choices]
    return sum(s >= abs(sum(tenths)) for s in sums) / len(sums)


@given(st.lists(POINTS, max_size=11))
def test_up_to_20_differences_every_choice_of_signs_is_tried(differences: list[float]) -> None:
    p, exact = sign_flip(np.array(differences))
    assert exact
    assert p == pytest.approx(brute_force(differences))


def test_twenty_are_exact_and_twenty_one_are_drawn() -> None:
    assert sign_flip(np.full(20, 0.5)) == (2 / 2**20, True)
    assert not sign_flip(np.array([*[0.5] * 21, *[0.0] * 50]))[1]
    # of 10,000 random choices of 60 signs none is all alike: (0 + 1) ÷ (10,000 + 1)
    assert sign_flip(np.full(60, 0.5)) == (1 / 10_001, False)


def test_random_flips_are_close_to_scipys() -> None:
    differences = np.random.default_rng(5).normal(0.1, 0.4, 60)
    p, exact = sign_flip(differences)
    theirs = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=10_000,
        rng=np.random.default_rng(6),
    )
    assert not exact
    # both estimate a share from 10,000 draws
    assert p == pytest.approx(theirs.pvalue, abs=5 * np.sqrt(2 * p * (1 - p) / 10_000))


def test_nothing_differs() -> None:
    assert sign_flip(np.zeros(30)) == (1.0, True)
    assert sign_flip(np.array([])) == (1.0, True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_steps_down(p: list[float]) -> None:
    adjusted = holm(p)
    # by the definition: the largest of (m − j + 1)·p(j) over all smaller or equal ones
    order = sorted(range(len(p)), key=lambda i: p[i])
    for rank, i in enumerate(order):
        expected = max((len(p) - j) * p[order[j]] for j in range(rank + 1))
        assert adjusted[i] == pytest.approx(min(1.0, expected))


def test_holm_by_hand() -> None:
    # sorted .01 .03 .04: 3 × .01, then the larger of .03 and 2 × .03, then the larger of .06 and .04
    assert holm([0.03, 0.01, 0.04]) == [pytest.approx(0.06), pytest.approx(0.03), pytest.approx(0.06)]
    assert holm([]) == []


def frame(queries: str, **columns: list[float]) -> pd.DataFrame:
    return pd.DataFrame(columns, index=pd.Index(queries.split(), name="query_id"), dtype=float)


def test_runs_are_compared_on_the_queries_they_share() -> None:
    baseline = frame("q1 q2 q3 q4 q5 q6", mrr=[1, 1, 0.5, 0.5, 0.5, 0.5])
    candidate = frame("q3 q4 q5 q6 q7 q8", mrr=[1, 0.5, 1, 0.5, 0, 0])
    found = paired_differences(baseline, candidate)["mrr"]
    assert (found.baseline, found.candidate, found.difference.mean) == (0.5, 0.75, 0.25)
    assert found.difference.n == 4
    # the differences are .5, 0, .5, 0, so every resampled mean lies in [0, .5]
    assert found.difference.low is not None
    assert found.difference.high is not None
    assert 0 <= found.difference.low < 0.25 < found.difference.high <= 0.5
    # two differences other than 0, both up: 2 of 4 choices of signs are as far
    assert (found.p, found.exact) == (0.5, True)


def test_the_order_of_rows_plays_no_part() -> None:
    baseline = frame("a b c", x=[0.1, 0.2, 0.3])
    candidate = frame("c a b", x=[0.4, 0.3, 0.2])
    assert paired_differences(baseline, candidate)["x"].difference.mean == pytest.approx(
        (0.2 + 0.0 + 0.1) / 3
    )


def test_a_query_counts_where_both_have_a_value() -> None:
    nan = float("nan")
    found = paired_differences(frame("a b c", x=[1, nan, 0]), frame("a b c", x=[nan, 1, 1]))["x"]
    assert (found.baseline, found.candidate, found.difference.n) == (0.0, 1.0, 1)
    none = paired_differences(frame("a", x=[nan]), frame("a", x=[1]))["x"]
    assert (none.baseline, none.p, none.difference.reason) == (None, None, "no-queries")


def test_a_run_against_itself() -> None:
    run = frame("a b c", x=[0.1, 0.2, 0.3])
    found = paired_differences(run, run)["x"]
    assert (found.difference.mean, found.difference.low, found.difference.reason) == (0.0, None, "all-equal")
    assert found.p == 1.0


def test_columns_of_only_one_run_are_left_out() -> None:
    assert list(paired_differences(frame("a", x=[1], y=[1]), frame("a", y=[0], z=[0]))) == ["y"]


def test_whole_clusters_are_flipped() -> None:
    # six queries in two clusters, each up by .1: two flips of one cluster sum each, so p = 2/4 and not 2/64
    baseline = frame("a b c d e f", x=[0.0] * 6)
    candidate = frame("a b c d e f", x=[0.1, 0.1, 0.1, 0.1, 0.1, 0.2])
    cluster = pd.Series(list("uuuvvv"), index=baseline.index)
    assert paired_differences(baseline, candidate, cluster=cluster)["x"].p == 0.5
    assert paired_differences(baseline, candidate)["x"].p == 2 / 64


def test_more_flips_than_a_block_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(5).normal(0.05, 0.4, 60)
    whole = sign_flip(differences)
    monkeypatch.setattr("ragtui.stats.paired._BLOCK", 64 * 1000)
    assert sign_flip(differences)[0] == pytest.approx(whole[0], abs=0.02)
