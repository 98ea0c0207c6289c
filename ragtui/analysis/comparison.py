"""Two runs on the same queries: paired differences, who finds the first evidence earlier, what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from ragtui.dataset.model import Run
from ragtui.metrics.catalogue import metric_of
from ragtui.stats.estimate import Estimate
from ragtui.stats.paired import Paired, holm, paired_differences

ALPHA = 0.05
WORSE_SHOWN = 10
NOT_HOW_IT_RETRIEVES = frozenset(
    {"command", "git_commit", "git_dirty", "name", "packages", "python", "ragtui", "time"}
)
"""Fields of a run card that say when and by what it was made, and not how it retrieves."""

Verdict = Literal["better", "worse", "undecided"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of both runs, over all queries or over a slice.

    Attributes:
        name: of the metric.
        value: of the slice; `""` for all queries.
        paired: the means and their difference.
        primary: whether it decides by its interval, or by its test where all differences are equal.
        p_holm: p adjusted for all differences that are shown but the primary one; None for that, and without
            queries.
        decisive: whether it is more than chance.
    """

    name: str
    value: str
    paired: Paired
    primary: bool
    p_holm: float | None
    decisive: bool


@dataclass(frozen=True, slots=True)
class FirstRanks:
    """Queries by which run has the first relevant chunk earlier, down to a depth that both reach.

    Attributes:
        wins, losses: queries in which the candidate is earlier, or later.
        ties: those in which it comes at the same rank.
        both_miss: those in which neither has any; they are no ties.
        depth: None where neither card names one and lists are taken whole.
    """

    wins: int
    losses: int
    ties: int
    both_miss: int
    depth: int | None


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds per query: what half and what 95 % of them stay under, over `n` queries."""

    p50: float
    p95: float
    n: int


@dataclass(frozen=True, slots=True)
class Worse:
    """A query that the candidate does worse on: the primary metric, and the first ranks (None for none)."""

    query_id: str
    baseline: float
    candidate: float
    first_rank: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate beside a baseline.

    Attributes:
        queries: that both are compared on.
        verdict: by the primary metric alone.
        metrics: the primary first.
        slices: of the primary metric, by the values of `key`.
        first_rank: whose first evidence is earlier.
        differs: fields of the run cards that differ: name, of the baseline, of the candidate; `""` for none.
        latency: by run; only of runs that record it.
        worse: what got worse first.
    """

    baseline: str
    candidate: str
    queries: int
    verdict: Verdict
    metrics: tuple[Difference, ...]
    key: str
    slices: tuple[Difference, ...]
    first_rank: FirstRanks
    differs: tuple[tuple[str, str, str], ...]
    latency: Mapping[str, Latency]
    worse: tuple[Worse, ...]

    @property
    def primary(self) -> Difference:
        """The difference that decides."""
        return self.metrics[0]


def compare(
    baseline: tuple[Run, pd.DataFrame],
    candidate: tuple[Run, pd.DataFrame],
    primary: str,
    *,
    cluster: pd.Series[Any] | None = None,
    key: str = "",
    slices: Mapping[str, pd.Index[Any]] | None = None,
    estimates: Mapping[str, Estimate] | None = None,
) -> Comparison:
    """Compare two runs over the queries that both tables have.

    Args:
        baseline: the run and its per-query table: index query_id, metrics and `first_rank`.
        candidate: likewise.
        primary: name of the metric that decides, a column of both.
        cluster: index query_id, what queries belong together; None without clusters.
        key: what the slices are by.
        slices: queries of each slice, by its value.
        estimates: mean difference of each metric, where they have been made already.
    """
    (first, before), (second, after) = baseline, candidate
    shared = before.index[before.index.isin(after.index)]
    before, after = before.loc[shared], after.loc[shared]
    metrics = [str(name) for name in before if name in after and metric_of(str(name)) is not None]
    found = paired_differences(before[metrics], after[metrics], cluster=cluster, estimates=estimates)
    over_all = [_difference(name, "", paired, name == primary) for name, paired in found.items()]
    of_slices = [
        _difference(primary, value, _paired(before, after, ids, primary, cluster), False)
        for value, ids in (slices or {}).items()
        if ids.isin(shared).any()
    ]
    adjusted = iter(_adjusted([one for one in (*over_all, *of_slices) if not one.primary]))
    in_order = [one if one.primary else next(adjusted) for one in (*over_all, *of_slices)]
    over_all, of_slices = in_order[: len(over_all)], in_order[len(over_all) :]
    over_all.sort(key=lambda one: not one.primary)
    return Comparison(
        baseline=first.name,
        candidate=second.name,
        queries=len(shared),
        verdict=_verdict(over_all[0]),
        metrics=tuple(over_all),
        key=key,
        slices=tuple(of_slices),
        first_rank=_first_ranks(before["first_rank"], after["first_rank"], _common_depth(first, second)),
        differs=tuple(_differs(first, second)),
        latency={run.name: took for run in (first, second) if (took := latency(run, shared)) is not None},
        worse=tuple(_worse(before, after, primary)),
    )


