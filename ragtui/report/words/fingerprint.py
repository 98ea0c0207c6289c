"""What a report was computed from: hashes, run card, what was said on the way, the command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragtui.report.model import Report
from ragtui.report.page import (
    Block,
    Bullets,
    Cell,
    Code,
    Column,
    Command,
    Item,
    Paragraph,
    Section,
    Table,
    Text,
)
from ragtui.report.words.commands import command
from ragtui.report.words.numbers import NOTHING
from ragtui.report.words.said import say


def section(report: Report) -> Section:
    """Everything that tells this experiment from another."""
    return Section("fingerprint", say("title.fingerprint"), tuple(_fingerprint(report)))


def _fingerprint(report: Report) -> Iterator[Block]:
    basis = report.basis
    rows: list[tuple[Cell, ...]] = [
        (say("fingerprint.set"), basis.set_name),
        (say("fingerprint.split"), basis.split or NOTHING),
        (say("fingerprint.queries"), say("fingerprint.counts", **_counts(report))),
        (say("fingerprint.gold-version"), _gold_version(basis.gold_version)),
        *((say(f"fingerprint.{name}"), Code(value or NOTHING)) for name, value in basis.hashes.items()),
        (say("fingerprint.version"), basis.version),
        (say("fingerprint.time"), basis.time),
    ]
    yield Table((Column(say("column.what")), Column(say("column.value"))), tuple(rows))
    yield Paragraph(say("fingerprint.card", run=basis.run))
    if basis.card is None:
        yield Paragraph(say("fingerprint.no-card"), "unsure")
    else:
        fields = tuple((Code(name), _field(value)) for name, value in basis.card.items())
        yield Table((Column(say("column.field")), Column(say("column.value"))), fields)
    if report.remarks:
        yield Paragraph(say("fingerprint.remarks"))
        points = [Item(say(f"remark.{severity}", text=text)) for severity, text in report.remarks]
        yield Bullets(tuple(points))
    yield Paragraph(say("fingerprint.again"))
    yield Command(_command(report))


def _gold_version(version: int) -> Text:
    return say("fingerprint.gold-files") if version == 0 else str(version)


def _counts(report: Report) -> dict[str, int]:
    basis = report.basis
    return {"all": basis.queries, "scored": basis.scored, "silent": basis.no_answer, "other": basis.other}


def _field(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return str(value)


def _command(report: Report) -> str:
    basis = report.basis
    options: list[str] = []
    if basis.split is not None:
        options += ["--split", basis.split]
    if report.comparison is not None:
        options += ["--baseline", report.comparison.baseline]
    if basis.gold_version:
        options += ["--gold-version", str(basis.gold_version)]
    if basis.where:
        options += ["--where", basis.where]
    return command(report, "report", *options)
