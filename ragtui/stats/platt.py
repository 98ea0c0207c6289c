"""A logistic curve through scores of two kinds (Platt 1999)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_STEPS = 100
_ENOUGH = 1e-12


def platt(scores: npt.NDArray[np.float64], positive: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and offset: the chance of "positive" at score s is 1 ÷ (1 + exp(−(slope · s + offset))).

    Targets are Platt's, which are never quite 0 or 1, so that the fit exists for separated kinds too. Newton
    steps with halving (Lin, Lin and Weng 2007), on standardised scores, so that any scale will do.

    Args:
        scores: (n,) finite; both kinds occur.
        positive: (n,).
    """
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    middle, spread = float(scores.mean()), float(scores.std()) or 1.0
    design = np.column_stack([(scores - middle) / spread, np.ones(len(scores))])
    curve = np.array([0.0, np.log((n_positive + 1) / (n_negative + 1))])
    loss = _loss(design @ curve, target)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-design @ curve))
        gradient = design.T @ (chance - target)
        hessian = (design * (chance * (1 - chance))[:, None]).T @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        share = 1.0
        while (lower := _loss(design @ (curve - share * step), target)) > loss and share > 1e-10:
            share /= 2
        curve = curve - share * step
        if loss - lower <= _ENOUGH * (1 + abs(loss)):
            break
        loss = lower
    slope = float(curve[0]) / spread
    return slope, float(curve[1]) - slope * middle


def _loss(logit: npt.NDArray[np.float64], target: npt.NDArray[np.float64]) -> float:
    """Cross entropy."""
    return float((np.logaddexp(0, logit) - target * logit).sum())
