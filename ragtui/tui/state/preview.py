"""What the list says of the selected query: what it needs, what came, in a few lines or a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ragtui.analysis.evidence_model import Card, GoldEvidence, QueryEvidence
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_flat, shown_lines
from ragtui.tui.state.detail_head import judges
from ragtui.tui.state.evidence_words import (
    about_gold,
    about_run,
    gap,
    in_runs,
    neighbour,
    not_in_corpus,
    older,
    standing,
)
from ragtui.tui.state.figures import score_text
from ragtui.tui.state.pieces import Fact, Piece, flow

if TYPE_CHECKING:
    from ragtui.tui.state.no_answer import Refusal

TEXT_LINES = 3
TOP_TEXTS = 3
ID_CELLS = 24
RANK_CELLS = 4


def below(evidence: QueryEvidence, width: int, height: int, refusal: Refusal | None = None) -> list[Fact]:
    """At most `height` lines for the foot of the list: the query, what it needs, what came first."""
    names = (t("tui.preview.needs"), t("tui.preview.top", rank=1), " " * (1 + RANK_CELLS))
    label = max(map(cells.width, names)) + 2
    query = _query_lines(evidence, width, 2 if height > 4 else 1)
    room = height - len(query) - bool(evidence.retrieved)
    needs = _needs_lines(evidence, label, width, max(room, 1), refusal)
    came = [_came_line(card, label, width) for card in evidence.retrieved[:height]]
    return [*query, *needs, *came][:height]


def beside(
    evidence: QueryEvidence,
    width: int,
    height: int,
    table: QueryTable | None = None,
    refusal: Refusal | None = None,
) -> list[Fact]:
    """At most `height` lines for a column of its own: the whole query, its needs with texts, what came.

    With the table of the run also what judges make of it.
    """
    lines: list[Fact] = [(Piece(shown(evidence.query_id), "dim"), *_type(evidence))]
    lines += [(Piece(line, bold=True),) for line in _wrapped(evidence.text, width, 8)]
    if evidence.reference:
        reference = f"{t('detail.reference')}  {evidence.reference}"
        lines += [(Piece(line, "dim"),) for line in _wrapped(reference, width, 3)]
    lines += judges(evidence.query_id, table, width)
    lines.append(())
    lines += _state_lines(evidence, width, refusal)
    for need in evidence.needs:
        lines += _need_block(need, evidence, width)
    if evidence.retrieved:
        lines.append(())
    for card in evidence.retrieved[:TOP_TEXTS]:
        lines += _card_block(card, width)
    return lines[:height]


def _query_lines(evidence: QueryEvidence, width: int, lines: int) -> list[Fact]:
    query_id = cells.crop(shown(evidence.query_id), ID_CELLS)
    indent = cells.width(query_id) + 2
    text = cells.wrap(shown_flat(evidence.text[: width * 4]), width - indent, lines)
    first: Fact = (Piece(f"{query_id}  ", "dim"), Piece(text[0], bold=True))
    return [first, *((Piece(" " * indent), Piece(line, bold=True)) for line in text[1:])]


def _type(evidence: QueryEvidence) -> Iterator[Piece]:
    kind = evidence.metadata.get("type", "")
    if kind:
        yield Piece(f"  {shown(kind)}", "dim")


def _needs_lines(
    evidence: QueryEvidence, label: int, width: int, room: int, refusal: Refusal | None
) -> list[Fact]:
    """A line for each need, the last one with how many more there are."""
    said = _state_lines(evidence, width, refusal)
    needs = evidence.needs[: max(room - len(said), 0)]
    ids = max((cells.width(shown(need.chunk_id)) for need in needs), default=0)
    lines: list[Fact] = [*said]
    for need in needs:
        first = cells.pad(t("tui.preview.needs") if need is needs[0] else "", label)
        facts = list(_need_facts(need, evidence, min(ids, ID_CELLS)))
        left = len(evidence.needs) - len(needs)
        if left and need is needs[-1]:
            facts.append((Piece(t("tui.preview.more", n=left), "dim"),))
        lines.append((Piece(first, "dim"), *_joined(facts), *_glimpse(need, width)))
    return lines


def _glimpse(need: GoldEvidence, width: int) -> Iterator[Piece]:
    """The beginning of a needed text, as far as the line has room."""
    if need.text:
        yield Piece(f"   {shown_flat(need.title[:80])}  ", "dim")
        yield Piece(shown_flat(need.text[: width * 2]), "dim")


def _state_lines(evidence: QueryEvidence, width: int, refusal: Refusal | None) -> list[Fact]:
    """Sentences where the query is not an ordinary one."""
    said = (*about_run(evidence), *about_gold(evidence, refusal))
    return [line for one in said for line in flow([one], width)]


def _need_facts(need: GoldEvidence, evidence: QueryEvidence, id_cells: int = 0) -> Iterator[Fact]:
    """The chunk, where it stands here and in the other runs, and what may have kept it out."""
    chunk_id = shown(need.chunk_id)
    padded = cells.pad(chunk_id, id_cells) if id_cells else chunk_id
    yield (Piece(padded), Piece("  "), standing(need, evidence))
    if not need.is_covered:
        yield from gap(need, evidence.k)
        yield from in_runs(need, evidence.k, but=evidence.run)
        yield from neighbour(need.neighbour, evidence.k)
    yield from older(need.older_above)
    yield from not_in_corpus(need)


def _joined(facts: Iterable[Fact]) -> Iterator[Piece]:
    for index, fact in enumerate(facts):
        if index:
            yield Piece("   ")
        yield from fact


def _came_line(card: Card, label: int, width: int) -> Fact:
    rank = (
        t("tui.preview.top", rank=card.rank)
        if card.rank == 1
        else cells.pad(_rank(card), RANK_CELLS + 1, "right")
    )
    return (Piece(cells.pad(rank, label), "dim"), *_card_head(card), *_card_text(card, width))


def _rank(card: Card) -> str:
    return str(card.rank) if card.rank is not None else "="


def _card_head(card: Card) -> Iterator[Piece]:
    if card.score is not None:
        yield Piece(f"{score_text(card.score)} ", "dim")
    title = shown_flat(card.title[:200]) or shown(card.chunk_id)
    yield Piece(f"{title}  ", "found" if card.is_relevant else "text", bold=card.is_relevant)


def _card_text(card: Card, width: int) -> Iterator[Piece]:
    text = card.text
    yield (
        Piece(t("detail.not-in-corpus"), "miss")
        if text is None
        else Piece(shown_flat(text[: width * 2]), "dim")
    )


def _need_block(need: GoldEvidence, evidence: QueryEvidence, width: int) -> list[Fact]:
    facts = list(_need_facts(need, evidence))
    lines = [
        (Piece("  "), *line) if index else line for index, line in enumerate(flow(facts, width - 2, gap=2))
    ]
    text = need.text or ""
    return [*lines, *(((Piece("  "), Piece(line, "dim"))) for line in _wrapped(text, width - 2, 2) if line)]


def _card_block(card: Card, width: int) -> list[Fact]:
    head: Fact = (Piece(cells.pad(_rank(card), 2, "right") + " ", "dim"), *_card_head(card))
    if card.text is None:
        return [head, (Piece("   "), Piece(t("detail.not-in-corpus"), "miss"))]
    return [
        head,
        *((Piece("   "), Piece(line, "dim")) for line in _wrapped(card.text, width - 3, TEXT_LINES)),
    ]


def _wrapped(text: str, width: int, lines: int) -> list[str]:
    return cells.wrap(shown_lines(text[: width * (lines + 1) * 2]).strip(), width, lines)
