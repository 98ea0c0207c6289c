"""What the numbers of a report do not show: said whether anybody asks or not."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.report.facts import Facts
from ragtui.report.model import Basis, Limit
from ragtui.stats.one_sided import needed

FALSE_ANSWERS = 0.05
"""Share of false answers that a set should be able to show."""


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
    newest = facts.newest_gold
    if newest > basis.gold_version:
        yield Limit("corrected-gold", {"n": newest, "used": basis.gold_version})
    annotators = facts.table.at_any_k.gold["annotator"].unique()
    if len(annotators) < 2:
        yield Limit("one-annotator" if any(annotators) else "no-annotator", {})
    yield from _silence(facts)
    yield from _judged(facts)
    if facts.workspace.run(facts.run).latency_ms is None:
        yield Limit("no-latency", {"run": basis.run})


def _silence(facts: Facts) -> Iterator[Limit]:
    """Queries without an answer: none, too few to show little, or a threshold that is only estimated."""
    if facts.no_answer is None:
        yield Limit("no-no-answer", {})
        return
    refusals = facts.no_answer.refusals
    if refusals is not None and refusals.no_answer < needed(FALSE_ANSWERS):
        least = needed(FALSE_ANSWERS)
        percent = round(100 * FALSE_ANSWERS)
        yield Limit("few-no-answer", {"n": refusals.no_answer, "needed": least, "percent": percent})


def _judged(facts: Facts) -> Iterator[Limit]:
    """Usefulness: nobody asked a judge, or only judges that nobody measured."""
    asked = [judge for judge in facts.judges[0] if judge.name.model]
    if not asked:
        yield Limit("no-judge", {})
    elif not any(judge.name.is_believed for judge in asked):
        yield Limit("no-believed-judge", {"n": len(asked)})


def _made_up(facts: Facts) -> Iterator[Limit]:
    origin = facts.table.frame["origin"]
    synthetic = int((origin == "synthetic").sum())
    if synthetic:
        yield Limit("synthetic", {"n": synthetic, "of": len(origin)})
    if not (origin == "log").any():
        yield Limit("no-logs", {})
