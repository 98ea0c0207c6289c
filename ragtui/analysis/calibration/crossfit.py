"""Estimates for a set too small to be held out: each part under thresholds fitted on the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.fit import Chosen, Reason, choose
from ragtui.analysis.calibration.rates import Rates, rates_of_counts
from ragtui.analysis.calibration.rules import Rule
from ragtui.analysis.calibration.sample import FOUND, KINDS, MISSED, NO_ANSWER, Counts, Sample
from ragtui.stats.bootstrap import SEED

FOLDS = 10


def folds(sample: Sample, seed: int = SEED) -> npt.NDArray[np.intp]:
    """(n,) fold of each query: ten, or as many as the rarer kind has queries; clusters stay together.

    Kinds are spread evenly: of each kind, shuffled, every tenth query goes to the same fold. A cluster goes
    where its first query goes.
    """
    is_no_answer = sample.kind == NO_ANSWER
    count = max(1, min(FOLDS, int(is_no_answer.sum()), int((~is_no_answer).sum())))
    order = np.random.default_rng(seed).permutation(len(sample))
    order = order[np.argsort(sample.kind[order], kind="stable")]
    fold = np.empty(len(sample), dtype=np.intp)
    if sample.clusters is None:
        fold[order] = np.arange(len(sample)) % count
        return fold
    clusters, first, place = np.unique(sample.clusters[order], return_index=True, return_inverse=True)
    of_cluster = np.empty(len(clusters), dtype=np.intp)
    of_cluster[np.argsort(first)] = np.arange(len(clusters)) % count
    fold[order] = of_cluster[place]
    return fold


def cross_fitted(sample: Sample, rule: Rule, prior: float | None = None, seed: int = SEED) -> Rates | Reason:
    """Rates over a sample, each fold under the threshold that the other folds choose.

    They estimate what the rule does to new queries when it is fitted on nine tenths of these. The folds share
    queries to fit on, so no bound is given.
    """
    is_no_answer = sample.kind == NO_ANSWER
    answered = np.zeros(len(sample), dtype=bool)
    for inside in parts(sample, seed):
        chosen = choose(sample.strength[~inside], is_no_answer[~inside], rule, prior)
        if not isinstance(chosen, Chosen):
            return Reason("fold", (("why", chosen.text),))
        answered[inside] = sample.strength[inside] >= chosen.strength
    counts = [int((sample.kind == kind).sum()) for kind in range(len(KINDS))]
    hits = [int(answered[sample.kind == kind].sum()) for kind in (FOUND, MISSED, NO_ANSWER)]
    return rates_of_counts(Counts(*counts, *hits), sample.split, "cross-fitted")


def parts(sample: Sample, seed: int = SEED) -> Iterator[npt.NDArray[np.bool_]]:
    """(n,) masks of the folds, one after the other."""
    fold = folds(sample, seed)
    for number in range(int(fold.max(initial=0)) + 1):
        yield fold == number
