"""Lines of styled text before they know their colours, measured in cells. Knows no Textual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragtui.tui import cells
from ragtui.tui.palette import Ink


class Piece(NamedTuple):
    """Text that is fit to show (see `glyphs.shown`), and how."""

    text: str
    ink: Ink = "text"
    bold: bool = False
    underline: bool = False


Fact = tuple[Piece, ...]
"""Pieces that belong on one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `left` from the left, `right` at the right end, which stays where there is no room for both.

    Attributes:
        is_rule: what is left between the two is a thin line.
    """

    left: Fact = ()
    right: Fact = ()
    is_rule: bool = False


def total(pieces: Iterable[Piece]) -> int:
    """Cells that pieces take side by side."""
    return sum(cells.width(piece.text) for piece in pieces)


def spread(row: Row, width: int) -> Fact:
    """A row as one line of `width` cells, its left end cropped where there is no room for both."""
    room = width - total(row.right) - (1 if row.right else 0)
    left: list[Piece] = []
    for piece in row.left:
        left.append(piece._replace(text=cells.crop(piece.text, room - total(left))))
        if left[-1].text != piece.text:
            break
    return (*left, Piece(" " * (width - total(left) - total(row.right))), *row.right)


def flow(facts: Sequence[Fact], width: int, gap: int = 3) -> list[Fact]:
    """Facts side by side in lines of at most `width` cells; one is broken only where it alone is wider."""
    lines: list[list[Piece]] = []
    used = 0
    for fact in facts:
        wide = total(fact)
        if lines and used + gap + wide <= width:
            lines[-1] += [Piece(" " * gap), *fact]
            used += gap + wide
            continue
        for line in _broken(fact, width):
            lines.append(list(line))
            used = total(line)
    return [tuple(line) for line in lines]


def _broken(fact: Fact, width: int) -> list[Fact]:
    """A fact in as many lines as it needs; pieces are broken where text may be broken."""
    if total(fact) <= width:
        return [fact]
    lines: list[list[Piece]] = [[]]
    for piece in fact:
        room = width - total(lines[-1])
        if lines[-1] and room < cells.width(piece.text) <= width:
            lines.append([])
            room = width
        fits = cells.width(piece.text) <= room
        for index, text in enumerate([piece.text] if fits else cells.wrap(piece.text, max(room, 2))):
            if index:
                lines.append([])
            lines[-1].append(piece._replace(text=text))
    return [tuple(line) for line in lines]
