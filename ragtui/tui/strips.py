"""Lines made of styled pieces, always exactly as wide as asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ragtui.tui import cells

Piece = tuple[str, Style]
"""Text that is already fit to show (see `glyphs.shown`), and how."""


def strip(pieces: Iterable[Piece], width: int, filler: Style) -> Strip:
    """Pieces side by side, cropped with `..` or filled up to `width` cells."""
    segments: list[Segment] = []
    left = width
    for text, style in pieces:
        if not text:
            continue
        shown = cells.crop(text, left)
        segments.append(Segment(shown, style))
        left -= cells.width(shown)
        if shown != text or left <= 0:
            break
    if left > 0:
        segments.append(Segment(" " * left, filler))
    return Strip(segments, width)


def two_sided(left: Sequence[Piece], right: Sequence[Piece], width: int, filler: Style) -> Strip:
    """`left` at the left and `right` at the right end. Where there is no room for both, `right` gives way."""
    right_cells = sum(cells.width(text) for text, _ in right)
    left_cells = sum(cells.width(text) for text, _ in left)
    if left_cells + right_cells + 2 > width:
        right, right_cells = (), 0
    body = strip(left, width - right_cells, filler)
    return Strip.join([body, strip(right, right_cells, filler)]) if right else body
