"""Area under the ROC curve of two samples of scores, with an interval that never claims certainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ragtui.stats.intervals import clopper_pearson

LOGIT_DELONG = "logit-delong"
DISJOINT_PAIRS = "disjoint-pairs"


@dataclass(frozen=True, slots=True)
class Auroc:
    """Chance that a positive scores above a negative, ties counting half.

    Attributes:
        value: None where one of the two samples is empty.
        low, high: 95 % interval; None without a value.
        positives, negatives: how many scores of each kind.
        method: `logit-delong`, or `disjoint-pairs` where the variance is 0; `""` without a value.
    """

    value: float | None
    low: float | None
    high: float | None
    positives: int
    negatives: int
    method: str = ""


def auroc(
    positives: npt.NDArray[np.float64], negatives: npt.NDArray[np.float64], level: float = 0.95
) -> Auroc:
    """AUROC by Mann and Whitney (1947) with the variance of DeLong et al. (1988) on the logit scale.

    Where that variance is 0, as for perfect separation, it says nothing of how sure we are. Then the interval
    is that of Clopper and Pearson over as many disjoint pairs of a positive and a negative as there are:
    such pairs are independent trials whose chance of success is the AUROC, whatever the scores look like.

    Args:
        positives: (m,) scores, higher is more positive; minus infinity is allowed, NaN is not.
        negatives: (n,) scores.
        level: share of such intervals that hold the true value.
    """
    m, n = len(positives), len(negatives)
    if not m or not n:
        return Auroc(None, None, None, m, n)
    of_positive, of_negative = _placements(positives, negatives)
    value = float(of_positive.mean())
    variance = _variance(of_positive) / m + _variance(of_negative) / n
    if variance > 0 and 0 < value < 1:
        logit = math.log(value / (1 - value))
        half = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(variance) / (value * (1 - value))
        return Auroc(value, _logistic(logit - half), _logistic(logit + half), m, n, LOGIT_DELONG)
    pairs = min(m, n)
    won = value * pairs
    low, _ = clopper_pearson(math.floor(won), pairs, level)
    _, high = clopper_pearson(math.ceil(won), pairs, level)
    return Auroc(value, low, high, m, n, DISJOINT_PAIRS)


def three_digits(share: float) -> str:
    """As it is shown; what is not quite 0 or 1 is not rounded to it, for [1, 1] would claim certainty."""
    if 0 < share < 1:
        share = min(max(share, 0.001), 0.999)
    return f"{share:.3f}"


def _placements(
    positives: npt.NDArray[np.float64], negatives: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(m,) share of negatives below each positive, and (n,) of positives above each negative; ties half."""
    up, down = np.sort(positives), np.sort(negatives)
    below = np.searchsorted(down, positives, "left") + np.searchsorted(down, positives, "right")
    above = 2 * len(up) - np.searchsorted(up, negatives, "left") - np.searchsorted(up, negatives, "right")
    return below / (2 * len(down)), above / (2 * len(up))


def _variance(values: npt.NDArray[np.float64]) -> float:
    """Unbiased; 0 for a single value, of which nothing can be said."""
    return float(values.var(ddof=1)) if len(values) > 1 else 0.0


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
