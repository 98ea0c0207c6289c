"""What screen 4 is made of: a histogram for each run, what its cursor does, the curve; how they follow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.events import Resize

from ragtui.analysis.calibration.calibrate import Aim
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.actions import Need, Place
from ragtui.tui.palette import Palette
from ragtui.tui.screens.looking import Looking
from ragtui.tui.screens.query_board import LEAST_HEIGHT, LEAST_WIDTH
from ragtui.tui.session import Session
from ragtui.tui.state.emptiness import nothing_to_list, too_small
from ragtui.tui.state.headline import headline
from ragtui.tui.state.no_answer_panel import Panel
from ragtui.tui.state.no_answer_runs import run_lines
from ragtui.tui.state.no_answer_words import facts
from ragtui.tui.state.pieces import Fact, Piece, total
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.curve import Curve
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.histogram import RunHistogram
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines, Rule
from ragtui.tui.widgets.tabs import TabLine

WIDE = 160
"""Cells from which figures and curve stand beside the histograms."""

BESIDE = 110
"""Cells from which the curve stands beside the figures."""

LEAST_PANEL, MOST_PANEL = 7, 22
"""Lines of a histogram."""

FIGURES = 11
"""Lines of the figures below the histograms."""

Part = Literal["figures", "curve"]
Ends = tuple[Sequence[Painted], Sequence[Painted]]


class NoAnswerBoard(Looking[None]):
    """Histograms of all runs, one of them in use; what keys do is told by its subclass."""

    place: ClassVar[Place] = "no_answer"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.refusals = session.refusals
        self.panels = {run: Panel(run) for run in session.workspace.runs}
        self.is_zoomed = False
        self.are_all_seen = True
        self.part: Part = "figures"

    def compose(self) -> ComposeResult:
        """Set and run, screens, histograms, figures and curve, keys."""
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield TabLine("no_answer")
        yield Lines(self._nothing, id="nothing")
        with Container(id="refusals"):
            with VerticalScroll(id="histograms", can_focus=False):
                for run in self.panels:
                    yield RunHistogram(run)
            yield Rule(classes="-across")
            yield Rule(classes="-down")
            with Container(id="figures"):
                yield Lines(self._facts, id="facts")
                yield Curve(id="curve")
        yield KeyFooter("no_answer", self.meets)

    def on_mount(self) -> None:
        """Show what is known, and find out the rest."""
        self.set_class(not self.panels, "-no-run")
        self._word_footer()
        self.see_anew()

    @property
    def panel(self) -> Panel | None:
        """The run in use."""
        return self.panels.get(self.session.run or "")

    @property
    def histograms(self) -> dict[str, RunHistogram]:
        """Widgets by run."""
        return {widget.panel.run: widget for widget in self.query(RunHistogram)}

    @property
    def has_rows(self) -> bool:
        """Whether the run in use has a cursor."""
        return self.panel is not None and self.panel.cursor is not None

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need == "moved":
            return self.panel is not None and self.panel.moved is not None
        if need == "turns":
            return self.panel is not None and not (self.has_class("-wide") or self.has_class("-beside"))
        return super().meets(need)

    # what is known

    def see_anew(self) -> None:
        """Another cut-off, rule or score: everything is found out anew; another run: it is in use."""
        aim = self.refusals.aim
        for run in self.panels:
            known = self.refusals.at_hand(run)
            sample = known.report if known is not None else None
            self.panels[run] = Panel(run, sample, known, moved=self.refusals.cursor(run))
        self.place_histograms()
        self.show_all()
        self._find_out(aim)

    @work(exclusive=True, group="refusals")
    async def _find_out(self, aim: Aim) -> None:
        """Scores first, which are soon there, then thresholds; of the run in use before the others."""
        runs = sorted(self.panels, key=lambda run: run != self.session.run)
        unknown = [run for run in runs if self.panels[run].calibration is None]
        for find in (self._find_sample, self._find_calibration):
            for run in unknown:
                if self.panels[run].error is not None:
                    continue
                try:
                    panel = await asyncio.to_thread(find, run, aim)
                except RagtuiError as error:
                    panel = Panel(run, error=error)
                if not self.is_attached or aim != self.refusals.aim:
                    return
                self.panels[run] = replace(panel, moved=self.refusals.cursor(run))
                self.show_run(run)

    def _find_sample(self, run: str, aim: Aim) -> Panel:
        return Panel(run, self.refusals.sample(run, aim))

    def _find_calibration(self, run: str, aim: Aim) -> Panel:
        found = self.refusals.calibration(run, aim)
        found.risk_coverage, found.rates  # noqa: B018 - made here, where nobody waits for them
        return Panel(run, found.report, found)

    # what is drawn

    def show_all(self) -> None:
        """Draw everything that follows from what is known."""
        for run in self.panels:
            self.show_run(run)
        self.query_one("#nothing", Lines).show(self._nothing)
        self.query_one("#head").refresh()

    def show_run(self, run: str) -> None:
        """Draw one run."""
        is_used = run == self.session.run
        self.histograms[run].show(self.panels[run], is_used=is_used)
        if is_used:
            self.query_one("#facts", Lines).show(self._facts)
            panel = self.panels[run]
            self.query_one(Curve).show(panel.calibration, panel.cursor)
            self.query_one(KeyFooter).refresh()
        elif self.has_class("-wide"):
            self.query_one("#facts", Lines).show(self._facts)  # where it is one of all runs

    def use_run(self, run: str) -> None:
        """Give another run the keys."""
        before, self.session.run = self.session.run, run
        if self.session.stage not in self.session.stages:
            self.session.stage = None
        for one in {before, run}:
            if one in self.panels:
                self.show_run(one)
        self.place_histograms()
        self.query_one("#head").refresh()

    def use_part(self, part: Part) -> None:
        """Show figures or curve where there is room for one of them."""
        self.part = part
        self.set_class(part == "curve", "-curve")
        self._word_footer()

    def _word_footer(self) -> None:
        """One entry for both arrows; what tab shows next."""
        words = {"lower": t("no_answer.cursor")}
        if self.part == "curve":
            words["curve"] = t("no_answer.figures")
        footer = self.query_one(KeyFooter)
        footer.beside, footer.words = {"lower": "higher"}, words

    def on_resize(self, event: Resize) -> None:
        """Choose what there is room for."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.set_class(width >= WIDE, "-wide")
        self.set_class(BESIDE <= width < WIDE, "-beside")
        self.query_one(KeyFooter).refresh()
        self.place_histograms()

    def place_histograms(self) -> None:
        """Share out the lines among as many histograms as have room, and show the one in use."""
        room = self.size.height - 3
        figures = self.query_one("#figures")
        if self.has_class("-wide"):
            figures.styles.height = "1fr"
        else:
            lines = max(3, min(FIGURES, room - LEAST_PANEL - 1))
            figures.styles.height = lines
            room -= lines + 1
        runs = len(self.panels)
        seen = 1 if self.is_zoomed else max(1, min(runs, room // LEAST_PANEL))
        lines = max(room // seen, 3) if seen == 1 else min(room // seen, MOST_PANEL)
        self.are_all_seen = seen >= runs
        for run, widget in self.histograms.items():
            widget.styles.height = lines
            widget.display = not self.is_zoomed or run == self.session.run
        self.query_one("#head").refresh()
        used = self.histograms.get(self.session.run or "")
        if used is not None:
            self.call_after_refresh(used.scroll_visible, animate=False)

    # lines

    def _headline(self, palette: Palette, width: int) -> Ends:
        which = self._which()
        left, right = headline(self.session, None, width - total(which))
        left = (*left, *which)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _which(self) -> Fact:
        """Which of the runs it is, where not all of them are in sight."""
        runs = list(self.panels)
        if self.are_all_seen or self.session.run not in runs:
            return ()
        said = t("no_answer.number", n=runs.index(self.session.run) + 1, of=len(runs))
        return (Piece(f"   {said}", "dim"),)

    def _nothing(self, width: int, height: int) -> list[Fact]:
        return nothing_to_list(self.session.workspace, None, width) if not self.panels else []

    def _facts(self, width: int, height: int) -> list[Fact]:
        panel = self.panel
        if panel is None:
            return []
        found = self.histograms[panel.run].histogram
        sealed = "test" in self.session.workspace.set.settings.sealed
        lines = facts(panel, self.refusals.rule, found, (width, height), sealed=sealed)
        if not self.has_class("-wide"):
            return lines
        return [*lines, *run_lines(list(self.panels.values()), panel.run, (width, height - len(lines)))]

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)
