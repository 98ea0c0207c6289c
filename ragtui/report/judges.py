"""What judges said of the run of a report, each with how far it can be believed."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.errors import RagtuiError
from ragtui.judging.card import Card
from ragtui.judging.plan import Asker
from ragtui.report.model import JudgeCard, JudgeReport
from ragtui.workspace import Workspace


def judges(workspace: Workspace, run: str, k: int) -> tuple[tuple[JudgeReport, ...], str]:
    """Every judge with verdicts on this run, models first; and why none can be read, `""` where they can."""
    try:
        found = tuple(_judges(workspace, run, k))
    except RagtuiError as error:
        return (), error.what
    return tuple(sorted(found, key=lambda one: (not one.name.model, one.name.text))), ""


def _judges(workspace: Workspace, run: str, k: int) -> Iterator[JudgeReport]:
    from ragtui.workspace.judged_table import recorded_askers

    for asker in recorded_askers(workspace):
        found = _judge(workspace, run, k, asker)
        if found is not None:
            yield found


def _judge(workspace: Workspace, run: str, k: int, asker: Asker) -> JudgeReport | None:
    from ragtui.workspace.cards import corrections, gold_card
    from ragtui.workspace.judged_table import judge_name

    judgments = workspace.judgments
    selected = judgments.selected(run, asker, k)
    scores = judgments.scores(selected, asker, k)
    if not int(scores.per_query["judged"].sum() + scores.per_query["failed"].sum()):
        return None
    card = judgments.card(asker)
    on_gold = gold_card(workspace, selected, asker)
    corrected = corrections(workspace, selected, asker, k, on_gold)
    return JudgeReport(
        name=judge_name(workspace, asker),
        scores=dict(scores.scores),
        counts=dict(scores.counts),
        failures=dict(scores.failures),
        verdicts=int(scores.per_query["judged"].sum()),
        card=None if card is None else _card(card),
        gold_card=None if on_gold is None or not on_gold.agreement.n else _card(on_gold),
        corrected={name: one for name, one in corrected.items() if one.mean is not None},
    )


def _card(card: Card) -> JudgeCard:
    return JudgeCard(
        kappa=card.kappa,
        agreement=card.agreement.agreement,
        n=card.agreement.n,
        flips=card.flips,
        followed=card.followed,
        failures=sum(card.failures.values()),
    )
