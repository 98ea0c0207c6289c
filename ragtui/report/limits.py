"""What the numbers of a report do not show: said whether anybody asks or not."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.report.facts import Facts
from ragtui.report.model import Basis, Limit


def limits(facts: Facts, basis: Basis) -> tuple[Limit, ...]:
    """What cannot be read from a report, what concerns all of it first."""
    return tuple(_limits(facts, basis))


def _limits(facts: Facts, basis: Basis) -> Iterator[Limit]:
    yield Limit("answers", {})
    yield Limit("these-queries", {"n": basis.scored})
    if basis.chosen == "best":
        yield Limit("best-of-several", {"n": len(basis.runs), "metric": basis.primary})
    if basis.where:
        yield Limit("filter", {"where": basis.where})
    yield from _made_up(facts)
    judged = facts.mean(f"judged@{facts.k}")
    if judged is not None and judged < 1:
        yield Limit("unlabelled", {"percent": round(100 * (1 - judged)), "k": facts.k})
    annotators = facts.table.at_any_k.gold["annotator"].nunique()
    if annotators < 2:
        yield Limit("one-annotator", {})
    if not basis.no_answer:
        yield Limit("no-no-answer", {})
    if facts.workspace.run(facts.run).latency_ms is None:
        yield Limit("no-latency", {"run": basis.run})


def _made_up(facts: Facts) -> Iterator[Limit]:
    origin = facts.table.frame["origin"]
    synthetic = int((origin == "synthetic").sum())
    if synthetic:
        yield Limit("synthetic", {"n": synthetic, "of": len(origin)})
    if not (origin == "log").any():
        yield Limit("no-logs", {})
