"""What a threshold does to a sample: four rates, each with its count, its n and an interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.calibration.sample import MISSED, NO_ANSWER, Counts, Sample
from ragtui.stats.intervals import wilson
from ragtui.stats.means import estimate_means
from ragtui.stats.one_sided import at_most

Method = Literal["held-out", "cross-fitted", "fitted"]

NAMES = ("false_answer", "false_refusal", "coverage", "risk")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of n queries.

    Attributes:
        value: None where n is 0.
        low, high: 95 %, None where there is no interval.
    """

    value: float | None
    count: int
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """What a threshold does.

    Attributes:
        split: of the queries that are counted.
        method: `held-out` (a threshold fitted on another split), `cross-fitted` (each part of the split under
            thresholds fitted on the other parts; an estimate, without intervals) or `fitted` (the split it
            was fitted on, and so too good).
        false_answer: answered ÷ no-answer.
        false_refusal: refused ÷ answerable.
        coverage: answered ÷ all.
        risk: no-answer or missed among the answered ÷ answered.
        at_most: one-sided 95 % Clopper–Pearson bound of false_answer; only for `held-out`.
    """

    split: str | None
    method: Method
    false_answer: Rate
    false_refusal: Rate
    coverage: Rate
    risk: Rate
    at_most: float | None = None


def rates_of_counts(counts: Counts, split: str | None, method: Method) -> Rates:
    """Rates of counts with Wilson's intervals, which take queries as independent; none for `cross-fitted`."""

    def rate(count: int, n: int) -> Rate:
        if not n:
            return Rate(None, count, n)
        ends = (None, None) if method == "cross-fitted" else wilson(count, n)
        return Rate(count / n, count, n, *ends)

    bound = at_most(counts.false_answers, counts.no_answer) if method == "held-out" else None
    return Rates(
        split,
        method,
        false_answer=rate(counts.false_answers, counts.no_answer),
        false_refusal=rate(counts.false_refusals, counts.answerable),
        coverage=rate(counts.answered, counts.queries),
        risk=rate(counts.wrong, counts.answered),
        at_most=bound if counts.no_answer else None,
    )


def rates_at(sample: Sample, threshold: float, method: Method) -> Rates:
    """Rates of a threshold, in the units of the run; with clusters their intervals are bootstrapped."""
    counts = sample.counts_at(threshold)
    plain = rates_of_counts(counts, sample.split, method)
    if sample.clusters is None:
        return plain
    answered = sample.answers(threshold)
    ends = _cluster_ends(sample, answered)
    return replace(
        plain,
        **{name: replace(getattr(plain, name), low=low, high=high) for name, (low, high) in ends.items()},
    )


def _cluster_ends(
    sample: Sample, answered: npt.NDArray[np.bool_]
) -> dict[str, tuple[float | None, float | None]]:
    is_no_answer = sample.kind == NO_ANSWER
    columns = {
        "false_answer": np.where(is_no_answer, answered, np.nan),
        "false_refusal": np.where(is_no_answer, np.nan, ~answered),
        "coverage": answered.astype(np.float64),
        "risk": np.where(answered, is_no_answer | (sample.kind == MISSED), np.nan),
    }
    index = pd.RangeIndex(len(sample))
    estimates = estimate_means(
        pd.DataFrame(columns, index=index), binary=set(NAMES), cluster=pd.Series(sample.clusters, index=index)
    )
    return {name: (estimate.low, estimate.high) for name, estimate in estimates.items()}
