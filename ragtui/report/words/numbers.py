"""How numbers are written in a report: shares of queries in per cent, other metrics with three decimals."""

from __future__ import annotations

from ragtui.metrics.catalogue import metric_of
from ragtui.stats.estimate import Estimate

NOTHING = "–"
RATES = frozenset({"false_answer", "false_refusal", "coverage", "risk"})
"""Shares of queries that are no metrics of lists."""


def percent(share: float) -> str:
    """`67.8 %`."""
    return f"{100 * share:.1f} %"


def is_share(name: str) -> bool:
    """Whether a figure counts queries, so that it is written in per cent: metrics of 0 and 1, and rates."""
    metric = metric_of(name)
    return name in RATES or (metric is not None and metric.binary)


def number(name: str, value: float | None) -> str:
    """A value of the figure called `name`."""
    if value is None:
        return NOTHING
    if is_share(name):
        return percent(value)
    metric = metric_of(name)
    text = f"{value:.1f}" if metric is not None and metric.highest is None else f"{value:.3f}"
    return text.replace("-", "\u2212")


def difference(name: str, value: float | None) -> str:
    """A difference of two values of the figure, with its sign: in points where it counts queries."""
    if value is None:
        return NOTHING
    text = f"{100 * value:+.1f}" if is_share(name) else f"{value:+.3f}"
    return text.replace("-", "\u2212")


def interval(name: str, estimate: Estimate) -> str | None:
    """`57.6–76.5 %`, or `−0.248, −0.026` where a dash would be read as a sign; None without an interval."""
    if estimate.low is None or estimate.high is None:
        return None
    low, high = number(name, estimate.low), number(name, estimate.high)
    return f"{low}, {high}" if estimate.low < 0 else f"{low.removesuffix(' %')}–{high}"
