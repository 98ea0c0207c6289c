"""Queries that fail, in words: what is missing, why that may be, the worst first."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.analysis.fields import header
from ragtui.report.model import CauseCount, FailedQuery, Failures, Report
from ragtui.report.page import (
    Block,
    Cell,
    Code,
    Column,
    Command,
    Listed,
    Paragraph,
    Section,
    Table,
    Text,
    Toned,
)
from ragtui.report.words.commands import command
from ragtui.report.words.numbers import NOTHING
from ragtui.report.words.said import say

MISSING_SHOWN = 3


def section(report: Report) -> Section:
    """Everything about queries that fail."""
    return Section("failures", say("title.failures"), tuple(_failures(report)))


def _failures(report: Report) -> Iterator[Block]:
    failures, k = report.failures, report.basis.k
    if not failures.n:
        yield Paragraph(say("failures.none", k=k))
        return
    yield Paragraph(say("failures.intro", n=failures.n, of=failures.of, k=k))
    if failures.error:
        yield Paragraph(say("failures.error", why=failures.error), "unsure")
    if failures.causes:
        kind = "failures.causes" if failures.tagged else "failures.guesses"
        yield Paragraph(say(kind, asked=failures.asked, n=failures.n, tagged=failures.tagged))
        yield _causes(failures)
    yield Paragraph(say("failures.worst", n=len(failures.worst)))
    columns = (
        Column(header("id")),
        Column(header("query"), "long"),
        Column(header("type")),
        Column(header("got"), "number"),
        Column(say("column.strip")),
        Column(say("column.missing")),
        Column(say("column.cause"), "long"),
    )
    yield Table(columns, tuple(_failed(failures, query) for query in failures.worst), wide=True)
    if failures.n > len(failures.worst):
        yield Paragraph(say("failures.all"), "quiet")
        yield Command(command(report, "failures"))


def _causes(failures: Failures) -> Table:
    columns = (
        Column(say("column.cause")),
        Column(say("column.given"), "number"),
        Column(say("column.suggested"), "number"),
        Column(say("column.remedy"), "long"),
    )
    return Table(columns, tuple(_cause(failures, one) for one in failures.causes), wide=True)


def _cause(failures: Failures, one: CauseCount) -> tuple[Cell, ...]:
    remedy = "" if one.usual is None else one.usual.remedy()
    return (_title(failures, one.cause), str(one.given), str(one.suggested), remedy)


def _title(failures: Failures, name: str) -> str:
    return next((cause.title() for cause in failures.known if cause.name == name), name)


def _failed(failures: Failures, query: FailedQuery) -> tuple[Cell, ...]:
    missing = [
        say("cell.missing", chunk=chunk, rank=str(rank) if rank is not None else NOTHING)
        for chunk, rank in query.missing[:MISSING_SHOWN]
    ]
    rest = len(query.missing) - MISSING_SHOWN
    texts: list[Text] = [*missing, *([say("cell.more", n=rest)] if rest > 0 else [])]
    return (
        query.query_id,
        query.text,
        query.type or "",
        f"{query.got}/{query.groups}",
        Code(query.strip),
        Listed(tuple(texts)),
        _why(failures, query),
    )


def _why(failures: Failures, query: FailedQuery) -> Cell:
    """Causes that people gave; else, marked as a guess, what a rule suggests with its evidence."""
    if query.causes:
        return Listed(tuple(_title(failures, cause) for cause in query.causes))
    if query.suggestion is None:
        return ""
    title = _title(failures, query.suggestion.cause)
    return Toned(say("cell.suggested", cause=title, evidence=query.suggestion.evidence()), "quiet")
