"""The part for engineers: metrics, slices, failures, and what all of it was computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragtui.analysis.fields import header
from ragtui.analysis.slices import SMALL, Slice
from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.names import parse_name
from ragtui.report import versus
from ragtui.report.model import FailedQuery, Report, SliceTable
from ragtui.report.numbers import NOTHING, interval, number
from ragtui.report.owner import bar
from ragtui.report.page import (
    Block,
    Bullets,
    Cell,
    Code,
    Column,
    Command,
    Item,
    Listed,
    Paragraph,
    Section,
    Table,
    Text,
    Tone,
    Toned,
)
from ragtui.report.reasons import reason
from ragtui.report.said import say
from ragtui.stats.estimate import Estimate

NOT_SHOWN = frozenset({"hit_lenient"})
"""Metrics that stand beside another one only."""

MISSING_SHOWN = 3


def sections(report: Report) -> Iterator[Section]:
    """Sections of the part for engineers, in order."""
    yield Section("metrics", say("title.metrics"), tuple(_metrics(report)))
    if report.others:
        yield Section("runs", say("title.runs"), (Paragraph(say("runs.intro")), _runs(report)))
    if report.comparison is not None:
        yield versus.section(report.comparison)
    yield Section("slices", say("title.slices"), tuple(_slices(report)))
    yield Section("failures", say("title.failures"), tuple(_failures(report)))
    yield Section("fingerprint", say("title.fingerprint"), tuple(_fingerprint(report)))


def _metrics(report: Report) -> Iterator[Block]:
    """One row for each metric, one column for each cut-off."""
    names = {name: parse_name(name) for name in report.metrics}
    ks = sorted({parsed.k for parsed in names.values() if parsed is not None and parsed.k is not None})
    columns = [
        Column(say("column.metric")),
        *(Column(f"K = {k}", "number") for k in ks),
        Column("n", "number"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for metric in METRICS:
        if metric in NOT_SHOWN:
            continue
        found = [report.metrics.get(f"{metric}@{k}") for k in ks]
        sizes = {estimate.n for estimate in found if estimate is not None and estimate.n}
        if sizes:
            cells = [_estimate(f"{metric}@{k}", estimate) for k, estimate in zip(ks, found, strict=True)]
            rows.append((Code(metric), *cells, "/".join(map(str, sorted(sizes)))))
    yield Paragraph(say("metrics.intro", convention=report.basis.convention, level=f"{report.basis.level:g}"))
    yield Table(tuple(columns), tuple(rows), wide=True)


def _estimate(name: str, estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.mean is None:
        return NOTHING if estimate is None else reason(estimate)
    between = interval(name, estimate)
    value = number(name, estimate.mean)
    return say("cell.estimate", value=value, interval=between if between else reason(estimate))


def _runs(report: Report) -> Table:
    """The run of the report beside all others."""
    names = list(next(iter(report.others.values())))
    columns = (
        Column(say("column.run")),
        *(Column(Code(name), "number") for name in names),
        Column("n", "number"),
    )
    rows = [
        _run(name, report.metrics if name == report.basis.run else report.others[name], names)
        for name in report.basis.runs
    ]
    return Table(columns, tuple(rows), wide=True)


def _run(run: str, means: Mapping[str, Estimate], names: list[str]) -> tuple[Cell, ...]:
    sizes = {means[name].n for name in names if name in means and means[name].n}
    cells = [_estimate(name, means.get(name)) for name in names]
    return (run, *cells, "/".join(map(str, sorted(sizes))) or "0")


def _slices(report: Report) -> Iterator[Block]:
    yield Paragraph(say("slices.intro", least=SMALL, k=report.basis.k))
    for table in report.slices:
        yield Paragraph(say("slices.by", key=header(table.key)))
        yield _slice_table(report, table)


def _slice_table(report: Report, table: SliceTable) -> Table:
    complete = f"complete@{report.basis.k}"
    overall = report.metrics[complete].mean if complete in report.metrics else None
    names = [complete, *(name for name in table.slices[0].metrics if name != complete)]
    names = [name for name in names if not name.startswith("hit_")]
    columns = (
        Column(header(table.key)),
        Column("n", "number"),
        Column("", "bar"),
        *(Column(Code(name), "number") for name in names),
    )
    rows = [_slice(one, names, overall) for one in table.slices]
    return Table(columns, tuple(rows), wide=True)


def _slice(one: Slice, names: list[str], overall: float | None) -> tuple[Cell, ...]:
    first = one.metrics[names[0]]
    n = say("cell.small", n=one.n, least=SMALL) if one.small else str(one.n)
    cells = [_estimate(name, one.metrics.get(name)) for name in names]
    tone: Tone = "quiet" if one.small else "plain"
    shown = bar(first, mark=overall, tone=tone)
    return (Toned(one.value, tone), Toned(n, tone), shown, *(_toned(cell, one.small) for cell in cells))


def _toned(cell: Cell, small: bool) -> Cell:
    return Toned(cell, "quiet") if small and isinstance(cell, Text) else cell


def _failures(report: Report) -> Iterator[Block]:
    failures, k = report.failures, report.basis.k
    if not failures.n:
        yield Paragraph(say("failures.none", k=k))
        return
    yield Paragraph(say("failures.intro", n=failures.n, of=failures.of, k=k, shown=len(failures.worst)))
    columns = (
        Column(header("id")),
        Column(header("query")),
        Column(header("type")),
        Column(header("got"), "number"),
        Column(say("column.strip")),
        Column(say("column.missing")),
    )
    yield Table(columns, tuple(map(_failed, failures.worst)), wide=True)


def _failed(query: FailedQuery) -> tuple[Cell, ...]:
    missing = [
        say("cell.missing", chunk=chunk, rank=str(rank) if rank is not None else NOTHING)
        for chunk, rank in query.missing[:MISSING_SHOWN]
    ]
    rest = len(query.missing) - MISSING_SHOWN
    texts: list[Text] = [*missing, *([say("cell.more", n=rest)] if rest > 0 else [])]
    got = f"{query.got}/{query.groups}"
    return (query.query_id, query.text, query.type or "", got, Code(query.strip), Listed(tuple(texts)))


def _fingerprint(report: Report) -> Iterator[Block]:
    basis = report.basis
    rows: list[tuple[Cell, ...]] = [
        (say("fingerprint.set"), basis.set_name),
        (say("fingerprint.split"), basis.split or NOTHING),
        (say("fingerprint.queries"), say("fingerprint.counts", **_counts(report))),
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


def _counts(report: Report) -> dict[str, int]:
    basis = report.basis
    return {"all": basis.queries, "scored": basis.scored, "silent": basis.no_answer, "other": basis.other}


def _field(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return str(value)


def _command(report: Report) -> str:
    from shlex import quote

    basis = report.basis
    parts = ["ragtui", "report", basis.path, "--run", basis.run]
    if basis.split is not None:
        parts += ["--split", basis.split]
    if report.comparison is not None:
        parts += ["--baseline", report.comparison.baseline]
    if basis.where:
        parts += ["--where", basis.where]
    return " ".join(map(quote, parts))
