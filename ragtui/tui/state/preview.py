"""What the list says of the selected query: what it needs, what came, in a few lines or a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragtui.analysis.evidence_model import Card, GoldEvidence, QueryEvidence
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_flat, shown_lines
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import grade_text, score_text
from ragtui.tui.state.pieces import Fact, Piece, flow

TEXT_LINES = 3
TOP_TEXTS = 3
ID_CELLS = 24
RANK_CELLS = 4


def below(evidence: QueryEvidence, width: int, height: int) -> list[Fact]:
    """At most `height` lines for the foot of the list: the query, what it needs, what came first."""
    names = (t("tui.preview.needs"), t("tui.preview.top", rank=1), " " * (1 + RANK_CELLS))
    label = max(map(cells.width, names)) + 2
    query = _query_lines(evidence, width, 2 if height > 4 else 1)
    room = height - len(query) - bool(evidence.retrieved)
    needs = _needs_lines(evidence, label, width, max(room, 1))
    came = [_came_line(card, label, width) for card in evidence.retrieved[:height]]
    return [*query, *needs, *came][:height]


def beside(evidence: QueryEvidence, width: int, height: int) -> list[Fact]:
    """At most `height` lines for a column of its own: the whole query, its needs with texts, what came."""
    lines: list[Fact] = [(Piece(shown(evidence.query_id), "dim"), *_type(evidence))]
    lines += [(Piece(line, bold=True),) for line in _wrapped(evidence.text, width, 8)]
    if evidence.reference:
        reference = f"{t('tui.preview.reference')}  {evidence.reference}"
        lines += [(Piece(line, "dim"),) for line in _wrapped(reference, width, 3)]
    lines.append(())
    lines += _state_lines(evidence, width)
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


def _needs_lines(evidence: QueryEvidence, label: int, width: int, room: int) -> list[Fact]:
    """A line for each need, the last one with how many more there are."""
    said = _state_lines(evidence, width)
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


def _state_lines(evidence: QueryEvidence, width: int) -> list[Fact]:
    """A sentence where the query is not an ordinary one."""
    said = _state(evidence)
    return [(Piece(line, ink),) for text, ink in said for line in cells.wrap(text, width)]


def _state(evidence: QueryEvidence) -> Iterator[tuple[str, Ink]]:
    if evidence.run_state == "lacks":
        yield t("tui.preview.missing"), "miss"
    elif evidence.run_state == "failed":
        yield t("tui.preview.failed", error=shown(evidence.error[:400])), "miss"
    top = evidence.top
    if evidence.state == "no-answer":
        if top is None:
            yield t("tui.preview.no-answer-empty"), "found"
        else:
            score = score_text(top.score) if top.score is not None else "-"
            yield t("tui.preview.no-answer", score=score), "partial"
    elif evidence.state == "no-gold":
        yield t("tui.preview.no-gold", level=grade_text(evidence.level)), "dim"


def _need_facts(need: GoldEvidence, evidence: QueryEvidence, id_cells: int = 0) -> Iterator[Fact]:
    """The chunk, where it stands here and in the other runs, and what may have kept it out."""
    where = _standing(need, evidence)
    chunk_id = shown(need.chunk_id)
    yield (Piece(cells.pad(chunk_id, id_cells) if id_cells else chunk_id), Piece("  "), where)
    others = [
        f"{shown(run)} {rank if rank is not None else '-'}"
        for run, rank in need.ranks.items()
        if run != evidence.run
    ]
    if others and not need.is_found:
        yield (Piece(", ".join(others), "dim"),)
    if need.neighbour is not None and not need.is_found:
        chunk = shown(need.neighbour.chunk_id)
        yield (Piece(t("tui.preview.neighbour", chunk=chunk, rank=need.neighbour.rank), "partial"),)
    if need.older_above is not None and not need.is_found:
        chunk = shown(need.older_above.chunk_id)
        yield (Piece(t("tui.preview.older-above", chunk=chunk, rank=need.older_above.rank), "partial"),)
    if need.text is None:
        yield (Piece(t("tui.preview.no-text"), "miss"),)


def _standing(need: GoldEvidence, evidence: QueryEvidence) -> Piece:
    if need.is_found:
        return Piece(t("tui.preview.rank", rank=need.rank), "found")
    if need.rank is None:
        returned = evidence.returned
        said = t("tui.preview.beyond", n=returned) if returned else t("tui.preview.not-retrieved")
        return Piece(said, "miss", bold=not need.is_covered)
    said = t("tui.preview.rank", rank=need.rank)
    if need.under_k is not None:
        gap = score_text(need.under_k)
        said = t("tui.preview.rank-under", rank=need.rank, gap=gap, k=evidence.k)
    return Piece(said, "dim" if need.is_covered else "miss", bold=not need.is_covered)


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
        Piece(t("tui.preview.no-text"), "miss")
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
        return [head, (Piece("   "), Piece(t("tui.preview.no-text"), "miss"))]
    return [
        head,
        *((Piece("   "), Piece(line, "dim")) for line in _wrapped(card.text, width - 3, TEXT_LINES)),
    ]


def _wrapped(text: str, width: int, lines: int) -> list[str]:
    return cells.wrap(shown_lines(text[: width * (lines + 1) * 2]).strip(), width, lines)
