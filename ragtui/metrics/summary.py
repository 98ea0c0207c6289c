"""Means over the queries of a table of metrics, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

import pandas as pd

from ragtui.metrics.catalogue import METRICS, metric_of
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
    return summarise_together({"": (table, unavailable)}, cluster, seed)[""]


def summarise_together(
    tables: Mapping[str, tuple[pd.DataFrame, Mapping[str, str]]],
    cluster: pd.Series[Any] | None = None,
    seed: int = SEED,
    *,
    differences: Set[str] = frozenset(),
) -> dict[str, dict[str, Estimate]]:
    """`summarise` of several tables over the same queries, whose metrics share their draws.

    Args:
        tables: a table and what is unavailable, by any name.
        cluster: as in `summarise`.
        seed: of the bootstrap.
        differences: names of tables that hold differences of metrics, of which none is only 0 or 1.
    """
    renamed = {}
    for place, (name, (table, _)) in enumerate(tables.items()):
        renamed[name] = {column: f"{place} {column}" for column in map(str, table) if metric_of(column)}
    whole = pd.concat(
        [
            table[list(columns)].rename(columns=columns)
            for columns, (table, _) in zip(renamed.values(), tables.values(), strict=True)
        ],
        axis=1,
    )
    binary = {
        new
        for name, columns in renamed.items()
        for old, new in columns.items()
        if name not in differences and _is_binary(old)
    }
    means = estimate_means(whole, binary=binary, cluster=cluster, seed=seed)
    return {
        name: {old: means[new] for old, new in renamed[name].items()}
        | {lacking: Estimate(None, None, None, 0, reason=why) for lacking, why in unavailable.items()}
        for name, (_, unavailable) in tables.items()
    }


def _is_binary(column: str) -> bool:
    name = parse_name(column)
    return name is not None and METRICS[name.metric].is_binary_at(name.k)
