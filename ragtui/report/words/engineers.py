"""The part for engineers: metrics by cut-off, run and slice; further sections have files of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragtui.analysis.slices import SMALL, Slice
from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.names import parse_name
from ragtui.report.model import Report, SliceTable
from ragtui.report.page import (
    Block,
    Cell,
    Chart,
    Code,
    Column,
    Curve,
    Paragraph,
    Section,
    Table,
    Text,
    Tone,
    Toned,
)
from ragtui.report.words import failures, fingerprint, judges, no_answer, versus
from ragtui.report.words.numbers import NOTHING, interval, number
from ragtui.report.words.owner import bar
from ragtui.report.words.reasons import reason
from ragtui.report.words.said import beside, say, slice_key
from ragtui.stats.estimate import Estimate

CURVES = ("hit", "recall", "complete")

NOT_SHOWN = frozenset({"hit_lenient"})
"""Metrics that stand beside another one only."""


def sections(report: Report) -> Iterator[Section]:
    """Sections of the part for engineers, in order."""
    yield Section("metrics", say("title.metrics"), tuple(_metrics(report)))
    if report.others:
        yield Section("runs", say("title.runs"), (Paragraph(say("runs.intro")), _runs(report)))
    if report.comparison is not None:
        yield versus.section(report.comparison, report.texts)
    yield Section("slices", say("title.slices"), tuple(_slices(report)))
    yield no_answer.section(report)
    yield judges.section(report)
    yield failures.section(report)
    yield fingerprint.section(report)


def _metrics(report: Report) -> Iterator[Block]:
    """Curves over the cut-offs; then one row for each metric, one column for each cut-off."""
    curves = tuple(_curves(report))
    if curves:
        yield Chart(curves, say("metrics.chart"))
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


def _curves(report: Report) -> Iterator[Curve]:
    """What is found by rank: any evidence, its share, all of it; nothing where there is one cut-off only."""
    for metric in CURVES:
        points = []
        for name, estimate in report.metrics.items():
            parsed = parse_name(name)
            if parsed is None or parsed.k is None or parsed.metric != metric or estimate.mean is None:
                continue
            points.append((parsed.k, estimate.low, estimate.mean, estimate.high))
        if len(points) > 1:
            yield Curve(METRICS[metric].name, tuple(sorted(points)))


def _estimate(name: str, estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.mean is None:
        return NOTHING if estimate is None else reason(estimate)
    between = interval(name, estimate)
    value = number(name, estimate.mean)
    return beside(value, between if between else reason(estimate))


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
    yield Paragraph(say("slices.intro", least=SMALL, k=report.basis.k, command=Code("ragtui eval --by KEY")))
    for table in report.slices:
        yield Paragraph(say("slices.by", key=slice_key(table.key)))
        yield _slice_table(report, table)


def _slice_table(report: Report, table: SliceTable) -> Table:
    complete = f"complete@{report.basis.k}"
    overall = report.metrics[complete].mean if complete in report.metrics else None
    names = [complete, *(name for name in table.slices[0].metrics if name != complete)]
    names = [name for name in names if not name.startswith("hit_")]
    columns = (
        Column(slice_key(table.key)),
        Column("n", "number"),
        Column("", "bar"),
        *(Column(Code(name), "number") for name in names),
    )
    rows = [_slice(one, names, overall) for one in table.slices]
    return Table(columns, tuple(rows), wide=len(names) > 2)


def _slice(one: Slice, names: list[str], overall: float | None) -> tuple[Cell, ...]:
    first = one.metrics[names[0]]
    n = say("cell.small", n=one.n, least=SMALL) if one.small else str(one.n)
    cells = [_estimate(name, one.metrics.get(name)) for name in names]
    tone: Tone = "quiet" if one.small else "plain"
    shown = bar(first, mark=overall, tone=tone)
    return (Toned(one.value, tone), Toned(n, tone), shown, *(_toned(cell, one.small) for cell in cells))


def _toned(cell: Cell, small: bool) -> Cell:
    return Toned(cell, "quiet") if small and isinstance(cell, Text) else cell
