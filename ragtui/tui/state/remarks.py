"""What to know of a set and a run before their numbers are believed: warnings and notes, all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ragtui.analysis.overview import remarks
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.session import Session
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.review import Sitting


class Said(NamedTuple):
    """One remark: whether it changes what numbers mean, where it is about, and its words."""

    is_warning: bool
    where: str
    text: str


def remarks_of(session: Session) -> list[Said]:
    """Remarks on the set, then on the run in use, warnings first."""
    found = [
        Said(fault.severity == "warning", fault.where, f"{fault.what} {fault.mend}".strip())
        for fault in session.workspace.set.warnings
    ]
    if session.run is not None:
        table = session.workspace.table(session.run, session.k, session.stage)
        found += _of_run(session.run, table)
    found += _of_decisions(session.sitting)
    return sorted(found, key=lambda said: not said.is_warning)


def _of_decisions(sitting: Sitting) -> Iterator[Said]:
    """That nothing can be decided, and what of the journal could not be read."""
    if sitting.error is not None:
        yield Said(True, sitting.error.where or "", f"{sitting.error.what} {sitting.error.mend}".strip())
    if not sitting.is_read:
        return
    journal = sitting.review.journal
    where = str(journal.path)
    if journal.read_only:
        text = t("review.read-only", why=journal.read_only)
        yield Said(True, where, f"{text} {t('review.read-only-mend')}")
    if journal.set_aside:
        yield Said(True, where, t("review.set-aside", n=journal.set_aside))
    if journal.newer:
        yield Said(True, where, t("review.newer", n=journal.newer))


def _of_run(run: str, table: QueryTable) -> Iterator[Said]:
    for remark in remarks(table):
        yield Said(remark.severity == "warning", run, remark.text)


def remarks_page(session: Session, width: int) -> list[Fact]:
    """Lines for `width` cells."""
    found = remarks_of(session)
    lines: list[Fact] = [()]
    for said in found:
        mark = Piece("! ", "partial", bold=True) if said.is_warning else Piece("- ", "dim")
        text = cells.wrap(shown_lines(said.text), width - 2)
        lines += [(mark, Piece(text[0])), *((Piece("  "), Piece(line)) for line in text[1:])]
        if said.where:
            lines.append((Piece("  "), Piece(cells.crop(shown(said.where), width - 2), "dim")))
        lines.append(())
    return lines if found else [(), (Piece(t("tui.remarks.none"), "dim"),)]
