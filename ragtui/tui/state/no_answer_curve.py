"""The curve of risk over coverage as lines of characters, with the place of the cursor on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.rates import Rates
from ragtui.analysis.calibration.risk_coverage import RiskCoverage
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import glyphs
from ragtui.tui.state.no_answer import without_zero
from ragtui.tui.state.pieces import Fact, Piece

GUTTER = 6
AROUND = 3
"""Lines that are no plot: title, axis, its figures."""

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille character by line and column of its dots (Unicode, chapter 21.1)."""


@dataclass(frozen=True, eq=False)
class Plot:
    """A curve in a box.

    Attributes:
        rows: lines from the top, each of one character for a cell.
        top: risk at the upper edge.
        chance: line of the risk of answering everything; None where there is none.
    """

    rows: tuple[str, ...]
    top: float
    chance: int | None

    def line_of(self, risk: float) -> int:
        """The line on which a risk lies."""
        lines = len(self.rows)
        return min(max(int((1 - risk / self.top) * lines), 0), lines - 1)


def plot(curve: RiskCoverage, width: int, lines: int) -> Plot:
    """The curve in so many cells and lines; coverage goes from 0 to 1, risk from 0 to what it needs."""
    risks = [float(curve.risk.max(initial=0)), curve.chance or 0.0]
    top = max(0.1, -(-max(risks) * 20 // 1) / 20)
    across, down = (2, 4) if _has_dots() else (1, 1)
    heights = _heights(curve, width * across, lines * down, top)
    filled = np.zeros((lines * down, width * across), dtype=bool)
    before: int | None = None
    for column, height in enumerate(heights):
        if height is not None:
            first, last = sorted((height, before if before is not None else height))
            filled[first : last + 1, column] = True
        before = height
    rows = tuple(_row(filled[line * down : (line + 1) * down]) for line in range(lines))
    made = Plot(rows, top, None)
    return Plot(rows, top, made.line_of(curve.chance)) if curve.chance is not None else made


def _has_dots() -> bool:
    return not glyphs().rule.isascii()


def _heights(curve: RiskCoverage, columns: int, lines: int, top: float) -> list[int | None]:
    """Line of the curve in each column; None where no threshold covers so much."""
    wanted = (np.arange(columns) + 0.5) / columns
    at = np.searchsorted(curve.coverage, wanted)
    covered = at < len(curve.coverage)
    if not len(curve.coverage):
        return [None] * columns
    risk = curve.risk[np.minimum(at, len(curve.coverage) - 1)]
    line = np.clip(((1 - risk / top) * lines).astype(np.int64), 0, lines - 1)
    return [int(one) if is_there else None for one, is_there in zip(line, covered, strict=True)]


def _row(filled: npt.NDArray[np.bool_]) -> str:
    if not _has_dots():
        return "".join("*" if one else " " for one in filled[0])
    bits = np.zeros(filled.shape[1] // 2, dtype=np.int64)
    for line, pair in enumerate(_DOTS):
        for column, bit in enumerate(pair):
            bits |= np.where(filled[line, column::2], bit, 0)
    return "".join(chr(0x2800 + int(one)) if one else " " for one in bits)


def title(curve: RiskCoverage | None, width: int) -> list[Piece]:
    """What the curve is, and how much of it is below."""
    said = t("no_answer.curve.title")
    pieces = [Piece(f" {said}", bold=True)]
    if curve is None or curve.area is None or curve.best is None or curve.chance is None:
        return pieces
    figures = {name: _three(getattr(curve, name)) for name in ("area", "best", "chance")}
    for key in ("area-of", "area"):
        area = t(f"no_answer.curve.{key}", **figures)
        if cells.width(said) + cells.width(area) + 4 <= width:
            return [*pieces, Piece(f"   {area}", "dim")]
    return pieces


def body(drawn: Plot, rates: Rates | None, fitted: Rates | None, line: int) -> Fact:
    """One line of the plot, with the cursor and the threshold of the rule where they lie on it."""
    row = [Piece(sign, "text") for sign in drawn.rows[line]]
    if line == drawn.chance:
        row = [piece if piece.text != " " else Piece(_dash(at), "rule") for at, piece in enumerate(row)]
    signs = glyphs()
    for found, sign in ((fitted, signs.fitted), (rates, signs.cross)):
        if found is None or found.coverage.value is None or found.risk.value is None:
            continue
        if drawn.line_of(found.risk.value) == line:
            at = min(int(found.coverage.value * len(row)), len(row) - 1)
            row[at] = Piece(sign, "accent", bold=True)
    labels = {0: _percent(drawn.top)}
    return (Piece(f"{labels.get(line, ''):>{GUTTER - 1}} ", "dim"), *_joined(row))


def _dash(at: int) -> str:
    return glyphs().rule if at % 2 == 0 else " "


def foot(width: int) -> tuple[Fact, Fact]:
    """The axis of coverage, and its figures."""
    inside = max(width - GUTTER, 0)
    axis: Fact = (Piece(f"{'0':>{GUTTER - 1}} ", "dim"), Piece(glyphs().rule * inside, "rule"))
    left, middle, right = "0 %", t("no_answer.curve.coverage"), "100 %"
    spare = max(inside - cells.width(left) - cells.width(middle) - cells.width(right), 2)
    text = f"{' ' * GUTTER}{left}{' ' * (spare // 2)}{middle}{' ' * (spare - spare // 2)}{right}"
    return axis, (Piece(text, "dim"),)


def _joined(row: Sequence[Piece]) -> list[Piece]:
    """Neighbours that look the same as one piece."""
    found: list[Piece] = []
    for piece in row:
        if found and found[-1][1:] == piece[1:]:
            found[-1] = found[-1]._replace(text=found[-1].text + piece.text)
        else:
            found.append(piece)
    return found


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _three(value: float) -> str:
    return without_zero(f"{value:.3f}")
