"""The first line of every screen: which set, which run, seen how; and what its numbers are over."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.analysis.overview import sentence
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.session import Session
from ragtui.tui.state.figures import grade_text
from ragtui.tui.state.pieces import Fact, Piece, total
from ragtui.tui.state.remarks import remarks_of

HASH_DIGITS = 6
NAME_CELLS = 40


def headline(
    session: Session, table: QueryTable | None, width: int, *, is_blind: bool = False
) -> tuple[Fact, Fact]:
    """Left and right end for `width` cells; what tells least leaves first, blind the run is not told."""
    warnings = _warnings(session) if table is not None else ()
    left = (*_where(session, is_blind=is_blind), *_gold(session), *warnings)
    for right in _counts(session, table):
        if total(left) + total(right) + 2 <= width:
            return left, right
    return left, ()


def _where(session: Session, *, is_blind: bool) -> Iterator[Piece]:
    workspace = session.workspace
    yield Piece(" ")
    if workspace.is_example:
        yield Piece(f"{t('tui.head.example')} ", "dim")
    yield Piece(cells.crop(shown(workspace.set.name), NAME_CELLS), bold=True)
    if session.run is None:
        return
    yield Piece(" > ", "dim")
    if is_blind:
        yield Piece(t("tagging.blind.chip"), "accent", bold=True)
    else:
        yield Piece(cells.crop(shown(session.run), NAME_CELLS), bold=True)
    yield Piece("   ")
    yield Piece(t("tui.head.k", k=session.k), "accent", bold=True)
    if session.stage is not None:
        yield Piece("   ")
        yield Piece(t("tui.head.stage", stage=shown(session.stage)), "accent")


def _gold(session: Session) -> Iterator[Piece]:
    """Which version of gold is shown, where people have corrected it; loud where it is not the newest."""
    seen, newest = session.workspace.gold_version, session.newest_gold
    if not newest:
        return
    yield Piece("   ")
    if seen == newest:
        yield Piece(t("tagging.gold.chip", n=seen), "accent")
    else:
        key = "chip-files" if seen == 0 else "chip-older"
        yield Piece(t(f"tagging.gold.{key}", n=seen, newest=newest), "partial", bold=True)


def _warnings(session: Session) -> Iterator[Piece]:
    """How much there is to know before the numbers are believed."""
    count = sum(said.is_warning for said in remarks_of(session))
    if count:
        yield Piece("   ")
        yield Piece(t("tui.remarks.warnings", n=count), "partial")


def _counts(session: Session, table: QueryTable | None) -> Iterator[Fact]:
    """What stands at the right end, the fullest first."""
    hashes = session.workspace.set.hashes_at_hand
    corpus = f"   {t('tui.head.corpus', hash=hashes.corpus[:HASH_DIGITS])}" if hashes is not None else ""
    if table is None:
        everything = t("tui.head.queries", n=len(session.workspace.query_ids))
        yield (Piece(f"{everything}{corpus} ", "dim"),)
        return
    counts, everything = sentence(table), t("tui.head.queries", n=len(table))
    split = f"{t('tui.head.split', split=shown(str(session.workspace.split)))}   "
    level = f"   {t('tui.head.level', level=grade_text(table.result.level))}"
    several = len(session.workspace.set.splits) > 1
    for text in (
        (split if several else "") + counts + level + corpus,
        (split if several else "") + counts + level,
        counts + level,
        counts,
        everything,
    ):
        yield (Piece(f"{text} ", "dim"),)
