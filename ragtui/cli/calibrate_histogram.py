"""The histogram of a run as lines: the best scores on top, answerable to the left, no-answer right."""

from __future__ import annotations

import math

from rich.cells import cell_len

from ragtui.analysis.calibration.histogram import Histogram, histogram
from ragtui.analysis.calibration.sample import KINDS, Sample
from ragtui.messages import t

# ASCII, and told apart without colour
FOUND_MARK, MISSED_MARK, NO_ANSWER_MARK = "#", "/", "o"


def histogram_lines(
    sample: Sample, bins: int, width: int, threshold: float | None = None, mark: str = ""
) -> list[str]:
    """A legend, one line per bin, and a line for queries without a score.

    Args:
        sample: what is counted.
        bins: how many.
        width: cells of a line.
        threshold: in the units of the run; None without one.
        mark: stands beside the bin of the threshold.
    """
    counted = histogram(sample, bins)
    decimals = score_decimals(counted)
    order = range(bins) if sample.direction == "lower" else range(bins - 1, -1, -1)
    labels = [f"{counted.edges[i]:.{decimals}f} .. {counted.edges[i + 1]:.{decimals}f}" for i in range(bins)]
    label = max(map(len, labels))
    counts = len(str(counted.highest))
    room = max(8, (width - label - 2 * counts - cell_len(mark) - 8) // 2)
    per_cell = max(1.0, counted.highest / room)
    marked = None if threshold is None else counted.bin_of(threshold)
    lines = [_legend(per_cell)]
    for i in order:
        found, missed, no_answer = (
            int(part[i]) for part in (counted.found, counted.missed, counted.no_answer)
        )
        both = _cells(found + missed, per_cell)
        hatched = min(both, _cells(missed, per_cell))
        left = MISSED_MARK * hatched + FOUND_MARK * (both - hatched)
        right = NO_ANSWER_MARK * _cells(no_answer, per_cell)
        told = (f"{found + missed or '':>{counts}}", f"{no_answer or ''}")
        line = f"{labels[i]:>{label}}  {told[0]} {left:>{room}}|{right} {told[1]}"
        if i == marked:
            line = f"{line:<{label + counts + 2 * room + counts + 6}}{mark}"
        lines.append(line.rstrip())
    if any(counted.without):
        parts = [
            f"{t(f'calibration.kind.{kind}')} {n}"
            for kind, n in zip(KINDS, counted.without, strict=True)
            if n
        ]
        lines.append(t("calibrate.without-score", parts=", ".join(parts)))
    return lines


def score_decimals(counted: Histogram) -> int:
    """Decimals that tell the edges of the bins apart."""
    step = float(counted.edges[1] - counted.edges[0])
    return max(0, min(9, 1 - math.floor(math.log10(step)))) if step > 0 else 3


def _cells(count: int, per_cell: float) -> int:
    """At least one cell for what is there."""
    return max(1, round(count / per_cell)) if count else 0


def _legend(per_cell: float) -> str:
    marks = {"found": FOUND_MARK, "missed": MISSED_MARK, "no_answer": NO_ANSWER_MARK}
    legend = t("calibrate.legend", **marks)
    return legend if per_cell == 1 else f"{legend}   {t('calibrate.per-cell', n=f'{per_cell:.3g}')}"
