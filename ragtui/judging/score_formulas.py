"""Scores of one query from its verdicts in rank order, and what they could be where verdicts are missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

Known = Sequence[float]
Partly = Sequence[float | None]

_MOST_ASSIGNMENTS = 4096


def average_precision(verdicts: Known) -> float:
    """Mean of precision@i over the ranks i that are useful; 0 where none is.

    ragas's context precision without the 1e-10 in its denominator: a list that is useful throughout, or up to
    some rank and not below it, scores exactly 1.

    Args:
        verdicts: 0 or 1 for each rank.
    """
    useful = 0
    total = 0.0
    for rank, verdict in enumerate(verdicts, 1):
        if verdict:
            useful += 1
            total += useful / rank
    return total / useful if useful else 0.0


def share(verdicts: Known) -> float:
    """Mean of the verdicts: of 0 and 1 the share of 1, of grades the mean grade. At least one is needed."""
    return sum(verdicts) / len(verdicts)


def covered(support: Sequence[Known]) -> float:
    """Share of the statements that at least one context supports.

    Args:
        support: for each statement a 0 or 1 for each context.
    """
    return sum(any(contexts) for contexts in support) / len(support)


def ndcg(grades: Known, others: Known, k: int) -> float | None:
    """Discounted gain of grades in rank order ÷ that of the best order of all grades there are.

    Gain and discount are those of the metric ndcg: 2^g − 1 and log2(i + 1). None where no grade is above 0.

    Args:
        grades: of the ranks, at most `k`.
        others: grades of chunks that are not in the list, so that what was missed counts.
        k: ranks that the best order has.
    """
    best = _discounted(sorted([*grades, *others], reverse=True)[:k])
    return min(_discounted(grades) / best, 1.0) if best else None


def extremes(
    formula: Callable[[Known], float], verdicts: Partly, ends: tuple[float, float]
) -> tuple[float, float]:
    """Least and greatest value of a formula over all ways to set missing verdicts to one end or the other.

    A useful context that comes late lowers average precision, so both ends have to be tried for each. Where
    there are too many ways the ends of the formula's own range are returned: its values for a list that is
    all low, and all high.

    Args:
        formula: of complete verdicts.
        verdicts: None where one is missing.
        ends: lowest and highest value of a verdict.
    """
    gaps = [place for place, verdict in enumerate(verdicts) if verdict is None]
    if 2 ** len(gaps) > _MOST_ASSIGNMENTS:
        return formula([ends[0]] * len(verdicts)), formula([ends[1]] * len(verdicts))
    values = []
    for choice in product(ends, repeat=len(gaps)):
        chosen = iter(choice)
        values.append(formula([next(chosen) if verdict is None else verdict for verdict in verdicts]))
    return min(values), max(values)


def _discounted(grades: Known) -> float:
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))
