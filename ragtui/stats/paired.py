"""Differences between two runs on the same queries: interval, sign-flip test, correction for many tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.stats.bootstrap import SEED, resamples_for
from ragtui.stats.estimate import Estimate
from ragtui.stats.means import cluster_codes, cluster_sums, estimate_means

# Up to here every choice of signs is tried: 2^20 sums take some milliseconds.
EXACT_UP_TO = 20

_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class Paired:
    """The difference of one metric between two runs, in points.

    Attributes:
        baseline, candidate: means over the queries that have both values; None without any.
        difference: candidate − baseline with its interval, over the same queries.
        p: two-sided p of the sign-flip test; None without queries.
        exact: whether every choice of signs was tried.
    """

    baseline: float | None
    candidate: float | None
    difference: Estimate
    p: float | None
    exact: bool


def paired_differences(
    baseline: pd.DataFrame,
    candidate: pd.DataFrame,
    *,
    cluster: pd.Series[Any] | None = None,
    seed: int = SEED,
    estimates: Mapping[str, Estimate] | None = None,
) -> dict[str, Paired]:
    """Compare two per-query tables column by column, over the queries and the columns that they share.

    A query counts for a column where both tables have a value. With clusters whole clusters are drawn, and
    flipped.

    Args:
        baseline: index query_id, float columns, NaN where a metric does not apply.
        candidate: likewise, of the other run.
        cluster: index query_id, what queries belong together; None without clusters.
        seed: of draws and flips.
        estimates: means of `differences` with their intervals, where they have been made already.
    """
    shared = baseline.index[baseline.index.isin(candidate.index)]
    columns = [column for column in baseline if column in candidate]
    first = baseline.loc[shared, columns].astype(np.float64)
    second = candidate.loc[shared, columns].astype(np.float64)
    differences = second - first
    if estimates is None:
        estimates = estimate_means(differences, cluster=cluster, seed=seed)
    codes = np.arange(len(shared)) if cluster is None else cluster_codes(cluster, shared)
    found: dict[str, Paired] = {}
    for column in columns:
        d = differences[column].to_numpy()
        there = ~np.isnan(d)
        if not there.any():
            found[str(column)] = Paired(None, None, estimates[str(column)], None, exact=True)
            continue
        sums, _ = cluster_sums(d[there, None], codes[there])
        p, exact = sign_flip(sums[:, 0], seed=seed)
        found[str(column)] = Paired(
            baseline=float(first[column].to_numpy()[there].mean()),
            candidate=float(second[column].to_numpy()[there].mean()),
            difference=estimates[str(column)],
            p=p,
            exact=exact,
        )
    return found


def sign_flip(differences: npt.NDArray[np.float64], *, seed: int = SEED) -> tuple[float, bool]:
    """Two-sided test that differences are symmetric about 0 (Fisher's randomisation test).

    p is the share of choices of signs whose sum is at least as far from 0. Up to 20 differences other than 0
    all choices are tried; above, m random ones, and p = (b + 1) ÷ (m + 1).

    Returns:
        p, and whether it is exact.
    """
    moved = differences[differences != 0]
    # Sums that differ by rounding alone are the same sum.
    bar = abs(float(moved.sum())) - 1e-9 * float(np.abs(moved).sum())
    if len(moved) <= EXACT_UP_TO:
        sums = np.zeros(1)
        for value in moved:
            sums = np.concatenate([sums + value, sums - value])
        return float((np.abs(sums) >= bar).mean()), True
    flips = resamples_for(len(moved))
    beyond = int((np.abs(_flipped_sums(moved, flips, seed)) >= bar).sum())
    return (beyond + 1) / (flips + 1), False


def _flipped_sums(values: npt.NDArray[np.float64], flips: int, seed: int) -> npt.NDArray[np.float64]:
    """(flips,) sums of `values` under random signs."""
    rng = np.random.default_rng(seed)
    n = len(values)
    size = max(1, _BLOCK // n)
    sums = []
    for start in range(0, flips, size):
        rows = min(size, flips - start)
        bits = rng.integers(0, 256, (rows, (n + 7) // 8), dtype=np.uint8)
        positive = np.unpackbits(bits, axis=1, count=n).astype(np.float64)
        sums.append(2 * (positive @ values) - values.sum())
    return np.concatenate(sums)


def holm(p: Sequence[float]) -> list[float]:
    """Values of p adjusted for all being looked at together (Holm 1979), in the order given."""
    order = np.argsort(p, kind="stable")
    steps = np.asarray(p, dtype=np.float64)[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]
