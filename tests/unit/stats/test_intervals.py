"""Intervals of a share against scipy and published values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import betainc

from ragtui.stats.intervals import beta_cdf, clopper_pearson, wilson

SHARES = st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.sampled_from([0.8, 0.9, 0.95, 0.99])


@given(SHARES, LEVELS)
def test_wilson_is_that_of_scipy(share: tuple[int, int], level: float) -> None:
    successes, n = share
    theirs = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    assert wilson(successes, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(SHARES, LEVELS)
def test_clopper_pearson_is_that_of_scipy(share: tuple[int, int], level: float) -> None:
    successes, n = share
    theirs = stats.binomtest(successes, n).proportion_ci(level, method="exact")
    assert clopper_pearson(successes, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.floats(0, 1), st.floats(0.5, 2000), st.floats(0.5, 2000))
def test_beta_cdf_is_that_of_scipy(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(float(betainc(a, b, x)), abs=1e-10)


def test_known_values() -> None:
    # no success in n has the Wilson limit z² ÷ (n + z²) = 3.84146 ÷ 13.84146 at 10
    assert wilson(0, 10) == pytest.approx((0, 0.277533), abs=5e-7)
    assert wilson(10, 10) == pytest.approx((0.722467, 1), abs=5e-7)
    # and the exact one 1 − 0.025^(1/10) = 0.308497
    assert clopper_pearson(0, 10) == pytest.approx((0, 0.308497), abs=5e-7)
    assert clopper_pearson(10, 10) == pytest.approx((0.691503, 1), abs=5e-7)


def test_a_one_sided_bound_is_the_end_of_a_wider_interval() -> None:
    # no false answer among 59 bounds their share at 5 %: 0.95^59 = 0.0485 ≤ 0.05 < 0.95^58
    assert clopper_pearson(0, 59, 0.9)[1] <= 0.05 < clopper_pearson(0, 58, 0.9)[1]


@pytest.mark.parametrize("n", [1, 1_000_000])
def test_the_ends_stay_within_0_and_1(n: int) -> None:
    for successes in (0, n // 2, n):
        for interval in (wilson(successes, n), clopper_pearson(successes, n)):
            assert 0 <= interval[0] <= successes / n <= interval[1] <= 1
