"""The page of a report: its facts put into words of one language."""

from __future__ import annotations

from ragtui.messages import Language
from ragtui.report.model import Report
from ragtui.report.page import Page, Text
from ragtui.report.words import engineers, owner
from ragtui.report.words.said import say


def compose(report: Report, language: Language) -> Page:
    """Everything a report says, as blocks that a renderer draws."""
    return Page(
        language=language,
        title=report.basis.set_name,
        facts=_facts(report),
        lead=owner.lead(report),
        cards=owner.cards(report),
        owner=tuple(owner.sections(report)),
        engineers=tuple(engineers.sections(report)),
        foot=say("foot", version=report.basis.version, time=report.basis.time),
    )


def _facts(report: Report) -> tuple[Text, ...]:
    basis = report.basis
    facts: list[Text] = [say("facts.run", run=basis.run)]
    if basis.split is not None:
        facts.append(say("facts.split", split=basis.split))
    facts.append(say("facts.queries", n=basis.queries, scored=basis.scored))
    if basis.where:
        facts.append(say("facts.where", where=basis.where))
    facts.append(basis.time[:10])
    return tuple(facts)
