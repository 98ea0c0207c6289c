"""The retrieved list of a query as cards, with the lines where K and the prompt end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragtui.analysis.evidence_model import Card as Retrieved
from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.analysis.judged import ChunkVerdict, JudgedQuery
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.cards import Between, Card, Entry, Pane
from ragtui.tui.state.evidence_words import about_run
from ragtui.tui.state.figures import grade_text, score_text
from ragtui.tui.state.pieces import Fact, Piece, Row, total

_RANK_CELLS = 4


def retrieved_pane(evidence: QueryEvidence, judged: JudgedQuery | None = None) -> Pane:
    """The list of the run in order, with its cuts; beside the gold what a judge says, where one was asked."""
    if evidence.stage:
        title = t(
            "detail.pane.stage", stage=shown(evidence.stage), run=shown(evidence.run), n=evidence.returned
        )
    else:
        title = t("detail.pane.retrieved", run=shown(evidence.run), n=evidence.returned)
    if evidence.direction == "lower":
        title += t("detail.pane.distances")
    cards = evidence.retrieved
    if not cards:
        return Pane(title, tuple(Between(sentence=said) for said in about_run(evidence)))
    label_width = max(cells.width(_label(card, evidence.k)[0]) for card in cards)
    verdicts = {} if judged is None else judged.chunks
    prompt_ends = _end_of_prompt(cards)
    entries: list[Entry] = []
    for index, card in enumerate(cards):
        shown_card = _card(card, evidence, label_width, tells_prompt=prompt_ends is None)
        if card.repeat_of is None and verdicts:
            shown_card = _with_verdict(shown_card, verdicts.get(card.chunk_id), verdicts)
        entries.append(shown_card)
        cut = _cut(evidence, cards, index, prompt_ends)
        if cut is not None:
            entries.append(cut)
    more = evidence.returned - sum(card.rank is not None for card in cards)
    if more > 0:
        entries.append(Between(sentence=(Piece(t("detail.more-results", n=more), "dim"),)))
    return Pane(title, tuple(entries), start=cards[0].chunk_id)


def _card(card: Retrieved, evidence: QueryEvidence, label_width: int, *, tells_prompt: bool) -> Card:
    score = "" if card.score is None else score_text(card.score)
    if card.repeat_of is not None:
        return Card(
            key=f"{card.chunk_id} {card.position}",
            lead=Piece("  =", "dim"),
            title=t("detail.repeat", rank=card.repeat_of),
            name=card.chunk_id,
            right=(Piece(f"{cells.pad(score, 6, 'right')}  {' ' * label_width}", "dim"),),
            text=card.text,
            is_quiet=True,
            indent=_RANK_CELLS,
        )
    label, ink = _label(card, evidence.k)
    facts: list[Fact] = []
    # a bare pair of gold and run has no text anywhere, and need not say so at every card
    if card.text is None and any(other.text is not None for other in evidence.retrieved):
        facts.append((Piece(t("detail.not-in-corpus"), "miss"),))
    if tells_prompt and card.in_prompt:
        facts.append((Piece(t("detail.in-prompt"), "dim"),))
    is_distractor = card.label is not None and card.label.is_distractor
    return Card(
        key=card.chunk_id,
        lead=Piece(f"{card.rank:>3}", "dim"),
        title=card.title,
        name=card.chunk_id,
        right=(Piece(f"{cells.pad(score, 6, 'right')}  ", "dim"), Piece(cells.pad(label, label_width), ink)),
        text=card.text,
        # of other labels the reason stands beside the gold
        reason=card.label.reason if card.label is not None and is_distractor else "",
        reason_ink=ink,
        facts=(tuple(facts),),
        is_distractor=is_distractor,
        # what came instead is read first, so for a twin far below the list stays at its top
        is_near=card.rank is not None and card.rank <= evidence.k,
        indent=_RANK_CELLS,
    )


def _with_verdict(card: Card, verdict: ChunkVerdict | None, all_of_them: Mapping[str, ChunkVerdict]) -> Card:
    """The card with what a judge says of its chunk; agreement is quiet."""
    wide = max(total(_verdict(one)) for one in all_of_them.values())
    said = () if verdict is None else _verdict(verdict)
    right = (*card.right, Piece("  "), *said, Piece(" " * (wide - total(said))))
    if verdict is None:
        return replace(card, right=right)
    is_disputed = verdict.differs or verdict.is_useful is None
    return replace(card, right=right, judged=verdict.reason, is_disputed=is_disputed, raw=verdict.raw)


def _verdict(verdict: ChunkVerdict) -> Fact:
    if verdict.is_useful is None:
        return (Piece(t("detail.verdict", sign="!"), "miss", bold=True),)
    sign = "+" if verdict.is_useful else "-"
    said = Piece(
        t("detail.verdict", sign=sign if verdict.grade is None else grade_text(verdict.grade)), "dim"
    )
    return (said, Piece(f" {t('detail.differ')}", "partial", bold=True)) if verdict.differs else (said,)


def _label(card: Retrieved, k: int) -> tuple[str, Ink]:
    """What the gold says of a retrieved chunk; loud where it misleads in the first K."""
    if card.label is None:
        return t("detail.gold", grade="?"), "dim"
    text = t("detail.gold", grade=grade_text(card.label.grade))
    if card.label.is_distractor:
        return text, "miss" if card.rank is not None and card.rank <= k else "dim"
    return text, "found" if card.is_relevant else "dim"


def _end_of_prompt(cards: Sequence[Retrieved]) -> int | None:
    """How many cards were in the prompt, where those are the first ones; None where that is no cut."""
    inside = [bool(card.in_prompt) for card in cards if card.rank is not None]
    count = sum(inside)
    return count if count and all(inside[:count]) else None


def _cut(
    evidence: QueryEvidence, cards: Sequence[Retrieved], index: int, prompt_ends: int | None
) -> Between | None:
    """The line below a card where the first K end, or what went into the prompt."""
    rank = cards[index].rank
    following = cards[index + 1 :]
    if following and following[0].rank is None:
        return None  # a repeat belongs to the rank above it
    if rank is None:
        rank = max((card.rank for card in cards[:index] if card.rank), default=0)
    names = [t("detail.cut.k", k=evidence.k)] if rank == evidence.k else []
    names += [t("detail.cut.prompt")] if rank == prompt_ends else []
    if not names:
        return None
    return Between((Row((Piece(f"-- {' = '.join(names)} ", "accent"),), is_rule=True),))
