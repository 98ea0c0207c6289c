"""The curve of risk over coverage of one run, with the cursor on it."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.rates import Rates
from ragtui.tui.look import palette_of
from ragtui.tui.state.no_answer_curve import AROUND, GUTTER, Plot, body, foot, plot, title
from ragtui.tui.strips import paint, strip
from ragtui.tui.widgets.drawn import Drawn


class Curve(Drawn, Widget):
    """Draws what it is given."""

    DEFAULT_CSS = "Curve { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._calibration: Calibration | None = None
        self._cursor: float | None = None
        self._made: tuple[Calibration, int, int, Plot] | None = None
        self._rates: Rates | None = None
        self._fitted: Rates | None = None

    def show(self, calibration: Calibration | None, cursor: float | None) -> None:
        """Draw the curve of a run, or nothing."""
        self._calibration, self._cursor = calibration, cursor
        known = calibration is not None and cursor is not None
        self._rates = calibration.rates_live(cursor) if known and calibration and cursor is not None else None
        threshold = calibration.threshold if calibration is not None else None
        self._fitted = calibration.rates_live(threshold.value) if calibration and threshold else None
        self.refresh()

    def line(self, y: int) -> Strip:
        """Title, plot, axis."""
        palette, (width, height) = palette_of(self), self.size
        plain = palette.style()
        calibration, lines = self._calibration, height - AROUND
        curve = calibration.risk_coverage if calibration is not None else None
        if y == 0:
            return strip(paint(title(curve, width), palette), width, plain)
        if calibration is None or curve is None or lines < 2 or width < GUTTER + 8:
            return Strip.blank(width, plain)
        if y > lines:
            return strip(paint(foot(width - 1)[y - lines - 1], palette), width, plain)
        drawn = self._plot(calibration, width - GUTTER - 1, lines)
        return strip(paint(body(drawn, self._rates, self._fitted, y - 1), palette), width, plain)

    def _plot(self, calibration: Calibration, width: int, lines: int) -> Plot:
        made = self._made
        if made is None or made[:3] != (calibration, width, lines):
            drawn = plot(calibration.risk_coverage, width, lines)
            made = self._made = (calibration, width, lines, drawn)
        return made[3]
