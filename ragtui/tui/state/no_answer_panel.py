"""What is drawn of one run on screen 4: its title, its axis and what stands on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.histogram import Histogram
from ragtui.analysis.calibration.sample import FOUND, KINDS, MISSED, NO_ANSWER, Sample
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.stats.auroc import three_digits
from ragtui.tui import cells
from ragtui.tui.glyphs import glyphs, shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.no_answer import start_of, without_zero, written
from ragtui.tui.state.no_answer_bars import split_at
from ragtui.tui.state.pieces import Fact, Piece, total

NAME_CELLS = 32
TICK_GAP = 4
"""Cells that are free between two figures of an axis."""

INKS: tuple[Ink, Ink, Ink] = ("found", "partial", "miss")
"""Of found, missed and no-answer queries."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One run as far as it is known.

    Attributes:
        run: its name.
        sample: the queries that are shown; None while they are fetched, and where that failed.
        calibration: None while it is made, and where that failed.
        error: why it failed.
        moved: where a person put the cursor; None where it stands at the threshold of the rule.
    """

    run: str
    sample: Sample | None = None
    calibration: Calibration | None = None
    error: RagtuiError | None = None
    moved: float | None = None

    @property
    def cursor(self) -> float | None:
        """The threshold that is looked at; None where no query has a score."""
        if self.sample is None:
            return None
        return self.moved if self.moved is not None else start_of(self.sample, self.calibration)

    @property
    def written(self) -> str | None:
        """The cursor in as few digits as do the same to what is shown, and to what the rule saw."""
        if self.sample is None or self.cursor is None:
            return None
        seen = (self.calibration.fit,) if self.calibration is not None else ()
        return written(self.cursor, self.sample, *seen)

    @property
    def answers_right(self) -> bool:
        """Whether what is answered lies right of the cursor."""
        return self.sample is None or self.sample.direction == "higher"


def title(panel: Panel, width: int, *, is_used: bool) -> tuple[Fact, Fact]:
    """Left and right end of the line over a histogram; what tells least leaves first."""
    name = cells.crop(shown(panel.run), min(NAME_CELLS, max(width - 4, 8)))
    bar = Piece(">" if is_used else " ", "accent", bold=True)
    left: Fact = (bar, Piece(name, "text" if is_used else "dim", bold=is_used))
    for right in _rights(panel):
        if total(left) + total(right) + 2 <= width:
            return left, right
    return left, ()


def _rights(panel: Panel) -> Iterator[Fact]:
    counts, auroc = tuple(_counts(panel)), tuple(_auroc(panel))
    gap = Piece("   ") if auroc and counts else Piece("")
    model = panel.calibration.model if panel.calibration is not None else None
    if model is not None and model != panel.run:
        named = Piece(cells.crop(shown(model), NAME_CELLS), "dim")
        yield (named, Piece("   "), *auroc, gap, *counts, Piece(" "))
    yield (*auroc, gap, *counts, Piece(" "))
    yield (*auroc[:1], gap, *counts, Piece(" "))
    yield (*counts, Piece(" "))


def _auroc(panel: Panel) -> Iterator[Piece]:
    if panel.calibration is None:
        return
    auroc = panel.calibration.auroc
    if auroc.value is None:
        return
    value = t("no_answer.auroc", value=_share(auroc.value))
    yield Piece(value, "text" if panel.calibration.usable else "partial")
    if auroc.low is not None and auroc.high is not None:
        yield Piece(f" {t('no_answer.interval', low=_share(auroc.low), high=_share(auroc.high))}", "dim")


def _counts(panel: Panel) -> Iterator[Piece]:
    """How many there are of each kind, behind a sample of how they are drawn."""
    if panel.sample is None:
        return
    signs = glyphs()
    samples = (signs.blocks[-1], signs.hatch[-1], signs.hanging[-1])
    for kind in (FOUND, MISSED, NO_ANSWER):
        said = t(f"calibration.kind.{KINDS[kind]}")
        yield Piece(f"{'   ' if kind else ''}{samples[kind]} ", INKS[kind])
        yield Piece(f"{said} {panel.sample.n_of(kind)}", "dim")


def _share(value: float) -> str:
    return without_zero(three_digits(value))


def said_instead(panel: Panel, width: int) -> list[Fact]:
    """What stands in the place of a histogram: why there is none, or that it is being made."""
    if panel.error is not None:
        place = shown(f"{panel.error.where}: " if panel.error.where else "")
        said = [(line, "miss") for line in cells.wrap(place + shown(panel.error.what), width)]
        said += [(line, "dim") for line in cells.wrap(shown(panel.error.mend), width)]
        return [(Piece(line, "miss" if ink == "miss" else "dim"),) for line, ink in said]
    if panel.sample is None:
        return [(Piece(t("no_answer.reading"), "dim"),)]
    return [(Piece(line, "partial"),) for line in cells.wrap(t("no_answer.empty.no-scores"), width)]


# the axis


def axis(histogram: Histogram, panel: Panel, split: int, width: int) -> list[tuple[str, Ink]]:
    """The line between the bars: `width` cells and, at `split`, one for the cursor.

    The interval of a usable threshold is thick, the threshold itself has a sign.
    """
    signs = glyphs()
    line: list[tuple[str, Ink]] = [(signs.rule, "rule")] * width

    def cell_of(score: float) -> int:
        return min(split_at(histogram, score, width), width - 1)

    threshold = panel.calibration.threshold if panel.calibration is not None else None
    if threshold is not None:
        low, high = threshold.interval.low, threshold.interval.high
        if low is not None and high is not None:
            first, last = sorted((cell_of(low), cell_of(high)))
            line[first : last + 1] = [(signs.thick, "accent")] * (last + 1 - first)
        line[cell_of(threshold.value)] = (signs.fitted, "accent")
    return [*line[:split], (signs.cross, "accent"), *line[split:]]


def foot(histogram: Histogram, panel: Panel, split: int, width: int) -> Fact:
    """The line below the bars: what the cursor does to either side, and figures of the axis."""
    said, at = _caption(panel, split, width)
    pieces: list[Piece] = []
    used = 0
    placed = [(at, (*said,))]
    ends = at + total(said)
    for place, text in ticks(float(histogram.edges[0]), float(histogram.edges[-1]), width):
        if place + cells.width(text) + 1 < at or place > ends:
            placed.append((place, (Piece(text, "dim"),)))
    for place, fact in sorted(placed, key=lambda one: one[0]):
        pieces += [Piece(" " * (place - used)), *fact]
        used = place + total(fact)
    return tuple(pieces)


def _caption(panel: Panel, split: int, width: int) -> tuple[Fact, int]:
    """`refused .839 answered` around the cursor, and where it begins."""
    if panel.sample is None or panel.cursor is None:
        return (), 0
    refused, answered = t("no_answer.refused"), t("no_answer.answered")
    left, right = (refused, answered) if panel.answers_right else (answered, refused)
    is_at_rule = panel.moved is None and panel.calibration is not None
    figure = panel.written or ""
    fact: Fact = (
        Piece(f"{left} ", "dim"),
        Piece(figure, "accent" if is_at_rule or panel.moved is not None else "dim", bold=True),
        Piece(f" {right}", "dim"),
    )
    at = split - cells.width(left) - 1 - cells.width(figure) // 2
    return fact, max(0, min(at, width - total(fact)))


def ticks(low: float, high: float, width: int) -> list[tuple[int, str]]:
    """Round figures between the ends of an axis of `width` cells, each with the cell at which it begins."""
    for step in _steps((high - low) / max(width, 1)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first > width:
            continue
        digits = max(0, -Decimal(f"{step:g}").normalize().as_tuple().exponent)  # type: ignore[operator]
        figures = [
            (n * step, without_zero(f"{n * step:.{digits}f}") if n else "0") for n in range(first, last + 1)
        ]
        places = [
            (round((value - low) / (high - low) * (width - 1)) - cells.width(text) // 2, text)
            for value, text in figures
        ]
        fitting = [(max(0, min(at, width - cells.width(text))), text) for at, text in places]
        if all(one[0] + len(one[1]) + TICK_GAP <= other[0] for one, other in pairwise(fitting)):
            return fitting
    return []


def _steps(least: float) -> Iterator[float]:
    """1, 2 and 5 times powers of ten, from `least` on up."""
    if not (least > 0 and math.isfinite(least)):
        return
    power = math.floor(math.log10(least))
    for exponent in range(power, power + 8):
        for factor in (1, 2, 5):
            step = float(f"{factor}e{exponent}")
            if step >= least:
                yield step
