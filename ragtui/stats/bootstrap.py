"""Percentile bootstrap of means, many columns at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SEED = 20_240_229
MANY_QUERIES = 20_000

# Draws counted in one call: many enough to keep numpy busy, few enough for their counts to stay in the cache.
_DRAWS = 100_000
# Counts multiplied with the table in one product.
_COUNTS = 1_000_000


def resamples_for(n: int) -> int:
    """Resamples that `n` queries get: 10,000, and 1,000 above 20,000, where the interval is narrow anyway."""
    return 10_000 if n <= MANY_QUERIES else 1_000


def bootstrap_means(
    values: npt.NDArray[np.float64],
    *,
    weights: npt.NDArray[np.float64] | None = None,
    seed: int = SEED,
    level: float = 0.95,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Percentile interval (Efron 1979) of the mean of every column.

    Args:
        values: (n, c) one row per unit drawn, no NaN. With weights a row is the sum over its cluster.
        weights: (n,) how many values each row is the sum of; 1 each for None.
        seed: of the draws; the same seed and shape give the same draws.
        level: share of resampled means between the two ends.

    Returns:
        (c,) lower and (c,) upper ends.
    """
    sizes = np.ones(len(values)) if weights is None else weights
    sums = _resampled_sums(np.column_stack([values, sizes]), seed)
    means = sums[:, :-1] / sums[:, -1:]
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high


def _resampled_sums(table: npt.NDArray[np.float64], seed: int) -> npt.NDArray[np.float64]:
    """(resamples, c) sums of the rows that each resample drew: how often each was drawn, times the table."""
    n = len(table)
    resamples = resamples_for(n)
    rng = np.random.default_rng(seed)
    sums = np.empty((resamples, table.shape[1]))
    counts = np.empty((min(resamples, max(1, _COUNTS // n)), n))
    drawn_at_once = max(1, _DRAWS // n)
    for start in range(0, resamples, len(counts)):
        block = counts[: resamples - start]
        for first in range(0, len(block), drawn_at_once):
            few = block[first : first + drawn_at_once]
            few[:] = _counts(rng, *few.shape)
        np.matmul(block, table, out=sums[start : start + len(block)])
    return sums


def _counts(rng: np.random.Generator, resamples: int, n: int) -> npt.NDArray[np.intp]:
    """(resamples, n) how often each of n units was drawn in n draws with replacement."""
    drawn = rng.integers(0, n, (resamples, n))
    drawn += np.arange(0, resamples * n, n)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * n).reshape(resamples, n)
