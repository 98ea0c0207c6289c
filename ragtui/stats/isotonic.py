"""Isotonic regression: the rising steps nearest to a cloud of points."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def isotonic(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Least squares fit that never falls, by pooling adjacent violators (Ayer et al. 1955).

    Args:
        x: (n,) no NaN; equal ones get one value. n at least 1.
        y: (n,) values to fit.

    Returns:
        (k,) distinct `x`, ascending, and (k,) the fitted value at each.
    """
    knots, place = np.unique(x, return_inverse=True)
    weights = np.bincount(place).astype(np.float64)
    means = np.bincount(place, weights=y) / weights
    levels: list[float] = []
    masses: list[float] = []
    sizes: list[int] = []
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        level, mass, size = mean, weight, 1
        while levels and levels[-1] >= level:
            before = masses.pop()
            level = (levels.pop() * before + level * mass) / (before + mass)
            mass += before
            size += sizes.pop()
        levels.append(level)
        masses.append(mass)
        sizes.append(size)
    return knots, np.repeat(levels, sizes)
