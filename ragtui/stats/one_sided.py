"""What few trials can show: the upper bound of a share, and how many trials a bound needs."""

from __future__ import annotations

import math
from functools import lru_cache

from ragtui.stats.intervals import beta_cdf, clopper_pearson

CONFIDENCE = 0.95


def at_most(successes: int, n: int) -> float:
    """One-sided 95 % bound of Clopper and Pearson (1934): the true share is at most this.

    Args:
        successes: 0 to `n`.
        n: trials; nothing is known after 0 of them, and the bound is 1.
    """
    return clopper_pearson(successes, n, 2 * CONFIDENCE - 1)[1] if n else 1.0


def needed(alpha: float) -> int:
    """Trials after which no success at all shows that the share is at most `alpha`, in (0, 1).

    The smallest n with (1 − alpha)^n ≤ .05: 59, 29 and 14 for 5, 10 and 20 %.
    """
    return math.ceil(math.log(1 - CONFIDENCE) / math.log1p(-alpha))


def attainable(n: int) -> float:
    """Lowest bound that `n` trials can show, all without success; 1 without trials."""
    return -math.expm1(math.log(1 - CONFIDENCE) / n) if n else 1.0


@lru_cache(maxsize=4096)
def allowed(n: int, alpha: float) -> int:
    """Most successes among `n` trials whose bound is at most `alpha`; -1 where not even none suffices.

    The bound of c successes is at most alpha where so few have a chance of at most .05 under alpha, which
    is the tail of the binomial: 1 − I_alpha(c + 1, n − c).
    """
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        if 1 - beta_cdf(alpha, middle + 1, n - middle) <= 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return low
