"""The owner's page: can we ship, what is weak, what to do next, and what all this does not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ragtui.analysis.slices import SMALL
from ragtui.analysis.targets import Target
from ragtui.report.model import Figure, Report, Step, WeakSlice
from ragtui.report.page import (
    Bar,
    Bullets,
    Card,
    Code,
    Column,
    Item,
    Listed,
    Paragraph,
    Said,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    Value,
)
from ragtui.report.words import versus
from ragtui.report.words.commands import set_command
from ragtui.report.words.numbers import NOTHING, interval, number, percent
from ragtui.report.words.reasons import reason
from ragtui.report.words.said import say, slice_key
from ragtui.stats.estimate import Estimate

CODES = frozenset({"name", "metric", "file"})
"""Values that are names of metrics and files."""

TONES: dict[str, Tone] = {"met": "good", "missed": "bad", "undecided": "unsure"}


def lead(report: Report) -> tuple[Paragraph, ...]:
    """The sentence: what share of the queries gets all its evidence, and whether the targets are met."""
    basis, figure = report.basis, report.figures[0]
    if figure.count is None or figure.estimate.mean is None:
        first = say("lead.nothing", run=basis.run)
    else:
        first = say(
            "lead.complete",
            n=figure.estimate.n,
            count=figure.count,
            share=percent(figure.estimate.mean),
            interval=interval(figure.name, figure.estimate) or NOTHING,
            run=basis.run,
            k=basis.k,
        )
    found = Paragraph(first), _verdict(report.targets)
    return found if report.comparison is None else (*found, versus.conclusion(report.comparison))


def _verdict(targets: Sequence[Target]) -> Paragraph:
    n = len(targets)
    missed, undecided = (
        [Code(target.name) for target in targets if target.outcome == outcome]
        for outcome in ("missed", "undecided")
    )
    if not n:
        return Paragraph(say("lead.no-targets"), "unsure")
    if missed:
        names = Listed(tuple(missed))
        return Paragraph(say("lead.missed", n=len(missed), of=n, names=names), "bad")
    if undecided:
        names = Listed(tuple(undecided))
        return Paragraph(say("lead.undecided", n=len(undecided), of=n, names=names), "unsure")
    return Paragraph(say("lead.met", n=n), "good")


def cards(report: Report) -> tuple[Card, ...]:
    """The figures, each with its interval, its n and its target."""
    return tuple(_card(report, figure) for figure in report.figures)


def _basis(report: Report, figure: Figure) -> Text:
    """What a figure is over, or why there is none."""
    refusals = None if report.no_answer is None else report.no_answer.refusals
    if figure.estimate.mean is None:
        return reason(figure.estimate)
    if figure.count is not None:
        return say("card.count", count=figure.count, n=figure.estimate.n)
    if figure.kind == "auroc" and refusals is not None:
        return say("card.both", n=refusals.found + refusals.missed, silent=refusals.no_answer)
    return say("card.mean", n=figure.estimate.n)


def _card(report: Report, figure: Figure) -> Card:
    estimate, name = figure.estimate, figure.name
    wanted = figure.target
    between = interval(name, estimate)
    return Card(
        title=say(f"card.{figure.kind}", k=report.basis.k),
        value=number(name, estimate.mean),
        interval=between,
        basis=_basis(report, figure),
        name=Code(name),
        bar=bar(estimate, mark=None if wanted is None else wanted.wanted),
        tone="plain" if wanted is None else TONES[wanted.outcome],
        note=None if wanted is None else say("card.target", value=_wanted(wanted), outcome=_outcome(wanted)),
    )


def bar(estimate: Estimate, *, mark: float | None = None, tone: Tone = "plain") -> Bar | None:
    """An estimate on an axis from 0 to 1; None without a value."""
    if estimate.mean is None or estimate.mean > 1:
        return None
    return Bar(estimate.mean, estimate.low, estimate.high, mark=mark, tone=tone)


def sections(report: Report) -> Iterator[Section]:
    """What follows the figures on the owner's page."""
    if report.targets:
        yield Section("targets", say("title.targets"), (_targets(report),))
    yield Section("weak", say("title.weak"), tuple(_weak(report)))
    yield Section("next", say("title.next"), (_steps(report),))
    points = tuple(Item(say(f"limit.{limit.kind}", **_values(limit.values))) for limit in report.limits)
    yield Section("limits", say("title.limits"), (Bullets(points),))


def _targets(report: Report) -> Table:
    columns = (
        Column(say("column.target")),
        Column(say("column.wanted"), "number"),
        Column(say("column.value"), "number"),
        Column(say("column.interval"), "number"),
        Column("", "bar"),
        Column("n", "number"),
        Column(say("column.outcome")),
    )
    rows = []
    for target in report.targets:
        estimate, tone = target.estimate, TONES[target.outcome]
        rows.append(
            (
                Code(target.name),
                _wanted(target),
                number(target.name, estimate.mean),
                interval(target.name, estimate) or reason(estimate),
                bar(estimate, mark=target.wanted, tone=tone),
                str(estimate.n),
                Toned(_outcome(target), tone),
            )
        )
    return Table(columns, tuple(rows))


def _wanted(target: Target) -> str:
    return f"{'≤' if target.at_most else '≥'} {number(target.name, target.wanted)}"


def _outcome(target: Target) -> Said:
    return say(f"outcome.{target.outcome}")


def _weak(report: Report) -> Iterator[Paragraph | Bullets]:
    if report.weak or report.low:
        yield Paragraph(say("weak.intro", k=report.basis.k), "quiet")
    if report.weak:
        yield Bullets(tuple(map(_weak_item, report.weak)))
    else:
        yield Paragraph(say("weak.none"))
    if report.low:
        yield Paragraph(say("weak.low"), "quiet")
        yield Bullets(tuple(map(_weak_item, report.low)))


def _weak_item(one: WeakSlice) -> Item:
    detail = say(
        "weak.detail",
        complete=one.complete,
        n=one.n,
        interval=f"{100 * one.low:.1f}–{percent(one.high)}",
        rest=percent(one.rest),
    )
    if one.n < SMALL:
        detail = say("weak.small", detail=detail, least=SMALL)
    return Item(say("weak.item", key=slice_key(one.key), value=one.value, share=percent(one.share)), detail)


def _steps(report: Report) -> Bullets | Paragraph:
    if not report.steps:
        return Paragraph(say("step.none"))
    return Bullets(tuple(_step(report, step) for step in report.steps), numbered=True)


def _step(report: Report, step: Step) -> Item:
    values = _values(step.values)
    text, detail = (say(f"step.{step.kind}.{part}", **values) for part in ("do", "because"))
    return Item(text, detail, _command(report, step))


def _command(report: Report, step: Step) -> str | None:
    """What a step begins with, where that is one command."""
    if step.kind == "label":
        return f"{set_command(report, 'agree', '--pool', str(report.basis.k))} > pool.csv"
    return None


def _values(values: Mapping[str, str | int]) -> dict[str, Value]:
    """Values of a text, with names of ours in a fixed width."""
    return {name: Code(str(value)) if name in CODES else value for name, value in values.items()}
