"""The lines above the cards: the query, what was got of it, gold by rank, its metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ragtui.analysis.evidence import QueryEvidence
from ragtui.analysis.fields import header
from ragtui.analysis.judged import JudgeName
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import glyphs, shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import share_text
from ragtui.tui.state.pieces import Fact, Piece, Row, flow, total
from ragtui.tui.state.strip import strip_pieces

QUERY_LINES = 3
"""Lines of the query; of a longer one the rest is read in the last card of the gold."""

JUDGE_LINES = 2

_METRICS = ("ndcg", "recall", "mrr", "precision", "judged")
_METADATA = ("type", "difficulty")


def heading(
    evidence: QueryEvidence, at: int, count: int, width: int, *, marked: bool, done: int = 0
) -> list[Row]:
    """The id and the query, up to three lines of it, which of how many it is, and how many are done."""
    mark = "* " if marked else ""
    said = t("detail.place-done" if done else "detail.place", at=at + 1, n=count, done=done)
    place = (Piece(mark, "accent", bold=True), Piece(said, "dim"))
    name = cells.crop(shown(evidence.query_id), width // 3)
    indent = cells.width(name) + 2
    room = max(width - indent - total(place) - 2, 8)
    text = " ".join(shown(evidence.text[: room * 2 * (QUERY_LINES + 1)]).split())
    lines = cells.wrap(text, room, QUERY_LINES) if text else [t("detail.no-query-text")]
    first = Row((Piece(name, "dim"), Piece("  "), Piece(lines[0], bold=True)), place)
    return [first, *(Row((Piece(" " * indent), Piece(line, bold=True))) for line in lines[1:])]


def numbers(evidence: QueryEvidence, table: QueryTable | None, width: int) -> Row:
    """The figures of one query in a line; what does not fit is left out from the right.

    Args:
        evidence: of the query.
        table: of its run at its K; None while that is being computed.
        width: cells of the line.
    """
    facts: list[Fact] = [_got(evidence)]
    row = None if table is None else table.row_of(evidence.query_id)
    if table is not None and row is not None:
        facts.append(strip_pieces(table, row, is_scored=evidence.state == "scored"))
        facts += _metrics(table, row, evidence) if evidence.state == "scored" else ()
    about = f" {glyphs().dot} ".join(
        shown(evidence.metadata[name]) for name in _METADATA if evidence.metadata.get(name)
    )
    return _fitted(facts, about, width)


def judges(query_id: str, table: QueryTable | None, width: int) -> list[Fact]:
    """The scores that judges give a query, each with its judge in full; no line where none has judged."""
    row = None if table is None else table.row_of(query_id)
    if table is None or table.judged is None or row is None:
        return []
    judged = table.judged
    facts: list[Fact] = []
    for name, judge in judged.judges.items():
        value = float(judged.scores[name][row])
        failed = math.isnan(value) and bool(judged.failed[name][row])
        figure = Piece("!", "miss", bold=True) if failed else Piece(share_text(value), _ink_of(judge))
        by = t("detail.by-judge", judge=shown(judge.text))
        standing = (Piece(f" {judge.standing}", "dim"),) if judge.standing else ()
        facts.append((Piece(f"{header(name)} ", "dim"), figure, Piece(f" {by}", "dim"), *standing))
    by_grades = judged.chunks_from
    if by_grades is not None and by_grades not in judged.judges.values():
        said = t("detail.graded-by", judge=shown(by_grades.text))
        standing = (Piece(f" {by_grades.standing}", "dim"),) if by_grades.standing else ()
        facts.append((Piece(said, "dim"), *standing))
    return flow(facts, width)[:JUDGE_LINES]


def _ink_of(judge: JudgeName) -> Ink:
    return "text" if judge.is_believed else "dim"


def _fitted(facts: Sequence[Fact], about: str, width: int) -> Row:
    left: list[Piece] = []
    for fact in facts:
        gap = 3 if left else 0
        if total(left) + gap + total(fact) > width:
            break
        left += [Piece(" " * gap), *fact]
    room = width - total(left) - 3
    about = cells.crop(about, room) if room >= 8 else ""
    return Row(tuple(left), (Piece(about, "dim"),) if about else ())


def _got(evidence: QueryEvidence) -> Fact:
    """The mark and how many groups of evidence are in the first K."""
    if evidence.state == "no-answer":
        return (Piece(t("detail.no-answer"), bold=True),)
    if evidence.state == "no-gold":
        return (Piece(t("detail.not-scored"), "partial", bold=True),)
    got = t("detail.got", got=evidence.groups_found, n=evidence.groups)
    if evidence.groups_found == evidence.groups:
        return (Piece(f"  {got}", "found"),)
    ink: Ink = "partial" if evidence.groups_found else "miss"
    return (Piece("~" if evidence.groups_found else "x", ink, bold=True), Piece(f" {got}", ink))


def _metrics(table: QueryTable, row: int, evidence: QueryEvidence) -> Iterator[Fact]:
    primary = table.evaluation.settings.primary.partition("@")[0]
    for metric in dict.fromkeys((primary, *_METRICS)):
        name = f"{metric}@{evidence.k}"
        if name in table.frame.columns:
            value = float(table.frame[name].to_numpy()[row])
            is_loud = value == 0 and metric == primary
            yield (Piece(f"{name} ", "dim"), Piece(share_text(value), "miss" if is_loud else "text"))
        elif name in table.result.unavailable and metric == primary:
            yield (Piece(t("detail.beyond-depth", k=evidence.k, depth=evidence.depth), "partial"),)
    first = float(table.frame["first_rank"].to_numpy()[row])
    if math.isnan(first):
        yield (Piece(t("detail.first-rank-none"), "dim"),)
    else:
        yield (Piece(t("detail.first-rank", rank=int(first)), "dim"),)
