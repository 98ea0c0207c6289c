"""Confidence intervals of a share: Wilson's and the exact one of Clopper and Pearson."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist


def wilson(successes: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Score interval of a share (Wilson 1927), without continuity correction.

    Args:
        successes: 0 to `n`.
        n: trials, at least 1.
        level: share of such intervals that hold the true value.

    Returns:
        Lower and upper end, within [0, 1].
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At 0 and n successes an end is 0 or 1, which rounding would miss.
    low = 0.0 if successes <= 0 else (middle - half) / scale
    high = 1.0 if successes >= n else (middle + half) / scale
    return low, high


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a share (Clopper and Pearson 1934).

    Were the true share outside it, a count as extreme as the one seen would have a chance of at most
    (1 − level) ÷ 2. A one-sided bound of 95 % is the end of a two-sided interval of 90 %. Arguments and
    result as for `wilson`.
    """
    tail = (1 - level) / 2
    low = 0.0
    high = 1.0
    if successes > 0:
        low = _where(lambda p: beta_cdf(p, successes, n - successes + 1), tail)
    if successes < n:
        high = _where(lambda p: beta_cdf(p, successes + 1, n - successes), 1 - tail)
    return low, high


def beta_cdf(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b), for a, b > 0 and x in [0, 1].

    By its continued fraction (DLMF 8.17.22), which converges fast below the mean; above it by symmetry.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = a * math.log(x) + b * math.log1p(-x) - (math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))
    return math.exp(front) / a / _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + …)) by the method of Lentz."""
    tiny = 1e-300
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, 100_000):
        m = step // 2
        if step % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / ((1 + d * lower) or tiny)
        upper = (1 + d / upper) or tiny
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return value


def _where(rising: Callable[[float], float], target: float) -> float:
    """Where a rising function on [0, 1] reaches `target`, by halving until floats end."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return middle
