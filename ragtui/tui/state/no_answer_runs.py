"""All runs of screen 4 side by side: the threshold of each, and the honest estimate of what it does."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.no_answer import written
from ragtui.tui.state.no_answer_panel import Panel
from ragtui.tui.state.no_answer_words import method_words, percent
from ragtui.tui.state.pieces import Fact, Piece

RATES = ("false_answer", "false_refusal", "risk", "coverage")
"""Columns behind the threshold; the last ones leave first."""

NAME, GAP = 20, 2
AROUND = 3
"""Lines that are no run: an empty one, title and heads."""


def run_lines(panels: Sequence[Panel], used: str, size: tuple[int, int]) -> list[Fact]:
    """A table of the runs for a box of so many cells and lines; nothing where it does not fit or is one run.

    The rates are over queries that the threshold was not fitted on: held out, or cross-fitted.
    """
    width, height = size
    known = [panel.calibration for panel in panels if panel.calibration is not None]
    method = next((one.rates for one in known if one.rates is not None), None)
    if len(panels) < 2 or height < len(panels) + AROUND or method is None:
        return []
    heads = ["", t("no_answer.threshold")]
    heads += [t(f"no_answer.rate.{name}") for name in RATES]
    rows = [_row(panel) for panel in panels]
    wide = [max(cells.width(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    columns = len(heads)
    while columns > 2 and sum(wide[:columns]) + GAP * columns > width:
        columns -= 1
    title = cells.crop(t("no_answer.all-runs", method=method_words(method)), width)
    lines: list[Fact] = [(), (Piece(title, "dim"),), (Piece(_line(heads[:columns], wide), "dim"),)]
    for panel, row in zip(panels, rows, strict=True):
        is_usable = panel.calibration is not None and panel.calibration.usable
        ink: Ink = "text" if is_usable else "dim"
        lines.append((Piece(_line(row[:columns], wide), ink, bold=panel.run == used),))
    return lines


def _row(panel: Panel) -> list[str]:
    name = cells.crop(shown(panel.run), NAME)
    found = panel.calibration
    if found is None:
        return [name, "..", *[""] * len(RATES)]
    rates = found.rates
    return [name, _threshold(found), *(percent(getattr(rates, one)) if rates else "-" for one in RATES)]


def _threshold(found: Calibration) -> str:
    """The threshold, or in parentheses the one that must not be used."""
    if found.fitted is None:
        return t("no_answer.none")
    value = written(found.fitted.value, found.fit, found.report)
    return value if found.usable else f"{t('no_answer.none')} ({value})"


def _line(texts: Sequence[str], wide: Sequence[int]) -> str:
    """Names to the left, figures to the right."""
    first, *others = (
        cells.pad(text, width, "right" if at else "left")
        for at, (text, width) in enumerate(zip(texts, wide, strict=False))
    )
    return (" " * GAP).join((first, *others))
