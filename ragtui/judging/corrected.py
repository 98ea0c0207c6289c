"""Judged means corrected by what people say of a part of what was judged.

The mean of people's values on everything is estimated as the judged mean plus the mean of people − judge on
the labelled part (prediction-powered inference, Angelopoulos et al. 2023). Both parts have a variance, and
both are in the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.judging.card import Card

FEWEST_QUERIES = 30
_Z = NormalDist().inv_cdf(0.975)

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected mean.

    Attributes:
        mean: None where it cannot be given; `reason` says why: `few-labelled` (below 30 labelled queries),
            `no-better-than-chance` (the judge adds nothing to the labels), `cannot-be-decided` (kappa has no
            interval), `no-queries`.
        low, high: 95 % interval by the normal approximation, within [0, 1].
        n: queries or contexts that were judged.
        labelled: how many of them people labelled.
        reason: `""` where there is a mean.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    labelled: int
    reason: str = ""


def corrected_mean(judged: pd.Series[Any], people: pd.Series[Any], card: Card) -> Corrected:
    """A score's mean over queries, corrected; at least 30 queries have to be labelled.

    Args:
        judged: index query_id, the score by the judge, NaN where it has no value.
        people: the same score from labels of people, NaN where contexts are without a label.
        card: of the judge.
    """
    judged = judged.dropna()
    pairs = pd.concat([judged, people], axis=1, join="inner").dropna().to_numpy(np.float64)
    unusable = _unusable(card, len(judged), len(pairs))
    if not unusable and len(pairs) < FEWEST_QUERIES:
        unusable = "few-labelled"
    if unusable:
        return Corrected(None, None, None, len(judged), len(pairs), unusable)
    values, differences = judged.to_numpy(np.float64), pairs[:, 1] - pairs[:, 0]
    variance = _variance(values, np.arange(len(values))) + _variance(differences, np.arange(len(pairs)))
    return _interval(values, differences, variance)


def corrected_share(contexts: pd.DataFrame, card: Card) -> Corrected:
    """Share of useful contexts, corrected; for sets with too few labelled queries for `corrected_mean`.

    Contexts of one query belong together, so the variance is that of a mean of clusters.

    Args:
        contexts: columns query_id, `value` (0 or 1 by the judge), `label` (by people, NaN without).
        card: of the judge.
    """
    contexts = contexts[contexts["value"].notna()]
    labelled = contexts[contexts["label"].notna()]
    unusable = _unusable(card, len(contexts), len(labelled))
    if unusable:
        return Corrected(None, None, None, len(contexts), len(labelled), unusable)
    values = contexts["value"].to_numpy(np.float64)
    differences = (labelled["label"] - labelled["value"]).to_numpy(np.float64)
    variance = _variance(values, _codes(contexts)) + _variance(differences, _codes(labelled))
    return _interval(values, differences, variance)


def _unusable(card: Card, n: int, labelled: int) -> str:
    if not n or not labelled:
        return "no-queries" if not n else "few-labelled"
    if card.kappa.low is None:
        return "cannot-be-decided"
    return "" if card.better_than_chance else "no-better-than-chance"


def _interval(values: Values, differences: Values, variance: float) -> Corrected:
    mean = float(values.mean() + differences.mean())
    half = _Z * math.sqrt(variance)
    low, middle, high = np.clip([mean - half, mean, mean + half], 0.0, 1.0).tolist()
    return Corrected(middle, low, high, len(values), len(differences))


def _codes(contexts: pd.DataFrame) -> npt.NDArray[np.intp]:
    return pd.factorize(contexts["query_id"])[0].astype(np.intp)


def _variance(values: Values, codes: npt.NDArray[np.intp]) -> float:
    """Variance of a mean over clusters: of the sums of deviations in each, with the usual g ÷ (g − 1)."""
    clusters = int(codes.max()) + 1
    if clusters < 2:
        return math.inf
    sums = np.bincount(codes, weights=values - values.mean())
    return float((sums**2).sum() / len(values) ** 2 * clusters / (clusters - 1))
