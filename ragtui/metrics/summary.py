"""Means over the queries of a table of metrics, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.names import parse_name
from ragtui.stats.bootstrap import SEED
from ragtui.stats.estimate import Estimate
from ragtui.stats.means import estimate_means

_NOTHING: Mapping[str, str] = MappingProxyType({})


def summarise(
    table: pd.DataFrame,
    cluster: pd.Series[Any] | None = None,
    seed: int = SEED,
    *,
    unavailable: Mapping[str, str] = _NOTHING,
) -> dict[str, Estimate]:
    """Mean and 95 % interval of every metric column of `RunResult.table`, or of some of its rows.

    Metrics of 0 and 1 get Wilson's interval, the others (and all of them with clusters) a percentile
    bootstrap over queries or clusters. Columns that are no metrics are passed over. The lenient hit on the
    queries that `hit_strict@5` counts is `hit_lenient@5`.

    Args:
        table: index query_id.
        cluster: index query_id, what queries belong together; None without clusters.
        seed: of the bootstrap.
        unavailable: metrics that could not be computed, with the reason; they are named too, without a value.
    """
    names = {str(column): parse_name(str(column)) for column in table}
    columns = {text: name for text, name in names.items() if name is not None and name.metric in METRICS}
    binary = {text for text, name in columns.items() if METRICS[name.metric].is_binary_at(name.k)}
    means = estimate_means(table[list(columns)], binary=binary, cluster=cluster, seed=seed)
    return means | {name: Estimate(None, None, None, 0, reason=why) for name, why in unavailable.items()}
