"""Queries without an answer in words: whether scores tell them, the threshold, what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.analysis.calibration.calibrate import as_precise_as
from ragtui.messages import t
from ragtui.report.model import Refusals, Report
from ragtui.report.page import Block, Cell, Chart, Code, Column, Command, Histogram, Paragraph, Section, Table
from ragtui.report.words.commands import command
from ragtui.report.words.numbers import NOTHING, interval, number
from ragtui.report.words.reasons import reason
from ragtui.report.words.said import say
from ragtui.stats.one_sided import attainable

RATES = ("coverage", "false_answer", "false_refusal", "risk")


def section(report: Report) -> Section:
    """Everything about queries without an answer."""
    return Section("no-answer", say("title.no-answer"), tuple(_blocks(report)))


def _blocks(report: Report) -> Iterator[Block]:
    found = report.no_answer
    if found is None:
        yield Paragraph(say("no-answer.none", example=Code('"answerable": false')))
        return
    if found.refusals is None:
        yield Paragraph(say("no-answer.error", why=found.error), "unsure")
        return
    refusals = found.refusals
    yield from _separation(refusals)
    yield Chart(_histogram(refusals), say("no-answer.chart", split=refusals.fit_split or NOTHING))
    if refusals.rates and refusals.threshold is None:
        yield Paragraph(say("no-answer.all-the-same"), "quiet")
    if refusals.rates:
        yield Paragraph(say(f"no-answer.{refusals.method}", **_splits(refusals)))
        yield _rates(refusals)
    elif refusals.rates_reason:
        yield Paragraph(say("no-answer.no-rates", why=refusals.rates_reason), "unsure")
    if refusals.at_most is not None:
        yield Paragraph(say("no-answer.at-most", bound=number("false_answer", refusals.at_most)))
    else:
        n = refusals.no_answer
        yield Paragraph(say("no-answer.attainable", n=n, bound=number("false_answer", attainable(n))))
    yield Paragraph(say("no-answer.command"), "quiet")
    yield Command(command(report, "calibrate", "--rule", "max-false-answers", "--alpha", "0.05"))


def _separation(refusals: Refusals) -> Iterator[Paragraph]:
    auroc = refusals.auroc
    if auroc.mean is None:
        yield Paragraph(say("no-answer.unusable", why=refusals.reason), "unsure")
        return
    between = interval("auroc", auroc)
    value = number("auroc", auroc.mean)
    yield Paragraph(
        say(
            "no-answer.auroc",
            value=value,
            interval=between or reason(auroc),
            score=Code(refusals.score),
            answerable=refusals.found + refusals.missed,
            silent=refusals.no_answer,
        )
    )
    if refusals.threshold is None:
        yield Paragraph(say("no-answer.unusable", why=refusals.reason), "bad")
        return
    rule = t(f"calibration.rule.{refusals.rule}")
    low, high = refusals.low, refusals.high
    between = NOTHING
    if low is not None and high is not None:
        between = "–".join(as_precise_as(refusals.written, low, high))
    text = say("no-answer.threshold", value=Code(refusals.written), interval=between, rule=rule)
    yield Paragraph(text, "good")


def _splits(refusals: Refusals) -> dict[str, str]:
    return {"fit": refusals.fit_split or NOTHING, "other": refusals.report_split or NOTHING}


def _histogram(refusals: Refusals) -> Histogram:
    bins = refusals.bins
    return Histogram(
        edges=bins.edges,
        found=bins.found,
        missed=bins.missed,
        no_answer=bins.no_answer,
        threshold=refusals.threshold,
        names=(
            say("no-answer.kind-found", n=refusals.found),
            say("no-answer.kind-missed", n=refusals.missed),
            say("no-answer.kind-silent", n=refusals.no_answer),
            say(f"no-answer.axis-{refusals.direction}", score=refusals.score),
        ),
    )


def _rates(refusals: Refusals) -> Table:
    columns = (
        Column(say("column.rate")),
        Column(say("column.value"), "number"),
        Column(say("column.interval"), "number"),
        Column(say("column.over"), "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name in RATES:
        estimate, count = refusals.rates[name]
        between = interval(name, estimate)
        over = say("cell.count", count=count, n=estimate.n)
        rows.append((say(f"rate.{name}"), number(name, estimate.mean), between or NOTHING, over))
    return Table(columns, tuple(rows))
