"""Gold by rank in colour: `.3.3?|.1...`."""

from __future__ import annotations

from ragtui.analysis.query_table import QueryTable
from ragtui.tui.palette import Ink
from ragtui.tui.state.pieces import Fact, Piece

STRIP_RANKS = 10


def strip_ranks(k: int) -> int:
    """Ranks in the strip: ten, or some more where K is beyond that, so that a near miss is seen."""
    return STRIP_RANKS if k < STRIP_RANKS else min(k + STRIP_RANKS // 2, 2 * STRIP_RANKS)


def strip_pieces(table: QueryTable, row: int, *, is_scored: bool) -> Fact:
    """The grades of a query's first ranks, and the cut-off. Quiet where the query is not scored."""
    k, level = table.k, table.result.level
    pieces: list[Piece] = []
    for rank, sign in enumerate(table.strip(row, strip_ranks(k)).replace("|", ""), start=1):
        ink, is_strong = _ink(sign, level, is_in_k=rank <= k) if is_scored else ("dim", False)
        pieces.append(Piece(sign, ink, bold=is_strong))
        if rank == k:
            pieces.append(Piece("|", "dim"))
    return tuple(pieces)


def _ink(sign: str, level: float, *, is_in_k: bool) -> tuple[Ink, bool]:
    """Evidence in the first K is found, below them it was just missed; all else is quiet."""
    if sign == "+" or (sign.isdigit() and float(sign) >= level):
        return ("found" if is_in_k else "partial"), True
    return ("text" if sign.isdigit() else "dim"), False
