"""Percentile bootstrap of means, many columns at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

SEED = 20_240_229
MANY_QUERIES = 20_000

# Draws per block: large enough to keep numpy busy, small enough to stay near the cache.
_BLOCK = 4_000_000


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
    table = np.column_stack([values, sizes])
    sums = np.concatenate([counts @ table for counts in _draws(len(values), seed)])
    means = sums[:, :-1] / sums[:, -1:]
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high


def _draws(n: int, seed: int) -> Iterator[npt.NDArray[np.float64]]:
    """Blocks of (b, n) counts: how often each of n units was drawn in n draws with replacement."""
    rng = np.random.default_rng(seed)
    kind: Any = np.uint16 if n <= 1 << 16 else np.uint32
    left = resamples_for(n)
    while left:
        size = min(left, max(1, _BLOCK // n))
        drawn = rng.integers(0, n, (size, n), dtype=kind).astype(np.int64)
        drawn += np.arange(size)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        left -= size
