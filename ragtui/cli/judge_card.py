"""The card of a judge as text and JSON: how far it can be believed, and what of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragtui.analysis.export import plain
from ragtui.cli.judge_bar import money
from ragtui.cli.judge_json import named
from ragtui.cli.judge_text import full_name
from ragtui.cli.judged import Judged
from ragtui.inert import inert
from ragtui.judging.card import Card
from ragtui.judging.card_json import card_as_json
from ragtui.judging.corrected import Corrected
from ragtui.judging.plan import Plan
from ragtui.judging.rules import reads_gold
from ragtui.messages import t
from ragtui.stats.agreement import Agreement
from ragtui.stats.estimate import Estimate
from ragtui.workspace.cards import calibration_card, corrections, gold_card


@dataclass(frozen=True)
class Cards:
    """A judge measured twice.

    Attributes:
        own: on its own labelled pairs.
        gold: on the gold of the set, from the verdicts that are there; None where gold says nothing of what
            it judges.
        corrected: means of this run, corrected by gold.
    """

    own: Card
    gold: Card | None
    corrected: Mapping[str, Corrected]


def cards_of(judged: Judged) -> Cards:
    """Both cards, from the verdicts that are there."""
    asker, selected = judged.asker, judged.selected
    gold = gold_card(judged.workspace, selected, asker)
    corrected = corrections(judged.workspace, selected, asker, judged.aim.k, gold)
    return Cards(calibration_card(asker), gold, corrected)


def card_json(judged: Judged, cards: Cards) -> dict[str, Any]:
    """Both cards, without NaN."""
    return {
        **named(judged.asker, judged),
        "card": card_as_json(cards.own),
        "gold_card": None if cards.gold is None else card_as_json(cards.gold),
        "corrected": {name: plain(asdict(found)) for name, found in cards.corrected.items()},
    }


def card_lines(judged: Judged, cards: Cards) -> list[str]:
    """Both cards for people."""
    lines = [full_name(judged), "", t("cli.judge.card.own"), *_lines(cards.own)]
    if cards.gold is not None:
        lines += ["", t("cli.judge.card.gold", run=inert(judged.aim.run)), *_lines(cards.gold)]
        if reads_gold(judged.asker.judge):
            lines.append("  " + t("judging.reads-gold"))
    for name, found in cards.corrected.items():
        if found.mean is None:
            lines.append(f"  {name}  {t(f'cli.judge.card.{found.reason}')}")
        else:
            value = f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"
            lines.append("  " + t("cli.judge.card.corrected", name=name, value=value, n=found.labelled))
    return lines


def plans_json(judged: Judged, plans: Sequence[Plan]) -> dict[str, Any]:
    """What measuring would take."""
    costs = [plan.cost for plan in plans]
    return {
        **named(judged.asker, judged),
        "plan": {
            "calls": sum(plan.calls for plan in plans),
            "known": sum(plan.known for plan in plans),
            "cached": sum(len(plan.cached) for plan in plans),
            "without_call": sum(len(plan.free) for plan in plans),
            "tokens_in": sum(plan.tokens_in for plan in plans),
            "tokens_out": sum(plan.tokens_out for plan in plans),
            "cost": None if None in costs else sum(cost or 0.0 for cost in costs),
            "window": plans[0].window if plans else None,
            "too_long": [],
        },
        "counts": {},
    }


def plans_lines(judged: Judged, plans: Sequence[Plan]) -> list[str]:
    """What measuring would take, for people."""
    whole = plans_json(judged, plans)["plan"]
    counts = {"n": whole["calls"], "known": whole["known"], "cached": whole["cached"]}
    lines = [full_name(judged), t("cli.judge.plan-calls", **counts)]
    if whole["calls"]:
        tokens = t("cli.judge.plan-tokens", into=whole["tokens_in"], out=whole["tokens_out"])
        lines.append(f"{tokens}   {money(whole['cost'])}")
    return lines


def _lines(card: Card) -> list[str]:
    found = card.agreement
    lines = [
        t("cli.judge.card.labelled", n=card.labelled, both=found.n, unlabelled=card.unlabelled),
        t("cli.judge.card.kappa", value=_shown(card.kappa)),
        t("cli.judge.card.agreement", value=_number(found.agreement)),
    ]
    if found.n:
        lines.append(t("cli.judge.card.confusion"))
        lines += _confusion(found)
    if card.failures:
        kinds = ", ".join(f"{t(f'cli.judge.status.{name}')} {n}" for name, n in sorted(card.failures.items()))
        lines.append(t("cli.judge.failures", kinds=kinds))
    if card.unjudged:
        lines.append(t("cli.judge.card.unjudged", n=card.unjudged))
    if card.flips is not None:
        lines.append(t("cli.judge.card.flips", value=_shown(card.flips), n=card.flips.n))
    if card.followed is not None:
        lines.append(t("cli.judge.card.followed", value=_shown(card.followed), n=card.followed.n))
    lines += [
        f"{t(f'cli.judge.card.by.{group.key}')} {inert(group.value)}: "
        f"{t('cli.judge.card.group', agreement=_number(group.agreement.agreement), n=group.agreement.n)}"
        for group in card.groups
    ]
    return [f"  {line}" for line in lines]


def _confusion(found: Agreement) -> list[str]:
    heads = [f"{category:g}" for category in found.categories]
    rows = [[head, *map(str, counts)] for head, counts in zip(heads, found.confusion.tolist(), strict=True)]
    return ["  ".join(cell.rjust(6) for cell in row) for row in (["", *heads], *rows)]


def _shown(found: Estimate) -> str:
    if found.mean is None:
        return t(f"stats.reason.{found.reason}") if found.reason else "–"
    interval = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.mean:.3f}{interval}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
