"""Charts as SVG within a page: drawn in the colours of its style sheet, so light and dark follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from ragtui.report.page import Bar, Chart, Curve, Histogram, Text

Inline = Callable[[Text], Markup]

WIDTH, HEIGHT = 440, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 92, 12, 30


def bar_svg(bar: Bar) -> Markup:
    """An interval on its axis. It is stretched to its place, so it holds no words and no circles."""

    def x(value: float) -> str:
        share = (value - bar.start) / (bar.end - bar.start)
        return f"{100 * min(max(share, 0.0), 1.0):.2f}"

    parts = [_line("track", "0", "100", 5)]
    if bar.low is not None and bar.high is not None:
        parts.append(_line("range", x(bar.low), x(bar.high), 5))
    if bar.mark is not None:
        parts.append(_upright("mark", x(bar.mark), 0, 10))
    parts.append(_upright("value", x(bar.value), 1, 9))
    return Markup(
        '<svg class="interval {}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(bar.tone, Markup("").join(parts))


def chart_svg(chart: Chart, inline: Inline) -> Markup:
    """A chart with its words, `inline` of which makes markup."""
    content = chart.content
    drawn = _curves(content, inline) if isinstance(content, tuple) else _histogram(content, inline)
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img">{}</svg>').format(
        WIDTH, HEIGHT, Markup("").join(drawn)
    )


def _line(kind: str, start: str, end: str, y: float) -> Markup:
    return Markup('<path class="{}" vector-effect="non-scaling-stroke" d="M{} {}H{}"/>').format(
        kind, start, y, end
    )


def _upright(kind: str, x: str, top: float, bottom: float) -> Markup:
    return Markup('<path class="{}" vector-effect="non-scaling-stroke" d="M{} {}V{}"/>').format(
        kind, x, top, bottom
    )


def _curves(curves: Sequence[Curve], inline: Inline) -> Iterator[Markup]:
    raise NotImplementedError


def _histogram(histogram: Histogram, inline: Inline) -> Iterator[Markup]:
    raise NotImplementedError
