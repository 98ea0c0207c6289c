"""The scores of one run as a histogram with a cursor: drawn line by line from bars that are made once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseMove
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ragtui.analysis.calibration.histogram import Histogram, histogram
from ragtui.tui.glyphs import glyphs
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ink, Palette
from ragtui.tui.state.no_answer_bars import (
    BLANK,
    FOUND,
    MISSED,
    NO_ANSWER,
    BarRow,
    Bars,
    bars,
    cells_per_bin,
    split_at,
)
from ragtui.tui.state.no_answer_panel import Panel, axis, foot, said_instead, title
from ragtui.tui.strips import paint, strip, two_sided
from ragtui.tui.widgets.drawn import Drawn

AROUND = 3
"""Lines that are no bars: title, axis, foot."""

GUTTER = 6
"""Cells left of the bars, for how many queries a bar as tall as the panel stands for."""

_INKS: dict[str, Ink] = {FOUND: "found", MISSED: "partial", NO_ANSWER: "miss"}


class RunHistogram(Drawn, Widget):
    """Draws a panel; it moves no cursor itself, but says where one is wanted."""

    DEFAULT_CSS = "RunHistogram { width: 1fr; height: 8; }"

    @dataclass
    class Aimed(Message):
        """A place on the axis was clicked."""

        run: str
        threshold: float | None

    def __init__(self, run: str) -> None:
        super().__init__()
        self.panel = Panel(run)
        self.is_used = False
        self._made: tuple[object, int, int, Histogram, Bars] | None = None

    def show(self, panel: Panel, *, is_used: bool) -> None:
        """Draw another state of the run."""
        self.panel, self.is_used = panel, is_used
        self.refresh()

    @property
    def histogram(self) -> Histogram | None:
        """The bins that are drawn; None where there are none."""
        made = self._drawn()
        return None if made is None else made[0]

    def _drawn(self) -> tuple[Histogram, Bars] | None:
        sample = self.panel.sample
        room, lines = self.size.width - GUTTER - 2, self.size.height - AROUND
        if sample is None or self.panel.cursor is None or room < 2 or lines < 2:
            return None
        made = self._made
        # glyphs are chosen before the app begins, so bars depend on nothing else
        if made is None or made[:3] != (sample, room, lines):
            wide = cells_per_bin(len(sample), room)
            found = histogram(sample, room // wide)
            made = self._made = (sample, room, lines, found, bars(found, lines, wide))
        return made[3], made[4]

    def line(self, y: int) -> Strip:
        """Title, bars, axis, bars, foot."""
        palette, width = palette_of(self), self.size.width
        plain = palette.style()
        if y == 0:
            left, right = title(self.panel, width, is_used=self.is_used)
            return two_sided(paint(left, palette), paint(right, palette), width, plain)
        drawn = self._drawn()
        cursor = self.panel.cursor
        if drawn is None or cursor is None:
            said = said_instead(self.panel, max(width - 2, 2))
            pieces = paint(said[y - 1], palette) if y <= len(said) else []
            return strip([(" ", plain), *pieces], width, plain)
        segments = list(self._segments(y - 1, *drawn, cursor, palette))
        return Strip(segments).adjust_cell_length(width, plain)

    def _segments(
        self, y: int, found: Histogram, drawn: Bars, cursor: float, palette: Palette
    ) -> Iterator[Segment]:
        width = len(drawn.above[0].text)
        split = split_at(found, cursor, width)
        above = len(drawn.above)
        if y == above:
            yield self._label("0", palette)
            for text, ink in axis(found, self.panel, split, width):
                yield Segment(text, palette.style(ink, bold=ink == "accent"))
        elif y > above + len(drawn.below):
            yield self._label("", palette)
            yield from (
                Segment(*piece) for piece in paint(foot(found, self.panel, split, width + 1), palette)
            )
        else:
            row = drawn.above[y] if y < above else drawn.below[y - above - 1]
            is_end = y == 0 or y == above + len(drawn.below)
            tallest = round(drawn.per_line * (above if y == 0 else len(drawn.below)))
            yield self._label(str(tallest) if is_end else "", palette)
            yield from self._bars(row, split, palette)

    def _label(self, text: str, palette: Palette) -> Segment:
        return Segment(f"{text:>{GUTTER - 1}} ", palette.style("dim"))

    def _bars(self, row: BarRow, split: int, palette: Palette) -> Iterator[Segment]:
        bins, is_right = len(row.text), self.panel.answers_right
        for mark, text in row.runs(0, split):
            yield Segment(text, _style(mark, palette, is_answered=not is_right))
        yield Segment(glyphs().bar, palette.style("accent", bold=True))
        for mark, text in row.runs(split, bins):
            yield Segment(text, _style(mark, palette, is_answered=is_right))

    def on_click(self, event: Click) -> None:
        """Put the cursor where the click is; on the title only choose the run."""
        self.post_message(self.Aimed(self.panel.run, self._aimed_at(event.x) if event.y else None))

    def on_mouse_move(self, event: MouseMove) -> None:
        """Drag the cursor along."""
        if event.button == 1 and self.is_used and event.y:
            self.post_message(self.Aimed(self.panel.run, self._aimed_at(event.x)))

    def _aimed_at(self, x: int) -> float | None:
        found = self.histogram
        if found is None:
            return None
        per_bin = (self.size.width - GUTTER - 2) // len(found.found)
        edge = min(max(round((x - GUTTER) / per_bin), 0), len(found.found))
        return float(found.edges[edge])


def _style(mark: str, palette: Palette, *, is_answered: bool) -> Style:
    if mark == BLANK:
        return palette.style()
    ink = _INKS[mark]
    return palette.style(ink) if is_answered else palette.faint(ink)
