"""Kappa against scikit-learn, a paper, and hand counts."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from ragtui.stats.agreement import agreement

SCALE = (0.0, 1.0, 2.0, 3.0)
RATINGS = st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=1, max_size=60)


@given(RATINGS)
def test_the_family_is_that_of_scikit_learn(pairs: list[tuple[float, float]]) -> None:
    first, second = map(np.array, zip(*pairs, strict=True))
    found = agreement(first, second, scale=SCALE)
    for estimate, weights in ((found.kappa, None), (found.linear, "linear"), (found.quadratic, "quadratic")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn warns where kappa is undefined
            theirs = cohen_kappa_score(first, second, weights=weights, labels=list(SCALE))
        if estimate.mean is None:
            assert estimate.reason == "one-category"
            assert len({*first, *second}) == 1
        else:
            assert estimate.mean == pytest.approx(theirs)
            if estimate.low is not None and estimate.high is not None:
                assert -1 <= estimate.low < estimate.high <= 1
    assert found.agreement == pytest.approx(np.mean(first == second))


def table(counts: list[list[int]]) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    """Ratings of two raters from their confusion table."""
    rows, columns = np.indices((len(counts), len(counts)))
    flat = np.array(counts).ravel()
    return np.repeat(rows.ravel(), flat).astype(float), np.repeat(columns.ravel(), flat).astype(float)


def test_cohens_own_example() -> None:
    # Cohen 1960, table 1, in counts of 200: agreement 0.70, chance 0.41, kappa 0.492
    first, second = table([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    found = agreement(first, second)
    assert found.n == 200
    assert found.agreement == pytest.approx(0.70)
    assert found.kappa.mean == pytest.approx(0.4915, abs=5e-5)
    rates = found.base_rates
    assert rates[0] == pytest.approx((0.6, 0.3, 0.1))
    assert rates[1] == pytest.approx((0.5, 0.3, 0.2))


def test_the_interval_is_that_of_large_samples_when_the_sample_is_large() -> None:
    # Fleiss, Cohen and Everitt 1969: for p = [[.4, .1], [.1, .4]] kappa is 0.6 and its variance
    # po(1 − po) ÷ (n(1 − pe)²) = .16 ÷ (n · .25), the further terms being 0 for equal margins of one half
    first, second = table([[400, 100], [100, 400]])
    found = agreement(first, second).kappa
    half = 1.96 * np.sqrt(0.16 / (1000 * 0.25))
    assert found.mean == pytest.approx(0.6)
    assert found.low == pytest.approx(0.6 - half, abs=0.004)
    assert found.high == pytest.approx(0.6 + half, abs=0.004)


def test_weights_are_by_distance_of_the_values() -> None:
    # a scale of 0, 1 and 3 that nobody gives a 2 on: 0 against 1 weighs 1/3, not 1/2
    first, second = np.array([0.0, 1.0, 3.0, 0.0]), np.array([0.0, 1.0, 3.0, 1.0])
    # observed 1/3 ÷ 4; expected over base rates (2, 1, 1) and (1, 2, 1) of 4:
    # (2·2·1/3 + 2·1·1 + 1·1·1/3 + 1·1·2/3 + 1·1·1 + 1·2·2/3) ÷ 16 = (20/3) ÷ 16
    assert agreement(first, second).linear.mean == pytest.approx(1 - (1 / 12) / (20 / 48))


def test_pairs_that_one_left_out_are_counted() -> None:
    nan = float("nan")
    found = agreement(np.array([1.0, nan, 0.0, nan]), np.array([1.0, 1.0, nan, nan]))
    assert (found.n, found.left_out, found.agreement) == (1, 3, 1.0)


def test_undefined_says_so() -> None:
    same = agreement(np.ones(5), np.ones(5))
    assert (same.agreement, same.kappa.mean, same.kappa.reason) == (1.0, None, "one-category")
    none = agreement(np.array([]), np.array([]))
    assert (none.agreement, none.kappa.mean, none.kappa.reason) == (None, None, "no-pairs")
    assert none.base_rates == ((), ())


def test_perfect_agreement_has_no_interval_of_zero_width() -> None:
    ratings = np.array([0.0, 1.0, 2.0, 2.0])
    found = agreement(ratings, ratings).quadratic
    assert (found.mean, found.low, found.high, found.reason) == (1.0, None, None, "all-equal")
