"""What there is to say of the evidence of a query: one wording for the list's preview and for the detail."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragtui.analysis.evidence_model import GoldEvidence, Place, QueryEvidence
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import grade_text, score_text
from ragtui.tui.state.pieces import Fact, Piece

if TYPE_CHECKING:
    from ragtui.tui.state.no_answer import Refusal

_RUN_CELLS = 24
_ERROR_MOST = 500  # characters of what a system said when it failed


def about_run(evidence: QueryEvidence) -> Iterator[Fact]:
    """Why there is no list, where there is none."""
    if evidence.run_state == "ok" and evidence.returned:
        return
    run = shown(evidence.run)
    if evidence.run_state == "failed":
        said = t("detail.run-failed", run=run, error=shown(evidence.error[:_ERROR_MOST]))
    else:
        said = t("detail.run-lacks" if evidence.run_state == "lacks" else "detail.run-empty", run=run)
    yield (Piece(said, "miss"),)


def about_gold(evidence: QueryEvidence, refusal: Refusal | None = None) -> Iterator[Fact]:
    """That nothing should be found, or that no gold counts; nothing of an ordinary query.

    Args:
        evidence: of the query.
        refusal: what the threshold of the run does to it; None where there is no usable one.
    """
    if evidence.state == "no-answer":
        yield (Piece(t("detail.nothing-to-find")),)
        if refusal is not None:
            yield (refusal_piece(refusal),)
        if evidence.top is not None and evidence.top.score is not None:
            top = t("detail.top-1", score=score_text(evidence.top.score), chunk=shown(evidence.top.chunk_id))
            yield (Piece(top, "dim"),)
    elif evidence.state == "no-gold":
        key = "detail.below-level" if evidence.others else "detail.nobody-judged"
        yield (Piece(t(key, level=grade_text(evidence.level)), "partial"),)


def refusal_piece(refusal: Refusal) -> Piece:
    """That a query to which there is no answer would be answered, or is refused as it should be."""
    from ragtui.tui.state.no_answer import written  # the first screen does without

    sample = refusal.sample
    if math.isnan(refusal.value):
        return Piece(t("no_answer.refused-without"), "dim")
    is_far = score_text(refusal.value) != score_text(refusal.threshold)
    side = ("over", "under") if sample.direction == "higher" else ("within", "beyond")
    said = t(
        f"no_answer.{side[not refusal.is_answered]}",
        score=t(f"no_answer.score-name.{sample.score.kind}", k=sample.score.k),
        value=score_text(refusal.value) if is_far else written(refusal.value, sample),
        threshold=written(refusal.threshold, sample),
    )
    return Piece(said, "miss" if refusal.is_answered else "found")


def standing(gold: GoldEvidence, evidence: QueryEvidence) -> Piece:
    """Where a labelled chunk stands in the list; loud where it was needed and is not in the first K."""
    if gold.is_found:
        return Piece(f"@{gold.rank}", "found")
    is_loud = not gold.is_covered
    if gold.rank is not None:
        return Piece(t("detail.rank", rank=gold.rank), "partial" if is_loud else "dim", bold=is_loud)
    said = t("detail.not-in-top", n=evidence.returned) if evidence.returned else t("detail.not-retrieved")
    return Piece(said, "miss" if is_loud else "dim", bold=is_loud)


def in_runs(need: GoldEvidence, k: int, *, but: str | None = None) -> tuple[Fact, ...]:
    """Its rank in every run, `but` left out; nothing where there is but one."""
    if len(need.ranks) < 2:
        return ()
    return tuple(_in_run(run, rank, k) for run, rank in need.ranks.items() if run != but)


def _in_run(run: str, rank: int | None, k: int) -> Fact:
    ink: Ink = "dim" if rank is None else "found" if rank <= k else "text"
    return (
        Piece(f"{cells.crop(shown(run), _RUN_CELLS)} ", "dim"),
        Piece("-" if rank is None else str(rank), ink),
    )


def gap(need: GoldEvidence, k: int) -> Iterator[Fact]:
    """How far its score is under that at rank K."""
    if need.under_k == 0:
        yield (Piece(t("detail.fact.tied", k=k), "partial"),)
    elif need.under_k is not None:
        yield (Piece(t("detail.fact.under", gap=score_text(need.under_k), k=k)),)


def neighbour(place: Place | None, k: int) -> Iterator[Fact]:
    """That the chunk before or after it was retrieved."""
    if place is not None:
        ink: Ink = "partial" if place.rank <= k else "dim"
        yield (Piece(t("detail.fact.neighbour", chunk=shown(place.chunk_id), rank=place.rank), ink),)


def older(place: Place | None) -> Iterator[Fact]:
    """That an older version stands above it."""
    if place is not None:
        yield (Piece(t("detail.fact.older", chunk=shown(place.chunk_id), rank=place.rank), "partial"),)


def distractors(places: Sequence[Place]) -> Iterator[Fact]:
    """Which chunks that mislead stand above it, at most three."""
    for place in places[:3]:
        yield (Piece(t("detail.fact.distractor", chunk=shown(place.chunk_id), rank=place.rank), "partial"),)


def not_in_corpus(gold: GoldEvidence) -> Iterator[Fact]:
    """That gold points at nothing."""
    if gold.text is None:
        yield (Piece(t("detail.gold-not-in-corpus"), "miss"),)
