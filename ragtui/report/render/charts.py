"""Charts as SVG within a page: drawn in the colours of its style sheet, so light and dark follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from ragtui.report.page import Bar, Chart, Curve, Histogram, Text

Inline = Callable[[Text], Markup]

WIDTH, HEIGHT = 440, 240
HATCH = Markup(
    '<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatch" d="M0 0V4"/></pattern>'
)
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
    """Lines over cut-offs, which stand at even distances; bands are intervals, names stand at the ends."""
    ks = sorted({k for curve in curves for k, *_ in curve.points})
    step = (WIDTH - LEFT - RIGHT) / max(len(ks) - 1, 1)
    x = {k: LEFT + place * step for place, k in enumerate(ks)}

    def y(value: float) -> float:
        return TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)

    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield _path("grid", [(LEFT, y(share)), (WIDTH - RIGHT, y(share))])
        yield _word(LEFT - 6, y(share) + 4, "end", f"{100 * share:.0f}")
    for k in ks:
        yield _word(x[k], HEIGHT - 10, "middle", f"@{k}")
    ends = _apart([y(curve.points[-1][2]) for curve in curves])
    for place, (curve, end) in enumerate(zip(curves, ends, strict=True)):
        known = [point for point in curve.points if point[1] is not None and point[3] is not None]
        over = [(x[k], y(high or 0.0)) for k, _, _, high in known]
        under = [(x[k], y(low or 0.0)) for k, low, _, _ in reversed(known)]
        if len(known) > 1:
            yield _path(f"band c{place}", [*over, *under])
        yield _path(f"line c{place}", [(x[k], y(value)) for k, _, value, _ in curve.points])
        yield _word(WIDTH - RIGHT + 8, end + 4, "start", inline(curve.name), f"c{place}")


def _histogram(histogram: Histogram, inline: Inline) -> Iterator[Markup]:
    """Answerable queries above the line, found ones at the bottom of their bars; no-answer ones below it."""
    edges = histogram.edges
    answerable = [found + missed for found, missed in zip(histogram.found, histogram.missed, strict=True)]
    up, down = max(answerable, default=0), max(histogram.no_answer, default=0)
    top, bottom = 26, HEIGHT - 44
    unit = (bottom - top) / max(up + down, 1)
    zero = top + up * unit
    start, width = LEFT, WIDTH - LEFT - 12
    step = width / len(histogram.found)
    yield HATCH
    columns = zip(histogram.found, histogram.missed, histogram.no_answer, strict=True)
    for place, (found, missed, silent) in enumerate(columns):
        left = start + place * step
        yield from _box("found", left, zero - found * unit, step, found * unit)
        yield from _box("missed", left, zero - (found + missed) * unit, step, missed * unit)
        yield from _box("silent", left, zero, step, silent * unit)
    yield _path("axis", [(start, zero), (start + width, zero)])
    if histogram.threshold is not None and edges[-1] > edges[0]:
        at = start + width * (histogram.threshold - edges[0]) / (edges[-1] - edges[0])
        yield _path("threshold", [(at, top - 6), (at, bottom + 4)])
    found_name, missed_name, silent_name, axis = map(inline, histogram.names)
    legend = (("found", found_name), ("missed", missed_name), ("silent", silent_name))
    for place, (kind, name) in enumerate(legend):
        left = start + place * width / 3
        yield from _box(kind, left, 4, 10, 10)
        yield _word(left + 15, 13, "start", name)
    yield _word(start, HEIGHT - 26, "start", f"{edges[0]:.4g}")
    yield _word(start + width, HEIGHT - 26, "end", f"{edges[-1]:.4g}")
    yield _word(start + width / 2, HEIGHT - 8, "middle", axis)
    yield _word(start - 6, top + 10, "end", str(up))
    yield _word(start - 6, bottom, "end", str(down))


def _apart(places: Sequence[float], gap: float = 14) -> list[float]:
    """Places of names moved so far that none covers another, in the order given."""
    moved = list(places)
    last = -gap
    for place in sorted(range(len(places)), key=places.__getitem__):
        moved[place] = last = max(places[place], last + gap)
    return moved


def _path(kind: str, points: Sequence[tuple[float, float]]) -> Markup:
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return Markup('<path class="{}" d="{}{}"/>').format(kind, d, "Z" if kind.startswith("band") else "")


def _box(kind: str, x: float, y: float, width: float, height: float) -> Iterator[Markup]:
    if height > 0:
        box = '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>'
        yield Markup(box).format(kind, x + 0.5, y, max(width - 1, 0.5), height)  # noqa: S704 – no value in it


def _word(x: float, y: float, anchor: str, text: str | Markup, kind: str = "") -> Markup:
    word = '<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>'
    return Markup(word).format(kind, x, y, anchor, text)  # noqa: S704 – values are escaped by format
