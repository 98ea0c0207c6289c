"""Screen 4: from which score on each run should answer, and what that costs; what its keys do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from ragtui.analysis.calibration.sample import Sample
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.no_answer_board import NoAnswerBoard
from ragtui.tui.state.emptiness import bench_command
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.no_answer import coarse_step, fine_step
from ragtui.tui.state.no_answer_choices import ANOTHER, MIN_AUROC, rule_choices, score_choices
from ragtui.tui.state.no_answer_export import calibration_json, file_choices
from ragtui.tui.widgets.histogram import RunHistogram


class NoAnswerScreen(NoAnswerBoard):
    """Histograms and thresholds; the keys are those of the catalogue."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("no_answer")]

    # the cursor

    def action_lower(self) -> None:
        """The cursor a bin to the left."""
        self._step(-1)

    def action_higher(self) -> None:
        """The cursor a bin to the right."""
        self._step(1)

    def action_lower_finely(self) -> None:
        """The cursor to the next score on the left."""
        self._step_finely(-1)

    def action_higher_finely(self) -> None:
        """The cursor to the next score on the right."""
        self._step_finely(1)

    def action_usual(self) -> None:
        """The cursor back to the threshold of the rule."""
        self._put(None)

    def _step(self, by: int) -> None:
        panel = self.panel
        found = self.histograms[panel.run].histogram if panel is not None else None
        if panel is not None and found is not None and panel.cursor is not None:
            self._put(coarse_step(found, panel.cursor, by))

    def _step_finely(self, by: int) -> None:
        panel = self.panel
        if panel is not None and panel.sample is not None and panel.cursor is not None:
            self._put(fine_step(panel.sample, panel.cursor, by))

    def _put(self, threshold: float | None) -> None:
        panel = self.panel
        if panel is not None:
            self.refusals.put_cursor(panel.run, threshold)
            self.panels[panel.run] = replace(panel, moved=threshold)
            self.show_run(panel.run)

    def on_run_histogram_aimed(self, message: RunHistogram.Aimed) -> None:
        """Use the run that was clicked, with the cursor where the click was."""
        self.use_run(message.run)
        if message.threshold is not None:
            self._put(message.threshold)

    # runs

    def action_down(self) -> None:
        """The run below."""
        self._to_run(1)

    def action_up(self) -> None:
        """The run above."""
        self._to_run(-1)

    def action_top(self) -> None:
        """The first run."""
        self._to_run(-len(self.panels))

    def action_bottom(self) -> None:
        """The last run."""
        self._to_run(len(self.panels))

    action_half_down = action_page_down = action_down
    action_half_up = action_page_up = action_up

    def _to_run(self, by: int) -> None:
        runs = list(self.panels)
        if self.session.run in runs:
            at = runs.index(self.session.run) + by
            self.use_run(runs[min(max(at, 0), len(runs) - 1)])

    def _step_run(self, by: int) -> None:
        before = self.session.run
        if self.session.step_run(by):
            after, self.session.run = self.session.run, before
            self.use_run(after or "")
        else:
            self.notify(t("tui.notice.no-other-run"))

    # what is asked

    def action_rule(self) -> None:
        """Choose what thresholds are chosen by."""
        title = t("no_answer.choose-rule")
        self.app.push_screen(
            ChooseDialog(title, rule_choices(self.refusals.min_auroc), self.refusals.rule_text),
            self._take_rule,
        )

    def _take_rule(self, text: str | None) -> None:
        if text is not None and text.endswith(ANOTHER):
            name = text.removesuffix(ANOTHER).strip()
            ask = AskDialog(t(f"no_answer.ask.{name}"))
            self.app.push_screen(ask, lambda given: self._take_rule(f"{name} {given}" if given else None))
        elif text is not None and text.startswith(MIN_AUROC):
            self._choose(self.refusals.choose_min_auroc, text.removeprefix(MIN_AUROC).strip())
        elif text is not None:
            self._choose(self.refusals.choose_rule, text)

    def action_score(self) -> None:
        """Choose what is compared with the threshold."""
        choices = score_choices(self.session.k)
        chosen = str(self.refusals.score)
        self.app.push_screen(ChooseDialog(t("no_answer.choose-score"), choices, chosen), self._take_score)

    def _take_score(self, text: str | None) -> None:
        if text == ANOTHER:
            ask = AskDialog(t("no_answer.ask.score"), "mean@")
            self.app.push_screen(ask, self._take_score)
        elif text is not None:
            self._choose(self.refusals.choose_score, text)

    def _choose(self, choose: Callable[[str], None], text: str) -> None:
        try:
            choose(text)
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
        else:
            self.save()
            self.see_anew()

    # what leaves the screen

    def action_wrong_side(self) -> None:
        """List the queries that the threshold at the cursor treats wrongly."""
        panel = self.panel
        if panel is not None and panel.sample is not None and panel.cursor is not None:
            self._list_wrong_side(panel.sample, panel.cursor, panel.written or "")

    @work(exclusive=True, group="wrong-side")
    async def _list_wrong_side(self, sample: Sample, threshold: float, written: str) -> None:
        from ragtui.tui.screens.no_answer_wrong import WrongSideScreen

        found = await asyncio.to_thread(sample.wrong_side, threshold)
        session = self.session if sample.split == self.session.workspace.split else None
        screen = WrongSideScreen(session or self.session.over(sample.split), found, written)
        self.app.push_screen(screen)

    def action_export(self) -> None:
        """Choose a file to write the usable thresholds to."""
        if self.has_rows:
            self.app.push_screen(ChooseDialog(t("no_answer.export.title"), file_choices()), self._take_file)

    def _take_file(self, file_format: str | None) -> None:
        if file_format is not None:
            self._export(file_format)

    @work(exclusive=True, group="export")
    async def _export(self, file_format: str) -> None:
        workspace = self.session.workspace
        path = export_file(Path.cwd(), workspace.set.name, file_format, what="thresholds")
        try:
            runs = await asyncio.to_thread(self._write, path)
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
        else:
            names = ", ".join(map(shown, runs))
            self.notify(t("no_answer.export.done", path=shown(str(path)), runs=names), markup=False)

    def _write(self, path: Path) -> list[str]:
        aim, workspace = self.refusals.aim, self.session.workspace
        able = [run for run, panel in self.panels.items() if panel.error is None]
        found = [self.refusals.calibration(run, aim) for run in able]
        return workspace.calibrations.export(path, found)

    def action_copy(self) -> None:
        """Copy the threshold at the cursor as it is written; without a run, the command that makes one."""
        panel = self.panel
        if panel is None:
            self._copied(bench_command(self.session.workspace))
        elif panel.written is not None:
            self._copied(str(float(panel.written)))

    def action_copy_json(self) -> None:
        """Copy what is known of the run and the threshold at the cursor as one JSON object."""
        panel = self.panel
        if panel is not None and panel.calibration is not None and panel.cursor is not None:
            self._copied(calibration_json(panel.calibration, panel.cursor))

    def _copied(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=shown(text[:60])), markup=False)

    # where

    def action_curve(self) -> None:
        """The curve in the place of the figures, and back."""
        self.use_part("figures" if self.part == "curve" else "curve")

    def action_zoom(self) -> None:
        """One run takes the screen, or gives room to the others again."""
        if self.panel is not None:
            self.is_zoomed = not self.is_zoomed
            self.place_histograms()

    def action_back(self) -> None:
        """Back to the list, or first from one run to all."""
        if self.is_zoomed:
            self.action_zoom()
        else:
            self.dismiss(None)
