"""The comparison with a baseline in words: the conclusion, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragtui.analysis.comparison import Comparison, Difference
from ragtui.analysis.fields import header
from ragtui.analysis.slices import SMALL
from ragtui.report.page import (
    Bar,
    Block,
    Cell,
    Code,
    Column,
    Listed,
    Paragraph,
    Said,
    Section,
    Table,
    Text,
    Tone,
    Toned,
)
from ragtui.report.words.numbers import NOTHING, difference, number
from ragtui.report.words.reasons import reason
from ragtui.report.words.said import say
from ragtui.stats.estimate import Estimate

TONES: dict[str, Tone] = {"better": "good", "worse": "bad", "undecided": "unsure"}
SHORTEST_AXIS = 0.1
"""Axes of differences reach at least so far on both sides of 0, so that small ones look small."""


def conclusion(comparison: Comparison) -> Paragraph:
    """The primary metric in a sentence: better, worse, or not decisive."""
    one = comparison.primary
    text = say(
        f"versus.{comparison.verdict}",
        run=comparison.candidate,
        baseline=comparison.baseline,
        metric=Code(one.name),
        before=number(one.name, one.paired.baseline),
        after=number(one.name, one.paired.candidate),
        difference=difference(one.name, one.paired.difference.mean),
        interval=_between(one.name, one.paired.difference),
        n=one.paired.difference.n,
    )
    return Paragraph(text, TONES[comparison.verdict])


def section(comparison: Comparison, texts: Mapping[str, str]) -> Section:
    """Everything about the comparison, for engineers; `texts` are those of the queries that got worse."""
    title = say("title.versus", baseline=comparison.baseline)
    return Section("versus", title, tuple(_blocks(comparison, texts)))


def _blocks(comparison: Comparison, texts: Mapping[str, str]) -> Iterator[Block]:
    yield conclusion(comparison)
    yield Paragraph(say("versus.rules", metric=Code(comparison.primary.name)), "quiet")
    yield _differences(comparison.metrics, say("column.metric"))
    if comparison.slices:
        key = say("versus.by", metric=Code(comparison.primary.name), name=header(comparison.key))
        yield Paragraph(key)
        yield _differences(comparison.slices, header(comparison.key))
    first = comparison.first_rank
    ranks = {"wins": first.wins, "losses": first.losses, "ties": first.ties, "missed": first.both_miss}
    kind = "versus.ranks" if first.depth is None else "versus.ranks-to"
    yield Paragraph(say(kind, **ranks, **({} if first.depth is None else {"depth": first.depth})))
    yield from _latency(comparison)
    yield Paragraph(_what_differs(comparison))
    if comparison.worse:
        yield Paragraph(say("versus.got-worse"))
        yield _worse(comparison, texts)


def _differences(differences: tuple[Difference, ...], title: Text) -> Table:
    columns = (
        Column(title),
        Column(say("column.baseline"), "number"),
        Column(say("column.candidate"), "number"),
        Column(say("column.difference"), "number"),
        Column("", "bar"),
        Column(say("column.interval"), "number"),
        Column("n", "number"),
        Column(say("column.p"), "number"),
        Column(say("column.decisive")),
    )
    ends = [abs(end) for one in differences for end in _ends(one.paired.difference)]
    end = max(ends, default=SHORTEST_AXIS)
    rows = [_row(one, max(end, SHORTEST_AXIS)) for one in differences]
    return Table(columns, tuple(rows), wide=True)


def _ends(found: Estimate) -> tuple[float, ...]:
    return tuple(value for value in (found.low, found.mean, found.high) if value is not None)


def _row(one: Difference, end: float) -> tuple[Cell, ...]:
    paired = one.paired
    n = paired.difference.n
    p: Text = say("versus.primary") if one.primary else NOTHING if one.p_holm is None else f"{one.p_holm:.3f}"
    yes = Toned(say("versus.yes"), "plain") if one.decisive else Toned(say("versus.no"), "quiet")
    is_small = bool(one.value) and n < SMALL
    return (
        one.value if one.value else Code(one.name),
        number(one.name, paired.baseline),
        number(one.name, paired.candidate),
        difference(one.name, paired.difference.mean),
        _bar(paired.difference, end, one.decisive),
        _between(one.name, paired.difference),
        say("cell.small", n=n, least=SMALL) if is_small else str(n),
        p,
        yes,
    )


def _bar(found: Estimate, end: float, decisive: bool) -> Bar | None:
    if found.mean is None:
        return None
    tone: Tone = "plain" if decisive else "quiet"
    return Bar(found.mean, found.low, found.high, -end, end, mark=0.0, tone=tone)


def _between(name: str, found: Estimate) -> Text:
    if found.low is None or found.high is None:
        return reason(found)
    return say("versus.interval", low=difference(name, found.low), high=difference(name, found.high))


def _latency(comparison: Comparison) -> Iterator[Block]:
    if not comparison.latency:
        yield Paragraph(say("versus.no-latency"), "quiet")
        return
    columns = (
        Column(say("column.run")),
        Column("P50 ms", "number"),
        Column("P95 ms", "number"),
        Column("n", "number"),
    )
    rows = [(run, f"{one.p50:.3g}", f"{one.p95:.3g}", str(one.n)) for run, one in comparison.latency.items()]
    yield Table(columns, tuple(rows))


def _what_differs(comparison: Comparison) -> Said:
    """What is not the same on the run cards: only with one difference is it known what made the change."""
    differs = comparison.differs
    if not differs:
        return say("versus.cards-alike")
    kind = "versus.one-variable" if len(differs) == 1 else "versus.several-variables"
    return say(kind, names=Listed(tuple(Code(name) for name, _, _ in differs)), n=len(differs))


def _worse(comparison: Comparison, texts: Mapping[str, str]) -> Table:
    name = comparison.primary.name
    columns = (
        Column(header("id")),
        Column(header("query"), "long"),
        Column(say("column.baseline"), "number"),
        Column(say("column.candidate"), "number"),
        Column(say("column.first-ranks")),
    )
    rows = [
        (
            one.query_id,
            texts[one.query_id],
            number(name, one.baseline),
            number(name, one.candidate),
            " → ".join(NOTHING if rank is None else str(rank) for rank in one.first_rank),
        )
        for one in comparison.worse
    ]
    return Table(columns, tuple(rows))
