"""Lines made of styled pieces, always exactly as wide as asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ragtui.tui import cells
from ragtui.tui.palette import Ground, Palette
from ragtui.tui.state.pieces import Piece

Painted = tuple[str, Style]
"""Text that is already fit to show (see `glyphs.shown`), and how."""


def paint(pieces: Iterable[Piece], palette: Palette, ground: Ground = "background") -> list[Painted]:
    """Give pieces the colours of a palette on a ground."""
    return [
        (piece.text, palette.style(piece.ink, ground, bold=piece.bold, underline=piece.underline))
        for piece in pieces
    ]


def strip(pieces: Iterable[Painted], width: int, filler: Style) -> Strip:
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


def two_sided(left: Sequence[Painted], right: Sequence[Painted], width: int, filler: Style) -> Strip:
    """`left` at the left, `right` at the right end. Without room for both, `right` gives way."""
    right_cells = sum(cells.width(text) for text, _ in right)
    left_cells = sum(cells.width(text) for text, _ in left)
    if left_cells + right_cells + 2 > width:
        right, right_cells = (), 0
    body = strip(left, width - right_cells, filler)
    return Strip.join([body, strip(right, right_cells, filler)]) if right else body


def with_selection(line: Strip, span: tuple[int, int], style: Style) -> Strip:
    """A line with what the mouse selected on it in another style.

    Args:
        line: the line.
        span: first character, and the one after the last or -1 for the end, as `Selection.get_span` has it.
        style: laid over what is selected.
    """
    first, last = span
    start = line.index_to_cell_position(first)
    end = line.cell_length if last == -1 else line.index_to_cell_position(last)
    before, chosen, after = line.crop(0, start), line.crop(start, end), line.crop(end)
    painted = [Segment(segment.text, (segment.style or Style()) + style) for segment in chosen]
    return Strip.join([before, Strip(painted), after])
