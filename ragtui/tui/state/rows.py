"""What a table widget is given to draw: columns as data, and the cells of one row at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ragtui.tui.state.pieces import Piece

Cell = Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        id: what it is sorted by, and the key of its cell.
        title: header.
        width: cells it takes; of the one flexible column, the least it needs.
        leaves: order in which columns leave a narrow screen, 1 first; 0 stays to the end.
        is_flexible: takes what the others leave.
        is_mark: says failing or incomplete; must be seen without colour as well.
    """

    id: str
    title: str
    width: int
    align: Literal["left", "right"] = "left"
    leaves: int = 0
    is_flexible: bool = False
    is_mark: bool = False


class Rows(Protocol):
    """Rows in the order in which they are shown."""

    def __len__(self) -> int: ...

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""

    def is_dim(self, position: int) -> bool:
        """Whether a row has ceased to belong here."""


GAP = 2


def fitting(columns: Sequence[Column], width: int) -> list[tuple[Column, int]]:
    """Columns that have room in `width` cells, with the width of each; the flexible one takes what is left.

    Columns leave in the order of `leaves` until the flexible one has its least width.
    """
    staying = list(columns)
    for leaving in sorted((c for c in columns if c.leaves), key=lambda column: column.leaves):
        if _needed(staying) <= width:
            break
        staying.remove(leaving)
    spare = width - _needed(staying)
    return [(c, max(1, c.width + spare) if c.is_flexible else c.width) for c in staying]


def _needed(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)
