"""What a query needs as cards, missed first, each with what helps to see why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ragtui.analysis.evidence_model import GoldEvidence, QueryEvidence
from ragtui.analysis.judged import Claim, JudgedQuery
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.cards import Between, Card, Entry, Pane
from ragtui.tui.state.evidence_words import (
    about_gold,
    distractors,
    gap,
    in_runs,
    neighbour,
    not_in_corpus,
    older,
    standing,
)
from ragtui.tui.state.figures import grade_text
from ragtui.tui.state.pieces import Fact, Piece, Row

if TYPE_CHECKING:
    from ragtui.tui.state.no_answer import Refusal

REFERENCE, QUERY = "reference", "query"
"""Keys of the cards that are no chunks."""

_REFERENCE_LINES = 3
_CLAIM_MOST = 400
_LONG_QUERY = 120  # cells from which the heading may not hold it


def gold_pane(
    evidence: QueryEvidence, judged: JudgedQuery | None = None, refusal: Refusal | None = None
) -> Pane:
    """What the query needs, missed first; then the reference answer with its claims, and other labels."""
    entries: list[Entry] = [Between(sentence=said) for said in about_gold(evidence, refusal)]
    for _, alike in groupby(evidence.needs, key=_group_of):
        entries += _group(list(alike), evidence)
    if evidence.reference:
        title, answer = t("detail.reference"), evidence.reference
        entries.append(Card(REFERENCE, Piece(""), title, "", text=answer, lines=_REFERENCE_LINES))
    if judged is not None and judged.claims:
        entries += _claims(judged.claims)
    if evidence.others:
        entries.append(_section(t("detail.also-labelled")))
        entries += [_other_label(gold) for gold in evidence.others]
    if cells.width(shown(evidence.text[: 2 * _LONG_QUERY])) > _LONG_QUERY:
        entries.append(Card(QUERY, Piece(""), t("detail.whole-query"), "", text=evidence.text))
    start = next((entry.key for entry in entries if isinstance(entry, Card)), None)
    return Pane(_gold_title(evidence), tuple(entries), start)


def _group_of(need: GoldEvidence) -> tuple[str | None, str]:
    return need.label.group, "" if need.label.group is not None else need.chunk_id


def _gold_title(evidence: QueryEvidence) -> str:
    if evidence.state == "no-answer":
        return t("detail.pane.no-answer")
    if evidence.state == "no-gold":
        return t("detail.pane.no-gold")
    missed = evidence.groups - evidence.groups_found
    if not missed:
        return t("detail.pane.all-found", n=evidence.groups)
    return t("detail.pane.missed", missed=missed, n=evidence.groups)


def _group(needs: Sequence[GoldEvidence], evidence: QueryEvidence) -> Iterator[Entry]:
    """The members of one evidence group: under one heading where any of several would do."""
    if len(needs) == 1:
        yield _need_card(needs[0], evidence, in_group=False)
        return
    is_missed = not needs[0].is_covered
    lead = Piece("x " if is_missed else "  ", "miss", bold=is_missed)
    name = t("detail.any-of", n=len(needs), group=shown(needs[0].label.group or ""))
    yield Between((Row((lead, Piece(name, "dim"))),))
    for need in needs:
        yield _need_card(need, evidence, in_group=True)


def _need_card(need: GoldEvidence, evidence: QueryEvidence, *, in_group: bool) -> Card:
    is_missed = not need.is_covered
    lead = "x" if is_missed and not in_group else "|" if in_group else ""
    return Card(
        key=need.chunk_id,
        lead=Piece(lead, "dim" if in_group else "miss", bold=is_missed and not in_group),
        title=need.title,
        name=need.chunk_id,
        right=(
            Piece(t("detail.gold", grade=grade_text(need.label.grade)), "dim"),
            Piece("  "),
            standing(need, evidence),
        ),
        text=need.text,
        words=need.shared_words,
        reason=need.label.reason,
        facts=tuple(paragraph for paragraph in _facts(need, evidence) if paragraph),
        is_quiet=need.is_covered and not need.is_found,
        in_group=in_group,
    )


def _facts(need: GoldEvidence, evidence: QueryEvidence) -> Iterator[tuple[Fact, ...]]:
    """What helps to see why, in paragraphs."""
    k = evidence.k
    yield tuple(not_in_corpus(need))
    if need.is_covered:
        yield in_runs(need, k)
        yield tuple(older(need.older_above))
        return
    yield (*in_runs(need, k), *gap(need, k))
    misleading = [place for place in need.distractors_above if place != need.older_above]
    # they are the same for every chunk that was missed, so they are told once
    told = misleading if need is evidence.needs[0] else []
    yield (*neighbour(need.neighbour, k), *older(need.older_above), *distractors(told))
    if need.text is not None:
        yield tuple(_shared(need.shared_words))


def _shared(words: Sequence[str]) -> Iterator[Fact]:
    if not words:
        yield (Piece(t("detail.fact.no-word-shared"), "partial"),)
        return
    yield (
        Piece(f"{t('detail.fact.shared')} ", "dim"),
        Piece("  ".join(shown(word) for word in words[:12]), underline=True),
    )


def _other_label(gold: GoldEvidence) -> Card:
    """A label that asks for nothing; loud where it is a distractor in the first K."""
    misleads = gold.label.is_distractor and gold.is_found
    ink: Ink = "miss" if misleads else "dim"
    label = (
        t("detail.distractor")
        if gold.label.is_distractor
        else t("detail.gold", grade=grade_text(gold.label.grade))
    )
    place = Piece(f"@{gold.rank}", ink) if gold.rank is not None else Piece("-", "dim")
    return Card(
        key=gold.chunk_id,
        lead=Piece(""),
        title=gold.title,
        name=gold.chunk_id,
        right=(Piece(label, ink), Piece(cells.pad(place.text, 5, "right"), place.ink)),
        text=gold.text,
        reason=gold.label.reason,
        reason_ink=ink,
        is_distractor=gold.label.is_distractor,
        is_quiet=True,
    )


def _claims(claims: Sequence[Claim]) -> Iterator[Entry]:
    """What the reference says, statement by statement: what no context supports comes first, and loud."""
    unsupported = sum(claim.is_supported is False for claim in claims)
    yield _section(t("detail.claims", unsupported=unsupported, n=len(claims)))
    for claim in claims:
        text = shown(claim.text[:_CLAIM_MOST])
        if claim.is_supported:
            by = (Piece(f"  {shown(claim.chunk_id)}", "dim"),) if claim.chunk_id else ()
            yield Between(sentence=(Piece("+ ", "dim"), Piece(text, "dim"), *by))
            continue
        sign = Piece("! " if claim.is_supported is None else "x ", "miss", bold=True)
        reason = shown(claim.reason[:_CLAIM_MOST])
        why = (Piece("  "), Piece(t("detail.judge-says", reason=reason), "dim")) if reason else ()
        yield Between(sentence=(sign, Piece(text), *why))


def _section(title: str) -> Between:
    return Between((Row((Piece(title, "dim"), Piece(" ")), is_rule=True),))
