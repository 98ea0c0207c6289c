"""What to do next: rules over what was found, each with the evidence that speaks for it.

Queries that fail are sorted by where their evidence is, so none counts for two steps about retrieval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import numpy as np

from ragtui.analysis.targets import Target
from ragtui.report.facts import Facts
from ragtui.report.limits import FALSE_ANSWERS
from ragtui.report.model import Step
from ragtui.stats.one_sided import needed

FEWEST = 3
"""Failing queries that speak for a step; fewer are single cases."""

MOSTLY = 0.5
_Z = NormalDist().inv_cdf(0.975)
_MOST_QUERIES = 100_000


def next_steps(facts: Facts, targets: Sequence[Target]) -> tuple[Step, ...]:
    """Steps that the figures speak for, the weightiest first."""
    found = [*_retrieval(facts), *_stale(facts), *_silence(facts), *_labels(facts), *_targets(targets)]
    return tuple(sorted(found, key=lambda step: -step.weight))


def _retrieval(facts: Facts) -> Iterator[Step]:
    """Where the evidence of failing queries is: deeper in this run, whole in another run, or in none."""
    failing, k, deep = facts.failing, facts.k, facts.deep
    n = int(failing.sum())
    if not n:
        return
    below = failing & facts.complete_at(facts.run, deep) if deep > k else np.zeros_like(failing)
    if (count := int(below.sum())) >= FEWEST:
        yield Step("rerank", count, {"n": count, "of": n, "k": k, "deep": deep})
    rest = failing & ~below
    others = {name: rest & facts.complete_at(name, facts.deep_of(name)) for name in facts.other_runs}
    best = max(others, key=lambda name: int(others[name].sum()), default=None)
    if best is not None and (count := int(others[best].sum())) >= FEWEST:
        early = int((others[best] & facts.complete_at(best, k)).sum())
        ks = {"k": k, "deep": deep, "theirs": facts.deep_of(best)}
        yield Step("fuse", count, {"n": count, "of": n, "early": early, "other": best, **ks})
    left = rest.copy()
    for found in others.values():
        left &= ~found
    if (count := int(left.sum())) >= FEWEST:
        several = int((left & (facts.table.frame["groups"] > 1).to_numpy(dtype=bool)).sum())
        kind = "split-questions" if several > count / 2 else "find"
        yield Step(kind, count, {"n": count, "of": n, "deep": deep, "several": several})


def _stale(facts: Facts) -> Iterator[Step]:
    """Misleading chunks that stand in the first K above all relevant ones."""
    frame = facts.table.frame
    stale, first = frame["stale_rank"].to_numpy(np.float64), frame["first_rank"].to_numpy(np.float64)
    misled = facts.scored & (stale <= facts.k) & ~(first < stale)
    if (count := int(misled.sum())) >= FEWEST:
        yield Step("filter-stale", count, {"n": count, "of": int(facts.scored.sum()), "k": facts.k})


def _silence(facts: Facts) -> Iterator[Step]:
    """Scores that do not tell queries without an answer, or too few of these to show that it stays silent."""
    refusals = None if facts.no_answer is None else facts.no_answer.refusals
    if refusals is None or refusals.auroc.mean is None:
        return
    if refusals.threshold is None:
        value = f"{refusals.auroc.mean:.3f}"
        texts: dict[str, str | int] = {"n": refusals.no_answer, "value": value, "why": refusals.reason}
        yield Step("no-threshold", 0, texts)
    least = needed(FALSE_ANSWERS)
    if refusals.no_answer < least:
        percent = round(100 * FALSE_ANSWERS)
        yield Step("more-no-answer", 0, {"n": refusals.no_answer, "needed": least, "percent": percent})


def _labels(facts: Facts) -> Iterator[Step]:
    """More than half of what stands in the first K has no label."""
    judged = facts.mean(f"judged@{facts.k}")
    if judged is not None and 1 - judged > MOSTLY:
        yield Step("label", 0, {"percent": round(100 * (1 - judged)), "k": facts.k})


def _targets(targets: Sequence[Target]) -> Iterator[Step]:
    if not targets:
        yield Step("set-targets", 0, {"file": "set.toml"})
    for target in targets:
        needed = queries_to_decide(target)
        if needed is not None:
            yield Step("more-queries", 0, {"name": target.name, "n": needed, "have": target.estimate.n})


def queries_to_decide(target: Target) -> int | None:
    """How many queries would tell whether a target is met, were the figure to stay what it is.

    By the normal approximation: the half width of the interval shrinks with the root of n, and has to become
    less than the distance to the target. None where it is decided, or where more than 100,000 are needed.
    """
    estimate = target.estimate
    if (
        target.outcome != "undecided"
        or estimate.mean is None
        or estimate.low is None
        or estimate.high is None
    ):
        return None
    distance = abs(estimate.mean - target.wanted)
    half = (estimate.high - estimate.low) / 2
    if distance * math.sqrt(_MOST_QUERIES / estimate.n) <= half:
        return None
    return math.ceil(estimate.n * (half / distance) ** 2)
