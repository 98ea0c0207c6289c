"""Judges in words: each named in full, with its card first, for a score is worth what its judge is."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.judging.corrected import Corrected
from ragtui.messages import t
from ragtui.report.model import JudgeCard, JudgeReport, Report
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
from ragtui.report.words.commands import command
from ragtui.report.words.numbers import interval, number, percent
from ragtui.report.words.reasons import reason
from ragtui.report.words.said import beside, say
from ragtui.stats.estimate import Estimate

COUNTS = ("nothing-retrieved", "no-reference", "partly", "failed", "unjudged", "skipped")


def section(report: Report) -> Section:
    """All judges with verdicts on the run."""
    return Section("judges", say("title.judges"), tuple(_blocks(report)))


def _blocks(report: Report) -> Iterator[Block]:
    if report.judges_error:
        yield Paragraph(say("judges.error", why=report.judges_error), "unsure")
    elif not report.judges:
        yield Paragraph(say("judges.none"))
        yield Command(command(report, "judge", "--judge", "id-overlap"))
    else:
        yield Paragraph(say("judges.intro"))
    for judge in report.judges:
        yield Paragraph(say("judges.name", name=Code(judge.name.text)))
        yield _scores(judge)
        notes = tuple(_notes(report, judge))
        if notes:
            yield Bullets(notes)


def _scores(judge: JudgeReport) -> Table:
    columns = (
        Column(say("column.score")),
        Column(say("column.value"), "number"),
        Column(say("column.interval"), "number"),
        Column(say("column.coverage"), "number"),
        Column(say("column.could-be"), "number"),
        Column(say("column.corrected"), "number"),
    )
    tone: Tone = "plain" if judge.name.is_believed else "quiet"
    rows: list[tuple[Cell, ...]] = []
    for name, score in judge.scores.items():
        estimate = score.estimate
        moves = score.lowest != score.highest and score.lowest is not None and score.highest is not None
        could_be = f"{score.lowest:.3f}–{score.highest:.3f}" if moves else ""
        corrected = judge.corrected.get(name)
        rows.append(
            (
                Code(name),
                Toned(number(name, estimate.mean), tone),
                Toned(interval(name, estimate) or reason(estimate), tone),
                f"{estimate.n}/{score.of}",
                could_be,
                "" if corrected is None else _shown(_estimate(corrected)),
            )
        )
    return Table(columns, tuple(rows))


def _notes(report: Report, judge: JudgeReport) -> Iterator[Item]:
    if judge.name.model:
        if judge.card is None:
            options = ("--judge", judge.name.name, "--model", judge.name.model, "--card")
            yield Item(say("judges.unmeasured"), command=command(report, "judge", *options))
        else:
            yield Item(say("judges.own-card", card=_card(judge.card)))
            if not judge.name.is_believed:
                yield Item(say("judges.not-believed"))
    if judge.gold_card is not None:
        yield Item(say("judges.gold-card", card=_card(judge.gold_card)))
    if judge.failures:
        kinds = [f"{t(f'cli.judge.status.{kind}')} {n}" for kind, n in sorted(judge.failures.items())]
        yield Item(say("judges.failures", n=sum(judge.failures.values()), kinds=Listed(tuple(kinds))))
    for name in COUNTS:
        if n := judge.counts.get(name, 0):
            yield Item(t(f"cli.judge.state.{name}", n=n))


def _card(card: JudgeCard) -> Text:
    said: list[Text] = [say("judges.kappa", value=_shown(card.kappa), n=card.n)]
    if card.agreement is not None:
        said.append(say("judges.agreement", value=percent(card.agreement)))
    if card.flips is not None and card.flips.mean is not None:
        said.append(say("judges.flips", value=percent(card.flips.mean), n=card.flips.n))
    if card.followed is not None and card.followed.mean is not None:
        said.append(say("judges.followed", value=percent(card.followed.mean), n=card.followed.n))
    if card.failures:
        said.append(say("judges.card-failures", n=card.failures))
    return Listed(tuple(said))


def _estimate(found: Corrected) -> Estimate:
    return Estimate(found.mean, found.low, found.high, found.n)


def _shown(found: Estimate) -> Text:
    if found.mean is None:
        return reason(found)
    between = interval("", found)
    value = number("", found.mean)
    return beside(value, between) if between else value
