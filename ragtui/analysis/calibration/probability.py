"""How likely a query is answerable, given its score: two curves, and how far they can be relied on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.crossfit import parts
from ragtui.analysis.calibration.fit import Reason
from ragtui.analysis.calibration.sample import NO_ANSWER, Sample
from ragtui.stats.bootstrap import SEED
from ragtui.stats.intervals import wilson
from ragtui.stats.isotonic import isotonic
from ragtui.stats.platt import platt

LEAST = 50
"""Queries of each kind that a curve needs."""

BINS = 10

Floats = npt.NDArray[np.float64]
Curve = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Bin:
    """Queries whose predicted probability falls into one tenth.

    Attributes:
        low, high: its edges; the last one holds 1.
        n: how many.
        predicted: their mean prediction.
        answerable: the share of them that is answerable, with Wilson's 95 % interval.
    """

    low: float
    high: float
    n: int
    predicted: float
    answerable: float
    answerable_low: float
    answerable_high: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How predictions compare with what is.

    Attributes:
        ece: expected calibration error (Naeini et al. 2015): mean distance of prediction and share over ten
            bins of equal width, weighted by their queries.
        brier: mean squared error.
        bins: those that hold queries.
    """

    ece: float
    brier: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True, eq=False)
class Fitted:
    """One curve of probability over score.

    Attributes:
        at: maps (m,) scores in the units of the run, NaN for none, to (m,) probabilities of "answerable".
        parameters: what the curve is: `slope` and `offset` of Platt's, or `scores` and `probabilities` of the
            corners of the isotonic one.
        reliability: over queries that the curve was not fitted on.
    """

    at: Curve
    parameters: Mapping[str, float | tuple[float, ...]]
    reliability: Reliability


@dataclass(frozen=True, eq=False)
class Probability:
    """Two curves, and what they were measured on.

    Attributes:
        platt, isotonic: the curves.
        split: what their reliability was measured on.
        held_out: whether that is another split; else it is cross-fitted.
        prior: share of answerable queries that predictions were re-weighted for; None for that of the
            fitted split.
    """

    platt: Fitted
    isotonic: Fitted
    split: str | None
    held_out: bool
    prior: float | None


def probability(fit: Sample, report: Sample, prior: float | None = None) -> Probability | Reason:
    """Fit both curves on one sample and measure them on another, or by cross-fitting where it is the same.

    Reliability is measured without the prior, on the mixture that there is.
    """
    answerable = fit.kind != NO_ANSWER
    fewest = min(int(answerable.sum()), int((~answerable).sum()))
    if fewest < LEAST:
        return Reason("too-few-for-probability", (("n", fewest), ("least", LEAST)))
    return Probability(
        _curve(_platt, fit, report, prior),
        _curve(_isotonic, fit, report, prior),
        split=report.split,
        held_out=report is not fit,
        prior=prior,
    )


def reliability(predicted: Floats, answerable: npt.NDArray[np.bool_]) -> Reliability:
    """Compare (n,) predictions in [0, 1] with what is; n at least 1."""
    place = np.minimum((predicted * BINS).astype(np.intp), BINS - 1)
    found: list[Bin] = []
    for number in range(BINS):
        inside = place == number
        n = int(inside.sum())
        if n:
            hits = int(answerable[inside].sum())
            ends = wilson(hits, n)
            mean = float(predicted[inside].mean())
            found.append(Bin(number / BINS, (number + 1) / BINS, n, mean, hits / n, *ends))
    gap = sum(part.n * abs(part.predicted - part.answerable) for part in found)
    brier = float(((predicted - answerable) ** 2).mean())
    return Reliability(gap / len(predicted), brier, tuple(found))


def reweighted(chance: Floats, base: float, prior: float) -> Floats:
    """Probabilities for another share of answerable queries: the odds times (prior odds ÷ base odds).

    Args:
        chance: (m,) probabilities under `base`.
        base: share of answerable queries that they were fitted on.
        prior: share to change to; both in (0, 1).
    """
    for_, against = chance * prior / base, (1 - chance) * (1 - prior) / (1 - base)
    return np.asarray(for_ / (for_ + against))


_Fit = Callable[[Sample, npt.NDArray[np.bool_]], tuple[Curve, Mapping[str, float | tuple[float, ...]]]]


def _curve(fitted_by: _Fit, fit: Sample, report: Sample, prior: float | None) -> Fitted:
    everything = np.ones(len(fit), dtype=bool)
    curve, parameters = fitted_by(fit, everything)
    if report is fit:
        predicted = np.empty(len(fit))
        for inside in parts(fit, SEED):
            predicted[inside] = fitted_by(fit, ~inside)[0](fit.values[inside])
    else:
        predicted = curve(report.values)
    measured = reliability(predicted, report.kind != NO_ANSWER)
    if prior is None:
        return Fitted(curve, parameters, measured)
    base = float((fit.kind != NO_ANSWER).mean())
    return Fitted(lambda scores: reweighted(curve(scores), base, prior), parameters, measured)


def _platt(
    sample: Sample, rows: npt.NDArray[np.bool_]
) -> tuple[Curve, Mapping[str, float | tuple[float, ...]]]:
    rows = rows & ~np.isnan(sample.values)
    slope, offset = platt(sample.values[rows], sample.kind[rows] != NO_ANSWER)

    def at(scores: Floats) -> Floats:
        logit = np.clip(slope * scores + offset, -700, 700)
        return np.where(np.isnan(scores), 0.0, 1 / (1 + np.exp(-logit)))

    return at, {"slope": slope, "offset": offset}


def _isotonic(
    sample: Sample, rows: npt.NDArray[np.bool_]
) -> tuple[Curve, Mapping[str, float | tuple[float, ...]]]:
    """Rising in strength; between two corners it is straight, outside it stays. Without a score it is 0."""
    rows = rows & ~np.isnan(sample.values)
    strengths, chances = isotonic(sample.strength[rows], (sample.kind[rows] != NO_ANSWER).astype(np.float64))
    corner = np.ones(len(chances), dtype=bool)
    corner[1:-1] = (chances[1:-1] != chances[:-2]) | (chances[1:-1] != chances[2:])
    strengths, chances = strengths[corner], chances[corner]
    sign = sample.sign

    def at(scores: Floats) -> Floats:
        return np.where(np.isnan(scores), 0.0, np.interp(sign * scores, strengths, chances))

    scores = tuple((sign * strengths).tolist())
    return at, {"scores": scores, "probabilities": tuple(chances.tolist())}
