"""Which slices do worse than the rest, and whether that may be chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ragtui.report.model import WeakSlice
from ragtui.stats.intervals import wilson
from ragtui.stats.paired import holm

ALPHA = 0.05
LOW_SHOWN = 3

Member = tuple[str, str, npt.NDArray[np.bool_]]
"""Key, value, and which of the scored queries are in that slice."""


def weak_slices(
    complete: npt.NDArray[np.bool_], members: Iterable[Member], *, clustered: bool
) -> tuple[tuple[WeakSlice, ...], tuple[WeakSlice, ...]]:
    """Slices that are decisively worse than the rest, and of the others the lowest; worst first.

    A slice is tested against the rest by Fisher's exact test (1935), one-sided, and p is adjusted for all
    slices that were looked at (Holm 1979). The test holds for queries that stand alone, so with clusters
    nothing is decided.

    Args:
        complete: (n,) whether the evidence of each scored query is complete.
        members: the slices; a slice of all queries or of none is passed over.
        clustered: whether queries belong together.
    """
    found = [slice_ for member in members if (slice_ := _slice(complete, member)) is not None]
    if not found:
        return (), ()
    total, n = int(complete.sum()), len(complete)
    if not clustered:
        adjusted = holm([fewer_by_chance(one.complete, one.n, total, n) for one in found])
        found = [replace(one, p_holm=p) for one, p in zip(found, adjusted, strict=True)]
    weak = [one for one in found if one.p_holm is not None and one.p_holm <= ALPHA]
    low = [one for one in found if one not in weak and one.share < one.rest]
    return tuple(sorted(weak, key=_share)), _apart(sorted(low, key=_share))[:LOW_SHOWN]


def fewer_by_chance(successes: int, drawn: int, total: int, n: int) -> float:
    """Chance of at most so many successes among `drawn` of `n` of which `total` are successes."""
    lowest = max(0, drawn - (n - total))
    logs = [_log_ways(total, i) + _log_ways(n - total, drawn - i) for i in range(lowest, successes + 1)]
    whole = _log_ways(n, drawn)
    return min(1.0, math.fsum(math.exp(log - whole) for log in logs))


def _slice(complete: npt.NDArray[np.bool_], member: Member) -> WeakSlice | None:
    key, value, inside = member
    n = int(inside.sum())
    if not 0 < n < len(complete):
        return None
    successes = int(complete[inside].sum())
    low, high = wilson(successes, n)
    rest = float(complete[~inside].mean())
    return WeakSlice(key, value, n, successes, successes / n, low, high, rest, None)


def _share(one: WeakSlice) -> tuple[float, int]:
    return one.share, -one.n


def _apart(slices: Sequence[WeakSlice]) -> tuple[WeakSlice, ...]:
    """Without those of which the interval holds the share of the rest so well that nothing looks low."""
    return tuple(one for one in slices if one.share < one.rest - 0.05)


def _log_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
