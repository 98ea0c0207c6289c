"""What few trials can show, against scipy and the figures of the design."""

from __future__ import annotations

import pytest
from scipy import stats

from ragtui.stats.one_sided import allowed, at_most, attainable, needed


@pytest.mark.parametrize(("alpha", "least"), [(0.05, 59), (0.1, 29), (0.2, 14)], ids=str)
def test_needed_are_those_of_the_design(alpha: float, least: int) -> None:
    assert needed(alpha) == least
    assert attainable(least) <= alpha < attainable(least - 1)


@pytest.mark.parametrize("n", [1, 2, 14, 59, 100, 329])
def test_the_bound_is_that_of_scipy(n: int) -> None:
    for count in {0, 1, n // 2, n}:
        peer = stats.binomtest(min(count, n), n, alternative="less").proportion_ci(0.95, "exact").high
        assert at_most(min(count, n), n) == pytest.approx(peer, abs=1e-9)


def test_one_of_sixty_is_at_most_7_7_percent() -> None:
    assert round(100 * at_most(1, 60), 1) == 7.7


def test_without_trials_nothing_is_known() -> None:
    assert (at_most(0, 0), attainable(0)) == (1.0, 1.0)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.2, 0.5])
def test_allowed_is_the_most_whose_bound_suffices(alpha: float) -> None:
    for n in (1, 5, 13, 14, 28, 29, 58, 59, 60, 100, 500):
        most = allowed(n, alpha)
        assert most == -1 or at_most(most, n) <= alpha
        assert at_most(most + 1, n) > alpha
        assert (most >= 0) == (n >= needed(alpha))
