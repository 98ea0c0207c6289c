"""Queries that a threshold treats wrongly, as rows of a table and for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ragtui.analysis.calibration.sample import Side, WrongSide
from ragtui.messages import t
from ragtui.tui.glyphs import shown, shown_flat
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import score_text
from ragtui.tui.state.pieces import Fact, Piece, total
from ragtui.tui.state.rows import Cell, Column
from ragtui.workspace import Workspace

_MOST = 400
"""Characters of foreign text that are looked at for a cell."""

SIDES: tuple[Side, ...] = ("false-answer", "false-refusal", "missed-answer")
_INKS: dict[Side, Ink] = {"false-answer": "miss", "false-refusal": "partial", "missed-answer": "partial"}
_MARKS: dict[Side, str] = {"false-answer": "x", "false-refusal": "~", "missed-answer": "?"}


def wrong_columns() -> tuple[Column, ...]:
    """Columns of the table."""
    return (
        Column("mark", "", 1, is_mark=True),
        Column("side", t("no_answer.column.side"), 16),
        Column("score", t("no_answer.column.score"), 7, "right"),
        Column("distance", t("no_answer.column.distance"), 7, "right", leaves=1),
        Column("query_id", t("no_answer.column.query_id"), 10, leaves=2),
        Column("query", t("no_answer.column.query"), 24, is_flexible=True),
    )


class WrongRows:
    """Rows over queries on the wrong side; a row is made when it is seen."""

    def __init__(self, workspace: Workspace, found: Sequence[WrongSide], marks: set[str]) -> None:
        self._texts = workspace.set.queries["text"]
        self.found = found
        self._marks = marks

    def __len__(self) -> int:
        return len(self.found)

    def query_ids(self) -> list[str]:
        """Queries in order."""
        return [one.query_id for one in self.found]

    def text(self, query_id: str) -> str:
        """The query as it is in the files."""
        return str(self._texts.get(query_id) or "")

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        one = self.found[position]
        mark = [Piece("*", "accent", bold=True)] if one.query_id in self._marks else []
        return {
            "mark": mark or [Piece(_MARKS[one.side], _INKS[one.side], bold=True)],
            "side": [Piece(t(f"no_answer.side.{one.side}"), _INKS[one.side])],
            "score": [Piece(_figure(one.score))],
            "distance": [Piece(_figure(one.distance), "dim")],
            "query_id": [Piece(shown(one.query_id[:_MOST]), "dim")],
            "query": [Piece(shown_flat(self.text(one.query_id)[:_MOST]))],
        }

    def is_dim(self, position: int) -> bool:
        """None is."""
        return False

    def records(self) -> list[dict[str, Any]]:
        """Rows as plain values."""
        return [
            {
                "query_id": one.query_id,
                "text": self.text(one.query_id),
                "kind": one.kind,
                "side": one.side,
                "score": one.score,
                "distance": one.distance,
            }
            for one in self.found
        ]


def heading(rows: WrongRows, run: str, threshold: str, width: int) -> Fact:
    """How many there are of each sort, at which threshold, and where there is room of which run."""
    counts = Counter(one.side for one in rows.found)
    sorts: list[Piece] = []
    for side in SIDES:
        said = t(f"no_answer.wrong.{side}", n=counts[side])
        sorts += [Piece("   "), Piece(f"{_MARKS[side]} ", _INKS[side], bold=True), Piece(said)]
    title, short = (
        Piece(f" {t(f'no_answer.wrong.{key}', run=shown(run), threshold=threshold)}", bold=True)
        for key in ("title", "title-short")
    )
    whole = (title, *sorts)
    return whole if total(whole) <= width else (short, *sorts)


def _figure(value: float | None) -> str:
    return "-" if value is None else score_text(value)
