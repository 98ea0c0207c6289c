"""How far a threshold moves from sample to sample: the bootstrap of choosing it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.rules import NEVER, Answered, Rule
from ragtui.analysis.calibration.sample import NO_ANSWER, Sample
from ragtui.stats.bootstrap import SEED, resamples_for

_CELLS = 400_000
"""Counts that are looked at together: few enough to stay in the cache."""


@dataclass(frozen=True, slots=True)
class ThresholdInterval:
    """Percentile interval of a threshold.

    Attributes:
        low, high: 95 %, in the units of the run; None where every resample chose the same (`all-equal`), or
            too many chose none (`often-none`).
        resamples: how many were drawn.
        without: how many of them let the rule choose no threshold; the interval is over the others.
        reason: why there is no interval; `""` where there is one.
        clusters: whether whole clusters were drawn.
    """

    low: float | None
    high: float | None
    resamples: int
    without: int
    reason: str = ""
    clusters: bool = False


def threshold_interval(
    sample: Sample, rule: Rule, prior: float | None = None, seed: int = SEED
) -> ThresholdInterval:
    """Choose a threshold in many resamples of a sample (Efron 1979).

    Queries are drawn with replacement, answerable and no-answer ones apart, so that there are as many of each
    as in the sample; where queries have clusters, whole clusters are drawn. Every resample chooses among the
    scores of the sample.
    """
    levels, place = np.unique(-sample.strength, return_inverse=True)
    scored = int((-levels > -np.inf).sum())
    is_no_answer = sample.kind == NO_ANSWER
    drawn = (
        _Queries(place, is_no_answer, len(levels))
        if sample.clusters is None
        else _Clusters(place, is_no_answer, len(levels), sample.clusters)
    )
    resamples = resamples_for(len(sample))
    rng = np.random.default_rng(seed)
    best = np.full(resamples, -1)
    block = max(1, min(resamples, _CELLS // max(1, len(levels))))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        answerable, no_answer = drawn.counts(rng, size)
        merit = rule.merit(
            Answered(
                np.cumsum(answerable, axis=1)[:, :scored],
                np.cumsum(no_answer, axis=1)[:, :scored],
                np.maximum(answerable.sum(axis=1, keepdims=True), 1),
                np.maximum(no_answer.sum(axis=1, keepdims=True), 1),
                prior,
            )
        )
        first = np.argmax(merit, axis=1)
        found = merit[np.arange(size), first] > NEVER
        best[start : start + size] = np.where(found, first, -1)
    return _interval(-levels * sample.sign, best, sample.clusters is not None)


def _interval(
    levels: npt.NDArray[np.float64], best: npt.NDArray[np.intp], clusters: bool
) -> ThresholdInterval:
    chosen = best[best >= 0]
    without = len(best) - len(chosen)
    if 2 * without > len(best):
        return ThresholdInterval(None, None, len(best), without, "often-none", clusters)
    thresholds = levels[chosen]
    low, high = np.quantile(thresholds, [0.025, 0.975])
    if low == high:
        return ThresholdInterval(None, None, len(best), without, "all-equal", clusters)
    return ThresholdInterval(float(low), float(high), len(best), without, "", clusters)


class _Queries:
    """Draws queries one by one, each kind by itself."""

    def __init__(self, place: npt.NDArray[np.intp], is_no_answer: npt.NDArray[np.bool_], levels: int) -> None:
        self._levels = levels
        self._places = tuple(place[kind].astype(np.int64) for kind in (~is_no_answer, is_no_answer))

    def counts(
        self, rng: np.random.Generator, resamples: int
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(resamples, levels) how many answerable and no-answer queries were drawn at each level."""
        answerable, no_answer = (self._drawn(rng, resamples, places) for places in self._places)
        return answerable, no_answer

    def _drawn(
        self, rng: np.random.Generator, resamples: int, places: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int32]:
        n = len(places)
        # narrow draws take half the random bits, and those are half the work
        drawn = rng.integers(0, n, (resamples, n), dtype=np.uint16 if n <= 0xFFFF else np.uint32)
        at = places[drawn]
        at += np.arange(0, resamples * self._levels, self._levels)[:, None]
        counts = np.bincount(at.ravel(), minlength=resamples * self._levels)
        return counts.reshape(resamples, self._levels).astype(np.int32)


class _Clusters:
    """Draws whole clusters, and with them all their queries."""

    def __init__(
        self,
        place: npt.NDArray[np.intp],
        is_no_answer: npt.NDArray[np.bool_],
        levels: int,
        clusters: npt.NDArray[np.intp],
    ) -> None:
        names, code = np.unique(clusters, return_inverse=True)
        self._count = len(names)
        self._of_kind = []
        for kind in (~is_no_answer, is_no_answer):
            table = np.zeros((levels, len(names)), dtype=np.float32)
            np.add.at(table, (place[kind], code[kind]), 1)
            self._of_kind.append(table.T)

    def counts(
        self, rng: np.random.Generator, resamples: int
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """As `_Queries.counts`."""
        drawn = rng.integers(0, self._count, (resamples, self._count))
        drawn += np.arange(0, resamples * self._count, self._count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=resamples * self._count)
        times = times.reshape(resamples, self._count).astype(np.float32)
        answerable, no_answer = ((times @ table).astype(np.int32) for table in self._of_kind)
        return answerable, no_answer
