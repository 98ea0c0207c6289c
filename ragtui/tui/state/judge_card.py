"""How far a judge can be believed: its cards in lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from ragtui.analysis.judged import standing_text
from ragtui.judging.card import Card
from ragtui.judging.corrected import Corrected
from ragtui.judging.rules import reads_gold
from ragtui.messages import t
from ragtui.stats.agreement import Agreement
from ragtui.stats.estimate import Estimate
from ragtui.tui import cells
from ragtui.tui.desk_facts import Line, Standing
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import grade_text, share_text
from ragtui.tui.state.judging_words import kinds_text
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.workspace import Workspace

_LABEL = 20
_VALUES = ("short", "medium", "long", "plain", "planted-instruction")


def card_facts(line: Line, standing: Standing | None, workspace: Workspace, width: int) -> list[Fact]:
    """The card on the judge's own labelled pairs, then the one on the gold of the set."""
    facts: list[Fact] = [_heading(t("judges.card.own"))]
    if line.card is None:
        said = "unmeasured-rule" if line.is_rule else "unmeasured"
        facts += _wrapped(t(f"judges.card.{said}"), width, "dim" if line.is_rule else "partial")
        if line.can_ask:
            facts += _wrapped(t("judges.card.measure"), width, "dim")
            facts += _wrapped(f"  {measure_command(line, workspace)}", width, "accent")
    else:
        facts += _card(line.card, width)
    facts += [(), _heading(t("judges.card.gold", run=shown(standing.aim.run if standing else "")))]
    if standing is None:
        return facts[:-2]
    if standing.gold is None:
        return [*facts, *_wrapped(t("judges.card.no-gold"), width, "dim")]
    if not standing.gold.agreement.n:
        facts += _wrapped(t("judges.card.no-verdicts"), width, "dim")
    else:
        facts += _card(standing.gold, width)
        if reads_gold(line.judge):
            facts += _wrapped(t("judging.reads-gold"), width, "partial")
    return [*facts, *_corrected(standing.corrected)]


def measure_command(line: Line, workspace: Workspace) -> str:
    """The command that measures a judge."""
    model = f" --model {shlex.quote(line.wish or '')}" if not line.is_rule else ""
    return shown(
        f"ragtui judge {shlex.quote(str(workspace.set.path))} --judge {line.judge.name}{model} --card"
    )


def _card(card: Card, width: int) -> Iterator[Fact]:
    found = card.agreement
    yield _fact(t("judges.card.kappa"), standing_text(card.kappa).removeprefix("kappa "), bold=True)
    if found.agreement is not None:
        yield _fact(t("judges.card.agreement"), share_text(found.agreement))
    yield from _wrapped(
        t("judges.card.pairs", n=card.labelled, both=found.n, unlabelled=card.unlabelled), width, "dim"
    )
    if found.n:
        yield from _confusion(found)
        yield from _base_rates(found, width)
    if card.failures:
        yield _fact(t("judges.card.failures"), kinds_text(card.failures), "miss")
    if card.unjudged:
        yield from _wrapped(t("judges.card.unjudged", n=card.unjudged), width, "dim")
    if card.flips is not None:
        yield _share(t("judges.card.flips"), card.flips, t("judges.card.flips-of", n=card.flips.n))
    if card.followed is not None:
        of = t("judges.card.followed-of", n=card.followed.n)
        yield _share(t("judges.card.followed"), card.followed, of)
    for group in card.groups:
        name = f"{t(f'judges.card.by.{group.key}')} {_value(group.value)}"
        agreement = group.agreement
        share = "-" if agreement.agreement is None else share_text(agreement.agreement)
        yield _fact(name, f"{share}  n={agreement.n}", "dim")


def _confusion(found: Agreement) -> Iterator[Fact]:
    heads = [grade_text(category) for category in found.categories]
    counts = found.confusion.tolist()
    wide = max(4, *(len(str(count)) + 2 for row in counts for count in row))
    yield (Piece(t("judges.card.people-rows"), "dim"),)
    yield (Piece(" " * 4 + "".join(head.rjust(wide) for head in heads), "dim"),)
    for at, (head, row) in enumerate(zip(heads, counts, strict=True)):
        pieces = [Piece(head.rjust(4), "dim")]
        for column, count in enumerate(row):
            ink: Ink = "text" if column == at else "partial" if count else "dim"
            pieces.append(Piece(str(count).rjust(wide), ink, bold=column == at))
        yield tuple(pieces)


def _base_rates(found: Agreement, width: int) -> Iterator[Fact]:
    people, judge = found.base_rates
    top = grade_text(found.categories[-1])
    said = t("judges.card.base-rate", value=top, people=share_text(people[-1]), judge=share_text(judge[-1]))
    yield from _wrapped(said, width, "dim")


def _corrected(corrected: Mapping[str, Corrected]) -> Iterator[Fact]:
    if not corrected:
        return
    yield ()
    yield _heading(t("judges.card.corrected"))
    for name, found in corrected.items():
        if found.mean is None:
            yield _fact(name, t(f"judges.card.{found.reason}"), "dim")
        else:
            value = f"{share_text(found.mean)} {_interval(found.low, found.high)}  n={found.labelled}"
            yield _fact(name, value)


def _share(label: str, found: Estimate, of: str) -> Fact:
    mean = "-" if found.mean is None else share_text(found.mean)
    figure = f"{mean} {_interval(found.low, found.high)}"
    return (*_fact(label, figure), Piece(f"  {of}", "dim"))


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{share_text(low)}, {share_text(high)}]"


def _value(value: str) -> str:
    return t(f"judges.card.value.{value}") if value in _VALUES else shown(value)


def _heading(text: str) -> Fact:
    return (Piece(text, "accent", bold=True),)


def _fact(label: str, value: str, ink: Ink = "text", *, bold: bool = False) -> Fact:
    gap = " " * max(2, _LABEL - cells.width(label))
    return (Piece(label, "dim"), Piece(gap), Piece(value, ink, bold=bold))


def _wrapped(text: str, width: int, ink: Ink = "text") -> Iterator[Fact]:
    return ((Piece(line, ink),) for line in cells.wrap(text, width))
