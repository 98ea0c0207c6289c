"""How wrong answers grow as more is answered: the curve of risk over coverage, and its area."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.sample import FOUND, Sample


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """Risk at every coverage that a threshold can give.

    Attributes:
        threshold: (m,) distinct scores in the units of the run, the strictest first.
        coverage: (m,) answered ÷ all, rising.
        risk: (m,) no-answer or missed among the answered ÷ answered.
        area: mean of the risk over the answers, one step each (Geifman and El-Yaniv 2017); queries of equal
            score are answered together and share the risk at the end of their step. None where no query has
            a score.
        best: the area of the best order there is: all that is found before all that is not.
        chance: the area of no order at all, which is the risk of answering everything.
    """

    threshold: npt.NDArray[np.float64]
    coverage: npt.NDArray[np.float64]
    risk: npt.NDArray[np.float64]
    area: float | None
    best: float | None
    chance: float | None

    def thinned(self, points: int) -> RiskCoverage:
        """The same curve with at most so many points, the first and the last among them."""
        m = len(self.threshold)
        if m <= points:
            return self
        kept = np.unique(np.linspace(0, m - 1, points).round().astype(np.intp))
        return RiskCoverage(
            self.threshold[kept], self.coverage[kept], self.risk[kept], self.area, self.best, self.chance
        )


def risk_coverage(sample: Sample) -> RiskCoverage:
    """The curve of a sample; queries without a score are never answered, but count in the coverage."""
    scored = sample.strength > -np.inf
    wrong = sample.kind[scored] != FOUND
    levels, place = np.unique(-sample.strength[scored], return_inverse=True)
    steps = np.bincount(place, minlength=len(levels))
    answered = np.cumsum(steps)
    risk = np.cumsum(np.bincount(place[wrong], minlength=len(levels))) / answered
    n = int(scored.sum())
    if not n:
        empty = np.empty(0)
        return RiskCoverage(empty, empty, empty, None, None, None)
    n_wrong = int(wrong.sum())
    late = np.arange(1, n_wrong + 1)
    return RiskCoverage(
        threshold=-levels * sample.sign,
        coverage=answered / len(sample),
        risk=risk,
        area=float((steps * risk).sum() / n),
        best=float((late / (n - n_wrong + late)).sum() / n),
        chance=n_wrong / n,
    )
