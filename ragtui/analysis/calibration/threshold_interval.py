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
    scores of the answerable queries: a threshold below one of them and above the next would let in no-answer
    queries alone.
    """
    is_no_answer = sample.kind == NO_ANSWER
    levels = -np.unique(-sample.strength[~is_no_answer])
    scored = int((levels > -np.inf).sum())
    # a no-answer query counts from the first threshold on that answers it; one more place is for the others
    place = np.searchsorted(-levels, -sample.strength)
    drawn = (
        _Queries(place, is_no_answer, len(levels) + 1)
        if sample.clusters is None
        else _Clusters(place, is_no_answer, len(levels) + 1, sample.clusters)
    )
    resamples = resamples_for(len(sample))
    rng = np.random.default_rng(seed)
    best = np.full(resamples, -1)
    block = max(1, min(resamples, _CELLS // (len(levels) + 1)))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        answerable, no_answer = drawn.answered(rng, size)
        merit = rule.merit(
            Answered(
                answerable[:, :scored],
                no_answer[:, :scored],
                np.maximum(answerable[:, -1:], 1),
                np.maximum(no_answer[:, -1:], 1),
                prior,
            )
        )
        last = scored - 1 - np.argmax(merit[:, ::-1], axis=1)
        found = merit[np.arange(size), last] > NEVER
        best[start : start + size] = np.where(found, _drawn_at(answerable, no_answer, last), -1)
    return _interval(levels * sample.sign, best, sample.clusters is not None)


def _drawn_at(
    answerable: npt.NDArray[np.int64], no_answer: npt.NDArray[np.int64], last: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """(b,) the first place that answers as much as the place `last`: one whose query was drawn."""
    total = answerable + no_answer
    return np.asarray(np.argmax(total >= total[np.arange(len(last)), last][:, None], axis=1))


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

    def __init__(self, place: npt.NDArray[np.intp], is_no_answer: npt.NDArray[np.bool_], places: int) -> None:
        self._width = places
        self._places = tuple(place[kind].astype(np.int64) for kind in (~is_no_answer, is_no_answer))

    def answered(
        self, rng: np.random.Generator, resamples: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """(resamples, places) how many answerable and no-answer queries were drawn up to each place."""
        answerable, no_answer = (self._drawn(rng, resamples, places) for places in self._places)
        return answerable, no_answer

    def _drawn(
        self, rng: np.random.Generator, resamples: int, places: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        n = len(places)
        # narrow draws take half the random bits, and those are half the work
        drawn = rng.integers(0, n, (resamples, n), dtype=np.uint16 if n <= 0xFFFF else np.uint32)
        at = places[drawn]
        at += np.arange(0, resamples * self._width, self._width)[:, None]
        counts = np.bincount(at.ravel(), minlength=resamples * self._width).reshape(resamples, self._width)
        return np.cumsum(counts, axis=1, out=counts)


class _Clusters:
    """Draws whole clusters, and with them all their queries."""

    def __init__(
        self,
        place: npt.NDArray[np.intp],
        is_no_answer: npt.NDArray[np.bool_],
        places: int,
        clusters: npt.NDArray[np.intp],
    ) -> None:
        names, code = np.unique(clusters, return_inverse=True)
        self._count = len(names)
        self._kinds: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]] = []
        for kind in (~is_no_answer, is_no_answer):
            order = np.argsort(place[kind], kind="stable")
            ends = np.searchsorted(place[kind][order], np.arange(places), "right")
            self._kinds.append((code[kind][order], ends))

    def answered(
        self, rng: np.random.Generator, resamples: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """As `_Queries.answered`."""
        drawn = rng.integers(0, self._count, (resamples, self._count))
        drawn += np.arange(0, resamples * self._count, self._count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=resamples * self._count)
        times = times.reshape(resamples, self._count)
        answerable, no_answer = (self._up_to(times, code, ends) for code, ends in self._kinds)
        return answerable, no_answer

    @staticmethod
    def _up_to(
        times: npt.NDArray[np.int64], code: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.int64]:
        """How many queries there are up to each place, by how often the cluster of each was drawn."""
        sums = np.zeros((len(times), len(code) + 1), dtype=np.int64)
        np.cumsum(times[:, code], axis=1, out=sums[:, 1:])
        return sums[:, ends]
