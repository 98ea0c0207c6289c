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

    All evidence and the primary metric come first; then misleading chunks where gold labels any, any hit, how
    early the first one is, recall.
    """
    k = facts.k
    candidates = [("complete", f"complete@{k}"), ("primary", facts.primary)]
    if facts.has_distractors:
        candidates.append(("stale", f"stale@{k}"))
    candidates += [("hit", f"hit@{k}"), ("mrr", f"mrr@{k}"), ("recall", f"recall@{k}")]
    by_name = {target.name: target for target in targets}
    found: dict[str, Figure] = {}
    for kind, name in candidates:
        estimate = facts.estimate(name)
        if name not in found:
            found[name] = Figure(kind, name, estimate, _count(name, estimate), by_name.get(name))
    return tuple(found.values())[:FIGURES]


def _count(name: str, estimate: Estimate) -> int | None:
    """How many queries have it, where each has it or has it not."""
    metric = metric_of(name)
    if metric is None or not metric.binary or estimate.mean is None:
        return None
    return round(estimate.mean * estimate.n)
