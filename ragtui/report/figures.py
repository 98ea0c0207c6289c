"""The four figures of the owner's page: complete, near the top, clean, silent where there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.analysis.targets import Target
from ragtui.metrics.catalogue import metric_of
from ragtui.report.facts import Facts
from ragtui.report.model import Figure
from ragtui.stats.estimate import Estimate

FIGURES = 4


def figures(facts: Facts, targets: Sequence[Target]) -> tuple[Figure, ...]:
    """Four figures of a run, the most telling that there are.

    All evidence, and the primary metric. How clean: useful chunks by a judge that is believed, else
    misleading ones where gold labels any, else how early the first evidence is. How silent where there is no
    answer: false answers under a threshold that may be used, else whether scores tell these queries apart.
    What is lacking is made up by any hit and by recall.
    """
    k = facts.k
    candidates = [("complete", f"complete@{k}"), ("primary", facts.primary)]
    useful = f"context_useful@{k}"
    judge = facts.judge_of(useful)
    if judge is not None and judge.name.is_believed and judge.name.model:
        candidates.append(("useful", useful))
    elif facts.has_distractors:
        candidates.append(("stale", f"stale@{k}"))
    else:
        candidates.append(("mrr", f"mrr@{k}"))
    refusals = None if facts.no_answer is None else facts.no_answer.refusals
    if refusals is not None and refusals.estimate("false_answer") is not None:
        candidates.append(("false-answer", "false_answer"))
    elif refusals is not None and refusals.auroc.mean is not None:
        candidates.append(("auroc", "auroc"))
    candidates += [("hit", f"hit@{k}"), ("recall", f"recall@{k}"), ("mrr", f"mrr@{k}")]
    by_name = {target.name: target for target in targets}
    found: dict[str, Figure] = {}
    for kind, name in candidates:
        estimate = facts.estimate(name)
        if name not in found:
            found[name] = Figure(kind, name, estimate, _count(facts, name, estimate), by_name.get(name))
    return tuple(found.values())[:FIGURES]


def _count(facts: Facts, name: str, estimate: Estimate) -> int | None:
    """How many queries have it, where each has it or has it not."""
    refusals = None if facts.no_answer is None else facts.no_answer.refusals
    if refusals is not None and name in refusals.rates:
        return refusals.rates[name][1]
    metric = metric_of(name)
    if metric is None or not metric.binary or estimate.mean is None:
        return None
    return round(estimate.mean * estimate.n)
