"""A histogram as lines: what should be answered stands on the axis, what should not hangs from it.

Nothing here depends on the threshold, so that moving it draws the same lines anew with another part of them
dimmed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.histogram import Histogram
from ragtui.tui.glyphs import glyphs

EIGHTHS, QUARTERS = 8, 4
LEAST_BINS = 24

BLANK, FOUND, MISSED, NO_ANSWER = " fmn"
"""What a cell shows."""

_Levels = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BarRow:
    """One line of the bars: a character for each cell, and what each of them shows."""

    text: str
    marks: str

    def runs(self, start: int, stop: int) -> Iterator[tuple[str, str]]:
        """Neighbours that show the same between two cells, as (mark, text)."""
        at = start
        for mark, cells in groupby(self.marks[start:stop]):
            end = at + sum(1 for _ in cells)
            yield mark, self.text[at:end]
            at = end


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of both sides on one scale, `wide` cells for each bin.

    Attributes:
        above: lines over the axis, the topmost first.
        below: lines under it, the nearest first.
        per_line: how many queries fill a line of a bar.
    """

    above: tuple[BarRow, ...]
    below: tuple[BarRow, ...]
    per_line: float


def cells_per_bin(n: int, room: int) -> int:
    """How wide bins are drawn: about 2√n of them, so that neighbours can be compared."""
    return max(1, room // max(LEAST_BINS, round(2 * math.sqrt(n))))


def bars(histogram: Histogram, lines: int, wide: int) -> Bars:
    """Bars in so many lines, at least two, shared out so that the tallest of both sides have room.

    A kind that is there in a bin is seen there, however small its share; but where found and missed queries
    of a bin have a single line, it shows the more numerous.
    """
    answerable, no_answer = histogram.found + histogram.missed, histogram.no_answer
    tallest = int(answerable.max(initial=0)), int(no_answer.max(initial=0))
    up, per_line = _shared_out(tallest, max(lines, 2))
    down = max(lines, 2) - up
    found = _eighths(histogram.found, per_line)
    whole = np.maximum(_eighths(answerable, per_line), found + (histogram.missed > 0))
    whole = np.minimum(whole, up * EIGHTHS)
    found = np.minimum(found, whole - ((histogram.missed > 0) & (whole > 1)))
    hanging = _eighths(no_answer, per_line)
    return Bars(_standing(found, whole, up, wide)[::-1], _hanging(hanging, down, wide), per_line)


def split_at(histogram: Histogram, threshold: float, width: int) -> int:
    """How many of `width` cells lie left of a threshold."""
    low, high = float(histogram.edges[0]), float(histogram.edges[-1])
    share = (threshold - low) / (high - low)
    return round(min(max(share, 0.0), 1.0) * width)


def _shared_out(tallest: tuple[int, int], lines: int) -> tuple[int, float]:
    """Lines above the axis, and how many queries each stands for: the finest scale that holds both sides."""
    scales = {up: max(tallest[0] / up, tallest[1] / (lines - up)) for up in range(1, lines)}
    # of equals the one that has most above, where two kinds have to be told apart
    up = min(sorted(scales, reverse=True), key=lambda up: scales[up])
    return up, scales[up] or 1.0


def _eighths(counts: npt.NDArray[np.int64], per_line: float) -> _Levels:
    levels = np.rint(counts * EIGHTHS / per_line).astype(np.int64)
    return np.where(counts > 0, np.maximum(levels, 1), 0)


def _standing(found: _Levels, whole: _Levels, lines: int, wide: int) -> tuple[BarRow, ...]:
    """Lines from the axis up: solid as far as queries are found, hatched above."""
    blocks, hatch = np.array(list(glyphs().blocks)), np.array(list(glyphs().hatch))
    start = EIGHTHS * np.arange(lines)[:, None]
    solid, filled = np.clip(found - start, 0, EIGHTHS), np.clip(whole - start, 0, EIGHTHS)
    hatched = (filled - solid >= solid) & (filled > solid)
    # a bar of which no cell came out hatched, though something was missed, has a hatched end where it can
    rows = np.arange(lines)[:, None]
    unseen = (whole > found) & ~hatched.any(axis=0) & (whole > EIGHTHS)
    hatched |= unseen & (rows == (whole - 1) // EIGHTHS)
    quarters = -(-filled * QUARTERS // EIGHTHS)
    text = np.where(hatched, hatch[quarters], blocks[np.where(filled > solid, filled, solid)])
    marks = np.where(hatched, MISSED, np.where(filled > 0, FOUND, BLANK))
    return _rows(text, marks, wide)


def _hanging(levels: _Levels, lines: int, wide: int) -> tuple[BarRow, ...]:
    """Lines from the axis down. In reverse there were all eighths, but seams at the ends of bars, too."""
    filled = np.clip(levels - EIGHTHS * np.arange(lines)[:, None], 0, EIGHTHS)
    text = np.array(list(glyphs().hanging))[filled]
    return _rows(text, np.where(filled > 0, NO_ANSWER, BLANK), wide)


def _rows(text: npt.NDArray[np.str_], marks: npt.NDArray[np.str_], wide: int) -> tuple[BarRow, ...]:
    pairs = zip(text.repeat(wide, axis=1).tolist(), marks.repeat(wide, axis=1).tolist(), strict=True)
    return tuple(BarRow("".join(line), "".join(kinds)) for line, kinds in pairs)
