"""The bootstrap against scipy's, and against what must hold of it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ragtui.stats import bootstrap
from ragtui.stats.bootstrap import bootstrap_means, resamples_for


def skewed(n: int, columns: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(1).beta(0.5, 1.5, (n, columns))


@pytest.mark.parametrize("n", [8, 60, 300])
def test_the_interval_is_that_of_scipy_but_for_chance(n: int) -> None:
    values = skewed(n, 3)
    low, high = bootstrap_means(values)
    theirs = stats.bootstrap(
        (values,), np.mean, axis=0, n_resamples=10_000, method="percentile", rng=np.random.default_rng(2)
    )
    # an end is the 2.5 % quantile of 10,000 means: its standard error is √(.025 · .975 ÷ 10,000) ÷ density,
    # about 0.027 of the standard deviation of the means; five times that of a difference of two
    tolerance = 5 * np.sqrt(2) * 0.027 * values.std(axis=0) / np.sqrt(n)
    assert (np.abs(low - theirs.confidence_interval.low) < tolerance).all()
    assert (np.abs(high - theirs.confidence_interval.high) < tolerance).all()


def test_the_same_seed_gives_the_same_interval_whatever_stands_beside() -> None:
    values = skewed(40, 4)
    low, high = bootstrap_means(values)
    alone = [bootstrap_means(values[:, [i]]) for i in range(4)]
    np.testing.assert_allclose(low, np.concatenate([ends[0] for ends in alone]), rtol=1e-12)
    np.testing.assert_allclose(high, np.concatenate([ends[1] for ends in alone]), rtol=1e-12)
    other_low, _ = bootstrap_means(values, seed=3)
    assert (low != other_low).any()


def test_draws_are_with_replacement_and_n_each() -> None:
    counts = bootstrap._resampled_sums(np.eye(5), seed=4)  # each column counts one unit
    assert counts.shape == (10_000, 5)
    assert (counts.sum(axis=1) == 5).all()
    # each unit is drawn once on average; the mean of 10,000 counts of variance 0.8 has standard error 0.009
    assert np.abs(counts.mean(axis=0) - 1).max() < 0.045
    # no draw of a unit has chance (4/5)^5 = 0.328
    assert np.abs((counts == 0).mean(axis=0) - 0.8**5).max() < 0.025


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bootstrap._resampled_sums(np.eye(7), seed=4)
    monkeypatch.setattr(bootstrap, "_COUNTS", 30_001)  # 4,285 resamples a product, the last block shorter
    monkeypatch.setattr(bootstrap, "_DRAWS", 100)  # 14 resamples a call
    np.testing.assert_array_equal(bootstrap._resampled_sums(np.eye(7), seed=4), whole)


def test_clusters_are_drawn_whole() -> None:
    # ten clusters of three equal values each are ten values drawn ten times
    of_cluster = skewed(10, 1)
    sums, sizes = of_cluster * 3, np.full(10, 3.0)
    np.testing.assert_allclose(bootstrap_means(sums, weights=sizes), bootstrap_means(of_cluster))


def test_clusters_of_unequal_size_weigh_by_their_queries() -> None:
    # values 1 (one query) and 0 (nine queries): resampled means are 0, 1/10 and 1 with chance 1/4, 1/2, 1/4
    low, high = bootstrap_means(np.array([[1.0], [0.0]]), weights=np.array([1.0, 9.0]), level=0.2)
    assert (low[0], high[0]) == (0.1, 0.1)
    low, high = bootstrap_means(np.array([[1.0], [0.0]]), weights=np.array([1.0, 9.0]))
    assert (low[0], high[0]) == (0.0, 1.0)


def test_many_queries_get_fewer_resamples() -> None:
    assert (resamples_for(20_000), resamples_for(20_001)) == (10_000, 1_000)


def test_every_unit_of_a_large_table_can_be_drawn() -> None:
    n = (1 << 16) + 10
    last_ten = np.arange(n) >= n - 10
    sums = bootstrap._resampled_sums(np.column_stack([np.ones(n), last_ten]), seed=1)
    assert (sums[:, 0] == n).all()
    # 10 draws of the last ten are expected, with variance 10; the mean of 1,000 has standard error 0.1
    assert abs(sums[:, 1].mean() - 10) < 0.5
