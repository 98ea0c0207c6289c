"""Columns and cells of the query list, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.causes.catalogue import causes_with
from ragtui.analysis.columns import shown as shown_value
from ragtui.analysis.judged import CTX_P, CTX_R, JUDGED_COLUMNS
from ragtui.analysis.query_table import MISS, PARTIAL, AtAnyK, QueryTable
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_flat
from ragtui.tui.palette import Ink
from ragtui.tui.state.columns import (
    AT_K,
    CAUSE,
    GOT,
    QUERY,
    SET_ORDER,
    STRIP,
    TYPE,
    column_title,
    name_at,
    primary,
)
from ragtui.tui.state.figures import score_text, share_text
from ragtui.tui.state.pieces import Piece
from ragtui.tui.state.rows import Cell, Column
from ragtui.tui.state.strip import strip_pieces, strip_ranks

QUERY_LEAST = 24
ID_MOST = 14
TEXT_MOST = 16
CAUSE_MOST = 19
"""For the longest of our causes, with its question mark."""
TOP = "top1"
_RANKS = ("first_rank", "stale_rank", "groups", "returned")
_STAY = (CTX_P, CTX_R, TYPE, CAUSE, SET_ORDER, STRIP, GOT)
"""The usual columns, in the order in which they leave a narrow screen."""

DONE = "+"
"""The sign of a query to which somebody gave a cause."""

_MARK_INKS: Mapping[str, Ink] = {MISS: "miss", PARTIAL: "partial"}


@dataclass(frozen=True, eq=False)
class QueryCells:
    """What stands in the list for any query of a table.

    Args:
        table: queries under one run at one cut-off.
        chosen: columns by their names in `state.columns`.
    """

    table: QueryTable
    chosen: tuple[str, ...]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Columns in order, the mark first; which ones a narrow screen leaves out stands in each.

        What a person added to the usual ones leaves first, from the right.
        """
        last = len(self.chosen)
        return (
            Column("mark", "", 3, is_mark=True),
            *(self._column(name, last - place) for place, name in enumerate(self.chosen)),
        )

    def _column(self, name: str, leaves: int) -> Column:
        title = column_title(name, self.table.k)
        wide = cells.width(title)
        if name == QUERY:
            return Column(name, title, QUERY_LEAST, is_flexible=True)
        if name == STRIP:
            wide = max(strip_ranks(self.table.k) + 1, wide)
        elif name == CAUSE:
            own = self.table.evaluation.settings.causes
            titles = (t("causes.suggested", title=shown(cause.title())) for cause in causes_with(own))
            wide = max(min(max(map(cells.width, titles)), CAUSE_MOST), wide)
        elif name == SET_ORDER:
            wide = max(_widest_of(self.table.at_any_k, name, ID_MOST), wide)
        elif self._is_number(name):
            wide = max(6 if name == TOP else 4, wide)
        else:
            wide = max(_widest_of(self.table.at_any_k, name, TEXT_MOST), min(wide, TEXT_MOST))
        last = len(self.chosen) + 1
        stays = 0 if name == self.primary else last + _STAY.index(name) if name in _STAY else leaves
        return Column(name, title, wide, "right" if self._is_number(name) else "left", stays)

    def _is_number(self, name: str) -> bool:
        return name in {GOT, TOP, *_RANKS, *JUDGED_COLUMNS} or name.endswith(AT_K)

    def of(self, row: int, *, is_marked: bool, is_done: bool = False) -> Mapping[str, Cell]:
        """Cells of one row of the table, by column; that of the cause is not of the table."""
        mark = str(self._values("mark")[row])
        marked = "*" if is_marked else " "
        found: dict[str, Cell] = {
            "mark": [
                Piece(mark or " ", _MARK_INKS.get(mark, "text"), bold=bool(mark)),
                Piece(marked, "accent", bold=True),
                Piece(DONE if is_done else " ", "found", bold=True),
            ]
        }
        return found | {name: self._cell(name, row) for name in self.chosen}

    def _cell(self, name: str, row: int) -> Cell:
        if name == STRIP:
            return self._strip(row)
        if name == GOT:
            return self._got(row)
        if name == SET_ORDER:
            return [Piece(_cropped(str(self._ids[row]), ID_MOST), "dim")]
        if name.endswith(AT_K):
            return self._metric(name_at(name, self.table.k), row, is_loud=name == self.primary)
        if name not in self.table.frame.columns:
            return []
        if name in JUDGED_COLUMNS:
            return self._judged(name, row)
        value = self._values(name)[row]
        if name == QUERY:
            return [Piece(_cropped(str(value), 400))]
        if name in _RANKS or name == TOP:
            return [_number(float(value), score_text if name == TOP else "{:.0f}".format)]
        return [Piece(_cropped(shown_value(value), TEXT_MOST), "dim")]

    @cached_property
    def _ids(self) -> npt.NDArray[np.object_]:
        return self.table.query_ids

    @cached_property
    def primary(self) -> str:
        """The column that is loud where it is 0."""
        return primary(self.table)

    @cached_property
    def _read(self) -> dict[str, Any]:
        return {}

    def _values(self, name: str) -> Any:
        """A column of the frame as an array, because a cell of an array is read a hundred times faster."""
        if name not in self._read:
            column = self.table.frame[name]
            # of texts in Arrow only those that are seen become Python's
            self._read[name] = column.array if column.dtype == "str" else column.to_numpy()
        return self._read[name]

    def _strip(self, row: int) -> Cell:
        if self._values("failed")[row]:
            return [Piece(t("tui.cell.failed"), "miss")]
        if self._values("missing")[row]:
            return [Piece(t("tui.cell.missing"), "miss")]
        return strip_pieces(self.table, row, is_scored=self._values("state")[row] == "scored")

    def _got(self, row: int) -> Cell:
        got, groups = int(self._values("got")[row]), int(self._values("groups")[row])
        if not groups:
            return [Piece("-", "dim")]
        ink: Ink = "miss" if got == 0 else "partial" if got < groups else "text"
        return [Piece(f"{got if got >= 0 else '-'}/{groups}", ink, bold=ink != "text")]

    def _judged(self, name: str, row: int) -> Cell:
        """A score of judges: `!` where a verdict failed, dim where the judge is not to be believed."""
        judged = self.table.judged
        value = float(self._values(name)[row])
        if judged is not None and np.isnan(value) and judged.failed[name][row]:
            return [Piece("!", "miss", bold=True)]
        is_believed = judged is not None and judged.judges[name].is_believed
        return [_number(value, share_text) if is_believed else Piece(share_text(value), "dim")]

    def _metric(self, name: str, row: int, *, is_loud: bool) -> Cell:
        value = float(self._values(name)[row]) if name in self.table.frame.columns else np.nan
        if is_loud and value == 0:
            return [Piece(share_text(value), "miss", bold=True)]
        return [_number(value, share_text)]


def _number(value: float, written: Callable[[float], str]) -> Piece:
    return Piece("-", "dim") if np.isnan(value) else Piece(written(value))


# The same at every cut-off, and every query has to be looked at for it.
@lru_cache(maxsize=8)
def _widest_of(queries: AtAnyK, name: str, most: int) -> int:
    """Cells that the widest value of a column takes as text, at most `most`; 0 where it is not there."""
    frame = queries.frame
    if name == SET_ORDER:
        return _widest(frame.index.to_numpy(dtype=object), most)
    return _widest(frame[name].to_numpy(dtype=object), most) if name in frame.columns else 0


def _widest(values: npt.NDArray[Any], most: int) -> int:
    """Cells that the widest of `values` takes as text, at most `most`."""
    longest = 0
    for value in values:
        text = value if isinstance(value, str) else shown_value(value)
        if len(text) > longest or not text.isascii():
            longest = max(longest, min(cells.width(shown(text[:most])), most))
            if longest == most:
                break
    return longest


def _cropped(text: str, cells_wide: int) -> str:
    """Foreign text, fit to be shown; what nobody sees of a long one is not looked at."""
    return cells.crop(shown_flat(text[: 4 * cells_wide]), cells_wide)
