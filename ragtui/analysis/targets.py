"""Targets of a set against what was measured: met, missed, or not to be told from these queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ragtui.metrics.catalogue import metric_of
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson

LESS_IS_BETTER = frozenset({"false_answer", "false_refusal", "risk"})
"""Figures that are no metrics of lists and should be small."""

Outcome = Literal["met", "missed", "undecided"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a set wants of a figure, and what it got.

    Attributes:
        name: of the figure, such as `complete@5`.
        wanted: the value that `set.toml` names.
        at_most: whether the figure has to be at most that; else at least.
        estimate: what was measured.
        outcome: `undecided` where the interval holds the wanted value, or where there is none.
    """

    name: str
    wanted: float
    at_most: bool
    estimate: Estimate
    outcome: Outcome


def target(name: str, wanted: float, estimate: Estimate, *, at_most: bool | None = None) -> Target:
    """Hold an estimate against what is wanted of it.

    Args:
        name: of the figure.
        wanted: the value to reach.
        estimate: of the figure.
        at_most: whether less is better; None takes it from the catalogue of metrics.
    """
    metric = metric_of(name)
    if at_most is None:
        at_most = name in LESS_IS_BETTER or (metric is not None and metric.higher_is_better is False)
    is_share = metric is None or metric.highest == 1.0
    low, high = bounds(estimate, is_share=is_share)
    outcome: Outcome = "undecided"
    if low is not None and high is not None:
        if at_most:
            outcome = "met" if high <= wanted else "missed" if low > wanted else "undecided"
        else:
            outcome = "met" if low >= wanted else "missed" if high < wanted else "undecided"
    return Target(name, wanted, at_most, estimate, outcome)


def bounds(estimate: Estimate, *, is_share: bool) -> tuple[float | None, float | None]:
    """The interval of an estimate; of a share that all queries have alike, what follows from their number.

    Let p be the true share of queries with that value v, at least Wilson's lower end for n of n. All others
    lie between 0 and 1, so the mean lies between p·v and p·v + 1 − p.
    """
    if estimate.low is not None and estimate.high is not None:
        return estimate.low, estimate.high
    if estimate.reason != "all-equal" or estimate.mean is None or not is_share:
        return None, None
    least, _ = wilson(estimate.n, estimate.n)
    return least * estimate.mean, least * estimate.mean + 1 - least
