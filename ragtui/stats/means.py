"""Means of per-query tables with their intervals: what stands beside every metric."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.stats.bootstrap import SEED, bootstrap_means, resamples_for
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson


def estimate_means(
    table: pd.DataFrame,
    *,
    binary: Set[str] = frozenset(),
    cluster: pd.Series[Any] | None = None,
    seed: int = SEED,
) -> dict[str, Estimate]:
    """Mean and 95 % interval of every column.

    Args:
        table: one row per query, float columns; NaN is left out, so each column is a mean over its own
            queries.
        binary: columns of 0 and 1, which get Wilson's interval unless there are clusters.
        cluster: by query_id, what queries belong together; a query without one stands alone. None without
            clusters.
        seed: of the bootstrap.
    """
    found: dict[str, Estimate] = {}
    drawn: dict[bytes, list[str]] = {}
    clusters = None if cluster is None else cluster_codes(cluster, table.index)
    if clusters is not None and len(np.unique(clusters)) == len(clusters):
        clusters = None
    for column in table:
        name = str(column)
        values = table[column].to_numpy(dtype=np.float64)
        there = ~np.isnan(values)
        n = int(there.sum())
        mean = float(values[there].mean()) if n else None
        if mean is None:
            found[name] = Estimate(None, None, None, 0, reason="no-queries")
        elif name in binary and clusters is None:
            found[name] = Estimate(mean, *wilson(float(values[there].sum()), n), n, "wilson")
        elif np.ptp(values[there]) == 0:
            found[name] = Estimate(float(values[there][0]), None, None, n, reason="all-equal")
        elif clusters is not None and len(np.unique(clusters[there])) == 1:
            found[name] = Estimate(mean, None, None, n, reason="one-cluster")
        else:
            found[name] = Estimate(mean, None, None, n)
            drawn.setdefault(there.tobytes(), []).append(name)
    for together in drawn.values():
        found |= _bootstrapped(table[together], found, clusters, seed)
    return found


def cluster_codes(cluster: pd.Series[Any], ids: pd.Index[Any]) -> npt.NDArray[np.intp]:
    """(n,) code of the cluster of each query; a query without a cluster has a code of its own."""
    codes, names = pd.factorize(cluster.reindex(ids).to_numpy(dtype=object))
    alone = codes < 0
    codes = codes.astype(np.intp)
    codes[alone] = len(names) + np.arange(int(alone.sum()))
    return codes


def cluster_sums(
    values: npt.NDArray[np.float64], codes: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(g, c) sums of the rows of `values` over each cluster, and (g,) how many rows each has."""
    _, codes = np.unique(codes, return_inverse=True)
    sums = [np.bincount(codes, weights=column) for column in values.T]
    return np.column_stack(sums), np.bincount(codes).astype(np.float64)


def _bootstrapped(
    table: pd.DataFrame, means: Mapping[str, Estimate], clusters: npt.NDArray[np.intp] | None, seed: int
) -> dict[str, Estimate]:
    """Intervals of columns that have the same queries, from the same draws."""
    values = table.to_numpy(dtype=np.float64)
    there = ~np.isnan(values[:, 0])
    values = values[there]
    sizes: npt.NDArray[np.float64] | None = None
    if clusters is not None:
        values, sizes = cluster_sums(values, clusters[there])
    low, high = bootstrap_means(values, weights=sizes, seed=seed)
    kind = "bootstrap" if clusters is None else "cluster-bootstrap"
    method = f"{kind}, {resamples_for(len(values))} resamples, seed {seed}"
    found: dict[str, Estimate] = {}
    for name, lower, upper in zip(map(str, table), low.tolist(), high.tolist(), strict=True):
        mean, n = means[name].mean, means[name].n
        if lower < upper:
            found[name] = Estimate(mean, lower, upper, n, method)
        else:
            found[name] = Estimate(mean, None, None, n, reason="clusters-equal")
    return found
