"""Columns and cells of the query list, as data."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.fields import header
from ragtui.analysis.query_table import MISS, PARTIAL, QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_flat
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import share_text
from ragtui.tui.state.pieces import Piece
from ragtui.tui.state.rows import Cell, Column
from ragtui.tui.state.strip import strip_pieces, strip_ranks

QUERY_LEAST = 24
ID_MOST = 14
TYPE_MOST = 16

_MARK_INKS: Mapping[str, Ink] = {MISS: "miss", PARTIAL: "partial"}


@dataclass(frozen=True, eq=False)
class QueryCells:
    """What stands in the list for any query of a table.

    Args:
        table: queries under one run at one cut-off.
        metric: the metric beside the strip, such as `ndcg@5`.
        marked: ids of queries that a person marked.
    """

    table: QueryTable
    metric: str
    marked: Set[str]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Columns in order; which ones a narrow screen leaves out stands in each."""
        ids = _widest(self.table.query_ids, ID_MOST)
        columns = [
            Column("mark", "", 2, is_mark=True),
            Column("id", t("tui.column.id"), max(ids, cells.width(t("tui.column.id"))), leaves=2),
            Column("query", t("tui.column.query"), QUERY_LEAST, is_flexible=True),
        ]
        if self._types is not None:
            title = header("type")
            wide = max(_widest(self._types, TYPE_MOST), cells.width(title))
            columns.append(Column("type", title, wide, leaves=1))
        strip = t("tui.column.strip")
        ranks = strip_ranks(self.table.k)
        columns += [
            Column("strip", strip, max(ranks + 1, cells.width(strip)), leaves=3),
            Column("got", t("tui.column.got"), max(4, cells.width(t("tui.column.got"))), "right", leaves=4),
            Column("metric", self.metric, max(4, cells.width(self.metric)), "right"),
        ]
        return tuple(columns)

    def of(self, row: int) -> Mapping[str, Cell]:
        """Cells of one row of the table, by column."""
        query_id = str(self._ids[row])
        mark = str(self._column("mark")[row])
        found = {
            "mark": [
                Piece(mark or " ", _MARK_INKS.get(mark, "text"), bold=bool(mark)),
                Piece("*" if query_id in self.marked else " ", "accent", bold=True),
            ],
            "id": [Piece(_cropped(query_id, ID_MOST), "dim")],
            "query": [Piece(_cropped(str(self._column("text")[row]), 400))],
            "strip": self._strip(row),
            "got": self._got(row),
            "metric": self._metric(row),
        }
        if self._types is not None:
            kind = self._types[row]
            found["type"] = [Piece(_cropped(str(kind), TYPE_MOST) if isinstance(kind, str) else "", "dim")]
        return found

    @cached_property
    def _ids(self) -> npt.NDArray[np.object_]:
        return self.table.query_ids

    @cached_property
    def _types(self) -> npt.NDArray[np.object_] | None:
        """Type of each query; None where the set names no types."""
        kinds = self._column("type")
        return kinds if any(isinstance(kind, str) for kind in kinds) else None

    @cached_property
    def _columns_read(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    def _column(self, name: str) -> npt.NDArray[Any]:
        """A column of the frame as an array, because a cell of an array is read a hundred times faster."""
        if name not in self._columns_read:
            self._columns_read[name] = self.table.frame[name].to_numpy()
        return self._columns_read[name]

    def _strip(self, row: int) -> Cell:
        if self._column("failed")[row]:
            return [Piece(t("tui.cell.failed"), "miss")]
        if self._column("missing")[row]:
            return [Piece(t("tui.cell.missing"), "miss")]
        return strip_pieces(self.table, row, is_scored=self._column("state")[row] == "scored")

    def _got(self, row: int) -> Cell:
        got, groups = int(self._column("got")[row]), int(self._column("groups")[row])
        if not groups:
            return [Piece("-", "dim")]
        ink: Ink = "miss" if got == 0 else "partial" if got < groups else "text"
        return [Piece(f"{got if got >= 0 else '-'}/{groups}", ink, bold=ink != "text")]

    def _metric(self, row: int) -> Cell:
        value = self._column(self.metric)[row] if self.metric in self.table.frame.columns else np.nan
        if np.isnan(value):
            return [Piece("-", "dim")]
        return [Piece(share_text(float(value)), "miss" if value == 0 else "text", bold=value == 0)]


def _widest(texts: npt.NDArray[np.object_], most: int) -> int:
    """Cells that the widest of `texts` takes, at most `most`."""
    longest = 0
    for text in texts:
        if isinstance(text, str) and (len(text) > longest or not text.isascii()):
            longest = max(longest, min(cells.width(shown(text[:most])), most))
            if longest == most:
                break
    return longest


def _cropped(text: str, cells_wide: int) -> str:
    """Foreign text, fit to be shown; what nobody sees of a long one is not looked at."""
    return cells.crop(shown_flat(text[: 4 * cells_wide]), cells_wide)
