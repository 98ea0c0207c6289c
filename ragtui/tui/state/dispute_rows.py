"""Verdicts that failed or contradict gold, as rows of a table, and what is said of one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ragtui.judging.interpret import reason_text
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_flat
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import grade_text
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.rows import Cell, Column
from ragtui.workspace import Workspace

_MOST = 400
"""Characters of foreign text that are looked at for a cell or a line."""


def dispute_columns() -> tuple[Column, ...]:
    """Columns of the table of disputes."""
    return (
        Column("mark", "", 1, is_mark=True),
        Column("query_id", t("judges.column.query_id"), 8, leaves=3),
        Column("chunk_id", t("judges.column.chunk_id"), 16, leaves=4),
        Column("gold", t("judges.column.gold"), 4, "right"),
        Column("value", t("judges.column.value"), 6, "right"),
        Column("reason", t("judges.column.reason"), 16, is_flexible=True),
    )


class DisputeRows:
    """Rows over a table of disputes; a row is made when it is seen."""

    def __init__(self, disputes: pd.DataFrame) -> None:
        self._columns: Mapping[str, list[Any]] = {str(name): disputes[name].tolist() for name in disputes}
        self._count: int = len(disputes)
        self.failed = len([status for status in self._columns["status"] if status != "ok"])

    def __len__(self) -> int:
        return self._count

    @property
    def differ(self) -> int:
        """How many contradict gold."""
        return self._count - self.failed

    def row(self, position: int) -> Mapping[str, Any]:
        """What is known of one."""
        return {name: values[position] for name, values in self._columns.items()}

    def query_ids(self) -> list[str]:
        """Queries in order, each once."""
        return list(dict.fromkeys(self._columns["query_id"]))

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        row = self.row(position)
        has_failed = row["status"] != "ok"
        value = Piece("!", "miss", bold=True) if has_failed else Piece(grade_text(row["value"]), "partial")
        return {
            "mark": [Piece("!" if has_failed else "~", "miss" if has_failed else "partial", bold=True)],
            "query_id": [Piece(shown(row["query_id"][:_MOST]))],
            "chunk_id": [Piece(shown((row["chunk_id"] or row["claim"] or "")[:_MOST]), "dim")],
            "gold": [Piece("?" if math.isnan(row["grade"]) else grade_text(row["grade"]))],
            "value": [value],
            "reason": [Piece(_reason(row))],
        }

    def is_dim(self, position: int) -> bool:
        """None is."""
        return False


def _reason(row: Mapping[str, Any]) -> str:
    reason = shown_flat(reason_text(row["status"], row["reason"])[:_MOST])
    return reason if row["status"] == "ok" else f"{t('judges.status.' + row['status'])}: {reason}"


def dispute_lines(workspace: Workspace, row: Mapping[str, Any], width: int, height: int) -> list[Fact]:
    """The query, the text that was judged, and what the judge says of it, or its reply where it failed."""
    found = workspace.set
    query = found.queries["text"].get(row["query_id"]) or ""
    chunk = row["chunk_id"]
    text = (found.chunks["text"].get(chunk) or "") if chunk is not None else (row["claim"] or "")
    room = max(height - 1, 1)
    most = width * 2 * room + width
    lines: list[Fact] = [
        _line(shown(row["query_id"][:_MOST]), shown_flat(query[:_MOST]), width, "text", bold=True)
    ]
    said = _wrapped(t("judges.disputes.judge"), _reason(row), width, 2, "partial")
    if row["raw"] and row["status"] != "ok":
        said += _wrapped(t("judges.disputes.raw"), shown_flat(row["raw"][:most]), width, 2, "dim")
    context = _wrapped(shown((chunk or "")[:_MOST]), shown_flat(text[:most]), width, max(1, room - len(said)))
    return [*lines, *context, *said][:height]


def _wrapped(label: str, text: str, width: int, lines: int, ink: Ink = "text") -> list[Fact]:
    """A text behind its label, its further lines under the first."""
    label = cells.crop(label, width // 3)
    indent = cells.width(label) + 2
    wrapped = cells.wrap(text, max(width - indent, 8), lines) or [""]
    first, *rest = wrapped
    return [
        (Piece(f"{label}  ", "dim"), Piece(first, ink)),
        *((Piece(" " * indent), Piece(line, ink)) for line in rest),
    ]


def _line(label: str, text: str, width: int, ink: Ink, *, bold: bool) -> Fact:
    label = cells.crop(label, width // 3)
    room = max(width - cells.width(label) - 2, 1)
    return (Piece(f"{label}  ", "dim"), Piece(cells.crop(text, room), ink, bold=bold))
