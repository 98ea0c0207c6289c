"""A picture of refusals: of each run a histogram with its threshold, and the curve of risk over coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragtui.analysis.calibration.applied import Applied
from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.histogram import Histogram, histogram
from ragtui.analysis.calibration.risk_coverage import RiskCoverage
from ragtui.messages import Language, t
from ragtui.report.marks import Line, Mark, Rectangle, Text, axis_texts, png, svg

WIDTH, PANEL, TOP = 900, 260, 40
PLOT_LEFT, PLOT_WIDTH, PLOT_HEIGHT = 50, 520, 180
CURVE_LEFT, CURVE_WIDTH = 640, 220
POINTS = 200

# Okabe and Ito (2008): told apart with every kind of colour vision, and in grey by their lightness
FOUND, MISSED, NO_ANSWER, INK, QUIET = "#0072b2", "#56b4e9", "#d55e00", "#222222", "#999999"


def drawn(name: str, found: Sequence[Calibration | Applied], *, bins: int, form: str) -> bytes:
    """The picture in a form, `.svg` or `.png`; words in a PNG are English, for which alone it has letters.

    Raises:
        RagtuiError: a PNG has no letters for a text.
    """
    marks: list[Mark] = [Text(PLOT_LEFT, 24, name, INK, 16, "start")]
    for number, one in enumerate(found):
        marks += _panel(one, TOP + PANEL * number, bins, "en" if form == ".png" else None)
    write = svg if form == ".svg" else png
    return write(marks, WIDTH, TOP + PANEL * len(found))


def _panel(one: Calibration | Applied, top: float, bins: int, language: Language | None) -> Iterator[Mark]:
    threshold: float | None = None
    written, usable = "", True
    if isinstance(one, Applied):
        sample, threshold = one.report, one.policy.threshold
        written = f"{threshold:.6g}"
    else:
        sample, usable = one.fit, one.usable
        if one.fitted is not None:
            threshold, written = one.fitted.value, one.fitted.written
    value = "-" if one.auroc.value is None else f"{one.auroc.value:.3f}"
    key = "calibrate.picture.title" if usable else "calibrate.picture.title-without"
    title = t(key, language, run=one.run, auroc=value, threshold=written)
    yield Text(PLOT_LEFT, top + 14, title, INK, 13, "start")
    counted = histogram(sample, bins)
    yield from _bars(counted, top + 26, language)
    if threshold is not None:
        at = PLOT_LEFT + PLOT_WIDTH * (threshold - counted.edges[0]) / (counted.edges[-1] - counted.edges[0])
        yield Line(((at, top + 26), (at, top + 26 + PLOT_HEIGHT)), INK, 1.5, dashed=not usable)
    yield from _curve(one.risk_coverage, top + 26, language)


def _bars(counted: Histogram, top: float, language: Language | None) -> Iterator[Mark]:
    """Answerable above the line, missed at its foot, and no-answer below, on one scale."""
    up, down = int((counted.found + counted.missed).max(initial=0)), int(counted.no_answer.max(initial=0))
    per_query = PLOT_HEIGHT / max(1, up + down)
    line = top + up * per_query
    width = PLOT_WIDTH / len(counted.found)
    for i, (found, missed, no_answer) in enumerate(
        zip(counted.found.tolist(), counted.missed.tolist(), counted.no_answer.tolist(), strict=True)
    ):
        left = PLOT_LEFT + i * width
        if missed:
            yield Rectangle(left, line - missed * per_query, width - 1, missed * per_query, MISSED)
        if found:
            yield Rectangle(left, line - (found + missed) * per_query, width - 1, found * per_query, FOUND)
        if no_answer:
            yield Rectangle(left, line, width - 1, no_answer * per_query, NO_ANSWER)
    yield Line(((PLOT_LEFT, line), (PLOT_LEFT + PLOT_WIDTH, line)), INK, 1)
    yield Text(PLOT_LEFT - 6, top + 10, str(up), QUIET, 10, "end")
    yield Text(PLOT_LEFT - 6, top + PLOT_HEIGHT, str(down), QUIET, 10, "end")
    for share, label in axis_texts(float(counted.edges[0]), float(counted.edges[-1])):
        yield Text(PLOT_LEFT + share * PLOT_WIDTH, top + PLOT_HEIGHT + 14, label, QUIET, 10, "middle")
    legend = (("found", FOUND), ("missed", MISSED), ("no-answer", NO_ANSWER))
    for i, (kind, colour) in enumerate(legend):
        left = PLOT_LEFT + i * 110
        yield Rectangle(left, top + PLOT_HEIGHT + 22, 9, 9, colour)
        yield Text(
            left + 14, top + PLOT_HEIGHT + 31, t(f"calibration.kind.{kind}", language), INK, 11, "start"
        )


def _curve(curve: RiskCoverage, top: float, language: Language | None) -> Iterator[Mark]:
    """Risk over coverage, both from 0 to 1."""
    bottom = top + PLOT_HEIGHT
    frame = ((CURVE_LEFT, top), (CURVE_LEFT, bottom), (CURVE_LEFT + CURVE_WIDTH, bottom))
    yield Line(frame, QUIET, 1)
    thin = curve.thinned(POINTS)
    points = tuple(
        (CURVE_LEFT + CURVE_WIDTH * x, bottom - PLOT_HEIGHT * y)
        for x, y in zip(thin.coverage.tolist(), thin.risk.tolist(), strict=True)
    )
    if len(points) > 1:
        yield Line(points, INK, 1.5)
    for share in (0.0, 0.5, 1.0):
        yield Text(CURVE_LEFT + CURVE_WIDTH * share, bottom + 14, f"{share:g}", QUIET, 10, "middle")
        yield Text(CURVE_LEFT - 6, bottom - PLOT_HEIGHT * share + 4, f"{share:g}", QUIET, 10, "end")
    coverage, risk = (t(f"calibrate.picture.{axis}", language) for axis in ("coverage", "risk"))
    yield Text(CURVE_LEFT + CURVE_WIDTH / 2, bottom + 31, coverage, INK, 11, "middle")
    yield Text(CURVE_LEFT + 6, top + 8, risk, INK, 11, "start")
