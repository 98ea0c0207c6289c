"""Screen 5: which judge is asked about what, what it would take, how it goes, how far to believe it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll

from ragtui import atomic
from ragtui.analysis.export import FORMATS, plain
from ragtui.messages import t
from ragtui.tui.bindings import bindings
from ragtui.tui.desk_facts import Line, Prepared
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.judges_board import PARTS, JudgesBoard
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.judge_card import measure_command
from ragtui.tui.state.query_choices import export_choices
from ragtui.tui.widgets.query_table import QueryTable


class JudgesScreen(JudgesBoard):
    """Judges over a run; the keys are those of the catalogue."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("judges")]

    # moving

    def action_down(self) -> None:
        """One line down."""
        self._move(1)

    def action_up(self) -> None:
        """One line up."""
        self._move(-1)

    def action_top(self) -> None:
        """To the first line."""
        self._move(-1_000_000)

    def action_bottom(self) -> None:
        """To the last line."""
        self._move(1_000_000)

    def action_half_down(self) -> None:
        """Half a page down."""
        self._move(max(1, self._page // 2))

    def action_half_up(self) -> None:
        """Half a page up."""
        self._move(-max(1, self._page // 2))

    def action_page_down(self) -> None:
        """A page down."""
        self._move(self._page)

    def action_page_up(self) -> None:
        """A page up."""
        self._move(-self._page)

    def _move(self, by: int) -> None:
        if self.used == "card":
            self._card_scroll.scroll_relative(y=by, animate=False)
        else:
            self._table.move(by)

    @property
    def _table(self) -> QueryTable:
        return self.dispute_table if self.used == "disputes" else self.judge_table

    @property
    def _card_scroll(self) -> VerticalScroll:
        return self.query_one("#card-scroll", VerticalScroll)

    @property
    def _page(self) -> int:
        return self._card_scroll.size.height if self.used == "card" else self._table.page

    def action_other_pane(self) -> None:
        """To the next part: judges, what needs a person, the card."""
        parts = [part for part in PARTS if part != "disputes" or self.has_rows]
        at = parts.index(self.used) if self.used in parts else 0
        self.use(parts[(at + 1) % len(parts)])

    def action_zoom(self) -> None:
        """Give one part the screen, or take it back."""
        self.is_zoomed = not self.is_zoomed
        self.set_class(self.is_zoomed, "-zoomed")

    def action_back(self) -> None:
        """The ladder of esc: from the other parts to the judges, then back to the queries."""
        if self.is_zoomed:
            self.action_zoom()
        elif self.used != "judges":
            self.use("judges")
        else:
            self.desk.hear()
            self.dismiss(None)

    # asking

    def action_start(self) -> None:
        """Start as planned; on a verdict open its query."""
        if self.used == "disputes":
            self._open_dispute()
        elif self.used == "judges":
            self._ask(asks_first=False)

    def action_judge(self) -> None:
        """Show the plan, also where it takes no call."""
        self._ask(asks_first=True)

    def action_retry(self) -> None:
        """Ask again what failed."""
        if self.disputes is None or not self.disputes.failed:
            self.notify(t("judges.notice.nothing-failed"))
        else:
            self._ask(asks_first=True, only_failed=True)

    def _ask(self, *, asks_first: bool, only_failed: bool = False) -> None:
        line, aim = self.line, self.aim
        if aim is None:
            self.notify(t("judges.notice.no-run"))
        elif line is not None and not line.can_ask:
            self.notify(t("judges.notice.no-judge"))
        elif line is not None and self.is_free():
            self.desk.choose(line)
            if not only_failed and self.prepared is not None and isinstance(self.prepared[1], Prepared):
                self.use_plan(self.prepared[1], asks_first=asks_first)
            else:
                prepare = partial(self.desk.prepare, line, aim, only_failed=only_failed)
                self.plan(prepare, asks_first=asks_first)

    def action_measure(self) -> None:
        """Measure the judge on its own labelled pairs."""
        line = self.line
        if line is not None and line.can_ask and self.is_free():
            self.plan(partial(self._prepare_measuring, line), asks_first=False)

    def _prepare_measuring(self, line: Line) -> Prepared:
        """In a thread. Where all is judged already, what is missing is the card."""
        prepared = self.desk.prepare_measuring(line)
        if not prepared.open_work:
            self.desk.keep_card(prepared.errand.asker)
            self.app.call_from_thread(self.read_lines)
        return prepared

    def action_pause(self) -> None:
        """Pause judging, or go on."""
        job = self.desk.job
        if job is None or job.is_over:
            self.notify(t("judges.notice.not-under-way"))
        elif job.is_paused:
            job.resume()
        else:
            job.pause()
        self.judging_moved()

    def action_cancel(self) -> None:
        """Stop judging; what is done is kept."""
        job = self.desk.job
        if job is None or job.is_over:
            self.notify(t("judges.notice.not-under-way"))
        else:
            job.cancel()
            self.judging_moved()

    # what is asked about

    def action_scope(self) -> None:
        """The queries of the filter, or all."""
        if self.listed is None:
            self.notify(t("judges.notice.no-filter"))
            return
        self.desk.is_filtered = not self.desk.is_filtered
        key = "scope-filter" if self.desk.is_filtered else "scope-all"
        self.notify(t(f"judges.notice.{key}", n=len(self.listed)))
        self.survey()

    def action_model(self) -> None:
        """Choose the model that judges ask."""
        from ragtui.tui.screens.model import choose_model

        if self.is_free():
            choose_model(self.app, self.desk, self.lines, self.read_lines)

    # one verdict

    def _open_dispute(self) -> None:
        from ragtui.tui.screens.detail import DetailScreen

        if self.disputes is None or not len(self.disputes):
            return
        row = self.disputes.row(self.dispute_table.cursor)
        order = self.disputes.query_ids()
        detail = DetailScreen(self.session, order, order.index(row["query_id"]), chunk_id=row["chunk_id"])
        self.desk.choose(self.lines[self.judge_table.cursor])
        self.desk.hear()
        self.app.push_screen(detail, self._returned)

    def _returned(self, _: int | None) -> None:
        self.survey()

    def on_query_table_opened(self, message: QueryTable.Opened) -> None:
        """A click on the line under the cursor."""
        self.use("judges" if message.table is self.judge_table else "disputes")
        if message.table is self.dispute_table:
            self._open_dispute()

    def action_copy(self) -> None:
        """Copy the command that measures the judge, or the text and reason of a verdict."""
        if self.used == "disputes" and self.disputes is not None and len(self.disputes):
            row = self.disputes.row(self.dispute_table.cursor)
            self._copied(str(row["raw"] or row["reason"]))
        elif self.line is not None:
            self._copied(measure_command(self.line, self.session.workspace))

    def action_copy_json(self) -> None:
        """Copy the verdict as one JSON object."""
        if self.disputes is not None and len(self.disputes):
            row = self.disputes.row(self.dispute_table.cursor)
            self._copied(json.dumps(plain(row), ensure_ascii=False, allow_nan=False))

    def action_export(self) -> None:
        """Choose a format to write the listed verdicts in."""
        if self.disputes is not None and len(self.disputes):
            dialog = ChooseDialog(t("judges.export", n=len(self.disputes)), export_choices())
            self.app.push_screen(dialog, self._export)

    def _export(self, file_format: str | None) -> None:
        if file_format is None or self.disputes is None:
            return
        rows = [plain(self.disputes.row(position)) for position in range(len(self.disputes))]
        path = export_file(Path.cwd(), self.session.workspace.set.name, file_format, what="disputes")
        try:
            atomic.write_text(path, FORMATS[file_format](rows))
        except OSError as error:
            why = shown(error.strerror or str(error))
            said = t("tui.notice.not-exported", path=shown(str(path)), why=why)
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)

    def _copied(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=shown(text[:60])), markup=False)
