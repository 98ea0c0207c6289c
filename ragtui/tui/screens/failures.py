"""Screen 6: why queries fail, by cause, and what its keys do."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.failures_board import FailuresBoard
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.emptiness import bench_command
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.failures import DISPUTED, slice_names
from ragtui.tui.state.failures_order import order_choices
from ragtui.tui.state.query_list import SORT_OF_HEADER, Sort
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.workspace.review_failures import failures
from ragtui.workspace.review_sheet import exported, failure_records

FORMATS = ("csv", "excel", "jsonl", "md")
USUAL_SAMPLE = 30


class FailuresScreen(FailuresBoard):
    """Causes and their queries; the keys are those of the catalogue."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("failures")]

    def action_down(self) -> None:
        """One row down."""
        self.used_table.move(1)

    def action_up(self) -> None:
        """One row up."""
        self.used_table.move(-1)

    def action_top(self) -> None:
        """To the first row."""
        self.used_table.move_to(0)

    def action_bottom(self) -> None:
        """To the last row."""
        self.used_table.move_to(len(self.listed or ()) + len(self.counted))

    def action_half_down(self) -> None:
        """Half a page down."""
        self.used_table.move(max(1, self.used_table.page // 2))

    def action_half_up(self) -> None:
        """Half a page up."""
        self.used_table.move(-max(1, self.used_table.page // 2))

    def action_page_down(self) -> None:
        """A page down."""
        self.used_table.move(self.used_table.page)

    def action_page_up(self) -> None:
        """A page up."""
        self.used_table.move(-self.used_table.page)

    def action_other_pane(self) -> None:
        """From causes to queries, and back."""
        self.use("queries" if self.used == "causes" else "causes")

    def action_open(self) -> None:
        """From a cause to its queries; from a query to its detail, with the order of this list."""
        from ragtui.tui.screens.detail import DetailScreen

        if not self.has_rows or self.failures is None:
            return
        if self.used == "causes":
            self.use("queries")
        else:
            chunk = self.failures.disputed.get(self.selected or "") if self.group == DISPUTED else None
            detail = DetailScreen(self.session, self.ids(), self.table.cursor, chunk_id=chunk)
            self.app.push_screen(detail, self._returned)

    def _returned(self, position: int | None) -> None:
        if position is not None:
            self.table.move_to(position)
        self.see_anew()

    def on_query_table_opened(self, message: QueryTable.Opened) -> None:
        """A click on what is selected."""
        self.use("causes" if message.table is self.cause_table else "queries")
        self.action_open()

    def action_back(self) -> None:
        """From the queries to the causes, then back to the list."""
        if self.used == "queries":
            self.use("causes")
        else:
            self.dismiss(None)

    def action_zoom(self) -> None:
        """The queries take the screen, or give room to the causes again."""
        self.toggle_class("-zoomed")

    # marks and samples

    def action_mark(self) -> None:
        """Mark the query, and go on to the next."""
        if self.selected is not None:
            self.session.toggle_mark(self.selected)
            self._marked()
            self.table.move(1)

    def action_mark_all(self) -> None:
        """Mark every query of the group, or none of them."""
        ids = set(self.ids())
        self.session.marks = (
            self.session.marks - ids if ids <= self.session.marks else self.session.marks | ids
        )
        self._marked()

    def _marked(self) -> None:
        self.save()
        self.decided(())

    def action_sample(self) -> None:
        """Draw some queries of the group at random, or show all of them again."""
        if self.sample is not None:
            self.sample = None
            self.show_group(self.selected)
        else:
            self.app.push_screen(AskDialog(t("tagging.failures.how-many"), str(USUAL_SAMPLE)), self._draw)

    def _draw(self, text: str | None) -> None:
        if text is None:
            return
        if not text.isdecimal() or not int(text):
            self.notify(t("tagging.failures.no-number"), severity="warning")
            return
        self.sample = int(text)
        self.show_group(self.selected)

    def action_slice_by(self) -> None:
        """Choose what the queries of a group are divided by."""
        if self.facts is not None:
            choices = [Choice(key, shown(key)) for key in slice_names(self.facts.table)]
            title = t("tagging.failures.slice-by")
            self.app.push_screen(ChooseDialog(title, choices, self.slice_key), self._divide)

    def _divide(self, key: str | None) -> None:
        if key is not None:
            self.slice_key = key
            self.decided(())

    # the order

    def action_sort(self) -> None:
        """Choose what the queries of a group are sorted by."""
        if self.listed is not None:
            dialog = ChooseDialog(t("tui.order.title"), order_choices(self.listed), self.sort.by)
            self.app.push_screen(dialog, self._sort_by)

    def _sort_by(self, column: str | None) -> None:
        if column is not None:
            self._sort(Sort(column))

    def action_reverse(self) -> None:
        """Turn the order round."""
        self._sort(Sort(self.sort.by, not self.sort.reverse))

    def on_query_table_header_clicked(self, message: QueryTable.HeaderClicked) -> None:
        """Sort by the column that was clicked, or turn the order round if it is that one."""
        if message.table is not self.table:
            return
        column = SORT_OF_HEADER.get(message.column, message.column)
        if column == self.sort.by:
            self.action_reverse()
        else:
            self._sort_by(column)

    def _sort(self, sort: Sort) -> None:
        self.sort = sort
        self.show_group(self.selected)

    # what leaves the screen

    def action_copy(self) -> None:
        """Copy the text of the query as it was written; without a run, the command that makes one."""
        if not self.session.workspace.runs:
            self._copied(bench_command(self.session.workspace))
        elif self.selected is not None:
            self._copied(str(self.session.workspace.set.queries["text"][self.selected]))

    def action_copy_json(self) -> None:
        """Copy what is known of the failure as one JSON object."""
        session = self.session
        if self.selected is not None and session.run is not None:
            found = failures(session.workspace, session.run, session.k, session.stage, among={self.selected})
            records = failure_records(found, session.run, session.k, self._reviewers)
            if records:
                self._copied(json.dumps(records[0], ensure_ascii=False, allow_nan=False))

    def _copied(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=shown(text[:60])), markup=False)

    @property
    def _reviewers(self) -> tuple[str, ...]:
        sitting = self.sitting
        return () if not sitting.is_read else sitting.review.journal.state.reviewers

    def action_export(self) -> None:
        """Choose a format to write the queries of the group in."""
        if self.has_rows:
            choices = [Choice(name, t(f"tagging.failures.export-{name}")) for name in FORMATS]
            title = t("tui.export.title", n=len(self.ids()))
            self.app.push_screen(ChooseDialog(title, choices), self._take_format)

    def _take_format(self, file_format: str | None) -> None:
        if file_format is not None:
            self._export(file_format)

    @work(exclusive=True, group="export")
    async def _export(self, file_format: str) -> None:
        path = export_file(Path.cwd(), self.session.workspace.set.name, file_format, what="failures")
        try:
            await asyncio.to_thread(self._write, path, file_format, self.ids())
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
        except OSError as error:
            why = shown(error.strerror or str(error))
            said = t("tui.notice.not-exported", path=shown(str(path)), why=why)
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)

    def _write(self, path: Path, file_format: str, ids: list[str]) -> None:
        session = self.session
        run = session.run or ""
        found = failures(session.workspace, run, session.k, session.stage, among=ids)
        atomic.write_text(path, exported(found, file_format, run, session.k, self._reviewers))