def latency(run: Run, query_ids: pd.Index[Any]) -> Latency | None:
    """Latency of a run over some queries, stages added up; None where it records none."""
    if run.latency_ms is None:
        return None
    times = run.latency_ms.reindex(query_ids)
    total = times["total"] if "total" in times else times.sum(axis=1, min_count=1)
    known = total.dropna().to_numpy(np.float64)
    if not len(known):
        return None
    p50, p95 = np.quantile(known, [0.5, 0.95]).tolist()
    return Latency(p50, p95, len(known))


def _paired(
    before: pd.DataFrame,
    after: pd.DataFrame,
    ids: pd.Index[Any],
    metric: str,
    cluster: pd.Series[Any] | None,
) -> Paired:
    rows = before.index.isin(ids)
    return paired_differences(before.loc[rows, [metric]], after.loc[rows, [metric]], cluster=cluster)[metric]


def _difference(name: str, value: str, paired: Paired, primary: bool) -> Difference:
    return Difference(name, value, paired, primary, None, primary and _decides(paired))


def _decides(paired: Paired) -> bool:
    """Whether the interval of a difference leaves out 0; without one whether the test says so."""
    low, high = paired.difference.low, paired.difference.high
    if low is None or high is None:
        return paired.p is not None and paired.p <= ALPHA
    return low > 0 or high < 0


def _adjusted(differences: list[Difference]) -> list[Difference]:
    tested = [one for one in differences if one.paired.p is not None]
    adjusted = iter(holm([one.paired.p for one in tested if one.paired.p is not None]))
    found = []
    for one in differences:
        p = None if one.paired.p is None else next(adjusted)
        found.append(replace(one, p_holm=p, decisive=p is not None and p <= ALPHA))
    return found


def _verdict(primary: Difference) -> Verdict:
    if not primary.decisive or primary.paired.difference.mean is None:
        return "undecided"
    metric = metric_of(primary.name)
    sign = -1 if metric is not None and metric.higher_is_better is False else 1
    return "better" if sign * primary.paired.difference.mean > 0 else "worse"


def _common_depth(first: Run, second: Run) -> int | None:
    depths = [run.depth for run in (first, second) if run.depth is not None]
    return min(depths, default=None)


def _first_ranks(before: pd.Series[Any], after: pd.Series[Any], depth: int | None) -> FirstRanks:
    ranks = [series.to_numpy(np.float64) for series in (before, after)]
    deepest = np.inf if depth is None else depth
    old, new = (np.where(rank <= deepest, rank, np.inf) for rank in ranks)  # NaN is none of them
    both_miss = np.isinf(old) & np.isinf(new)
    return FirstRanks(
        wins=int((new < old).sum()),
        losses=int((new > old).sum()),
        ties=int(((new == old) & ~both_miss).sum()),
        both_miss=int(both_miss.sum()),
        depth=depth,
    )


def _differs(first: Run, second: Run) -> list[tuple[str, str, str]]:
    old, new = ({} if run.card is None else run.card.fields for run in (first, second))
    names = [name for name in dict.fromkeys([*old, *new]) if name not in NOT_HOW_IT_RETRIEVES]
    return [
        (name, str(old.get(name, "")), str(new.get(name, "")))
        for name in names
        if old.get(name) != new.get(name)
    ]


def _worse(before: pd.DataFrame, after: pd.DataFrame, primary: str) -> list[Worse]:
    metric = metric_of(primary)
    sign = -1 if metric is not None and metric.higher_is_better is False else 1
    change = sign * (after[primary] - before[primary])
    worst = change[change < 0].sort_values(kind="stable").index[:WORSE_SHOWN]
    old, new = (table.loc[worst, [primary, "first_rank"]].to_numpy(np.float64) for table in (before, after))
    return [
        Worse(str(query_id), was[0], now[0], (_rank(was[1]), _rank(now[1])))
        for query_id, was, now in zip(worst, old.tolist(), new.tolist(), strict=True)
    ]


def _rank(value: float) -> int | None:
    return None if np.isnan(value) else int(value)
