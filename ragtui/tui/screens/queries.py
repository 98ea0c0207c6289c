"""Screen 1: every query of the split, the failing ones first, and what its keys do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType

from ragtui import atomic
from ragtui.analysis.export import export
from ragtui.analysis.where import is_outcome
from ragtui.messages import t
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.columns import ColumnsDialog
from ragtui.tui.screens.presets import PresetsDialog
from ragtui.tui.screens.query_board import QueryBoard
from ragtui.tui.state.emptiness import bench_command
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.query_choices import export_choices, sort_choices
from ragtui.tui.state.query_list import SORT_OF_HEADER, Sort
from ragtui.tui.widgets.filter_bar import FilterInput
from ragtui.tui.widgets.query_table import QueryTable

if TYPE_CHECKING:
    from ragtui.tui.app import RagtuiApp


class QueriesScreen(QueryBoard):
    """The list of queries; the keys are those of the catalogue."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queries")]

    # moving

    def action_down(self) -> None:
        """One row down."""
        self.table.move(1)

    def action_up(self) -> None:
        """One row up."""
        self.table.move(-1)

    def action_top(self) -> None:
        """To the first row."""
        self.table.move_to(0)

    def action_bottom(self) -> None:
        """To the last row."""
        self.table.move_to(len(self.listed or ()) - 1)

    def action_half_down(self) -> None:
        """Half a page down."""
        self.table.move(max(1, self.table.page // 2))

    def action_half_up(self) -> None:
        """Half a page up."""
        self.table.move(-max(1, self.table.page // 2))

    def action_page_down(self) -> None:
        """A page down."""
        self.table.move(self.table.page)

    def action_page_up(self) -> None:
        """A page up."""
        self.table.move(-self.table.page)

    def action_next(self) -> None:
        """The next row that still matches."""
        self._to_match(1)

    def action_previous(self) -> None:
        """The previous row that still matches."""
        self._to_match(-1)

    def _to_match(self, by: int) -> None:
        position = self.listed.next_match(self.table.cursor, by) if self.listed is not None else None
        if position is None:
            self.notify(t("tui.notice.no-such-match"))
        else:
            self.table.move_to(position)

    # filter and order

    def action_filter(self) -> None:
        """Type a filter."""
        self.field.enter()

    def action_back(self) -> None:
        """The ladder of esc below the field: clear the filter, dismiss the first line, leave the set."""
        if self.field.value:
            self.field.value = ""
        elif self.is_welcoming:
            self.dismiss_welcome()
        else:
            cast("RagtuiApp", self.app).leave_set()

    def action_presets(self) -> None:
        """Choose a ready filter, or one that was saved."""
        if self.listed is not None:
            session = self.session
            answered = session.refusals.answered_where(session.run) if session.stage is None else None
            dialog = PresetsDialog(self.listed, session.view.filters, self._keep_filters, answered)
            self.app.push_screen(dialog, self._apply_filter)

    def _keep_filters(self, filters: Mapping[str, str]) -> None:
        self.session.remember(filters=filters)
        self.save()

    def _apply_filter(self, text: str | None) -> None:
        if text is None or self.listed is None:
            return
        if text == self.field.value:
            self.show(self.listed.filtered(text), self.selected)
        else:
            self.field.value = text

    def on_input_submitted(self, message: FilterInput.Submitted) -> None:
        """Apply the filter again, so that rows which have ceased to match leave."""
        self._apply_filter(message.value)

    def on_filter_input_save_wanted(self, message: FilterInput.SaveWanted) -> None:
        """Ask for the name of the filter."""
        if not self.field.value.strip():
            self.notify(t("tui.notice.no-filter"))
        elif self.field.error is not None:
            self.notify(t("tui.notice.wrong-filter"), severity="warning")
        else:
            self.app.push_screen(AskDialog(t("tui.ask.filter-name")), self._save_filter)

    def _save_filter(self, name: str | None) -> None:
        if name is not None:
            self._keep_filters({**self.session.view.filters, name: self.field.value})
            self.notify(t("tui.notice.filter-saved", name=shown(name)), markup=False)

    def action_sort(self) -> None:
        """Choose what to sort by."""
        if self.listed is not None:
            dialog = ChooseDialog(t("tui.order.title"), sort_choices(self.listed), self.listed.sort.by)
            self.app.push_screen(dialog, self._sort_by)

    def _sort_by(self, column: str | None) -> None:
        if column is not None:
            self._sort(Sort(column))

    def action_reverse(self) -> None:
        """Turn the order round."""
        if self.listed is not None:
            self._sort(Sort(self.listed.sort.by, not self.listed.sort.reverse))

    def on_query_table_header_clicked(self, message: QueryTable.HeaderClicked) -> None:
        """Sort by the column that was clicked, or turn the order round if it is that one."""
        if self.listed is None:
            return
        column = SORT_OF_HEADER.get(message.column, message.column)
        if column == self.listed.sort.by:
            self.action_reverse()
        else:
            self._sort_by(column)

    def _sort(self, sort: Sort) -> None:
        if self.listed is not None:
            self.session.remember(sort=sort.by, reverse=sort.reverse)
            self.show(self.listed.sorted(sort), self.selected)

    # what is looked at

    def action_columns(self) -> None:
        """Choose the columns, and their order."""
        if self.listed is not None:
            self.app.push_screen(ColumnsDialog(self.listed, self._arrange))

    def _arrange(self, columns: tuple[str, ...]) -> None:
        if self.listed is not None:
            self.session.remember(columns=columns)
            self.save()
            self.show(replace(self.listed, arranged=columns), self.selected)

    def see_anew(self) -> None:
        """The list under another run, stage or cut-off."""
        self.reload()

    def action_zoom(self) -> None:
        """The list takes the screen, or gives room to the preview again."""
        self.toggle_class("-zoomed")

    # one query

    def action_mark(self) -> None:
        """Mark the query, and go on to the next."""
        if self.selected is not None and self.listed is not None:
            self.session.toggle_mark(self.selected)
            self.save()
            self.show(self.listed.seen_anew(self.session.facts(), self.session.metric), self.selected)
            self.table.move(1)

    def action_open(self) -> None:
        """Open the query, with the order of the list."""
        from ragtui.tui.screens.detail import DetailScreen

        session = self.session
        if self.listed is None or session.run is None or not len(self.listed):
            return
        detail = DetailScreen(session, self.ids(), self.table.cursor)
        self.app.push_screen(detail, self._returned)

    def open_judges(self) -> None:
        """Open the judges, with the queries of the filter where there is one."""
        from ragtui.tui.screens.judges import JudgesScreen

        listed = self.listed
        if self.session.run is None or listed is None:
            self.notify(t("judges.notice.no-run"))
            return
        chosen = None
        if listed.is_filtered and len(listed):
            chosen = tuple(listed.query_id(position) for position in range(len(listed)))
        judges = JudgesScreen(self.session, chosen, over_outcome=is_outcome(listed.where))
        self.app.push_screen(judges, self._judged)

    def open_no_answer(self) -> None:
        """Open the histograms of all runs."""
        from ragtui.tui.screens.no_answer import NoAnswerScreen

        self.app.push_screen(NoAnswerScreen(self.session), self._judged)

    def open_failures(self) -> None:
        """Open the causes of what fails."""
        from ragtui.tui.screens.failures import FailuresScreen

        self.app.push_screen(FailuresScreen(self.session), self._judged)

    def _judged(self, _: None) -> None:
        if self.session.run is not None:
            self.reload()

    def on_query_table_opened(self, message: QueryTable.Opened) -> None:
        """Open the query that was clicked."""
        self.action_open()

    def _returned(self, position: int | None) -> None:
        if position is not None:
            self.table.move_to(position)
        self.reload()

    def action_copy(self) -> None:
        """Copy the text of the query as it was written; without a run, the command that makes one."""
        if not self.session.workspace.runs:
            self._copied(bench_command(self.session.workspace))
        elif self.selected is not None:
            self._copied(str(self.session.workspace.set.queries["text"][self.selected]))

    def action_copy_json(self) -> None:
        """Copy what is known of the query as one JSON object."""
        if self.listed is not None and self.selected is not None:
            row = self.listed.rows[[self.table.cursor]]
            self._copied(export(self.listed.facts.table, row, "jsonl").rstrip("\n"))

    def _copied(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=shown(text[:60])), markup=False)

    # the whole list

    def action_export(self) -> None:
        """Choose a format to write the list in."""
        if self.listed is not None and len(self.listed):
            dialog = ChooseDialog(t("tui.export.title", n=len(self.listed)), export_choices())
            self.app.push_screen(dialog, self._export)

    def _export(self, file_format: str | None) -> None:
        if file_format is None or self.listed is None:
            return
        text = export(self.listed.facts.table, self.listed.rows, file_format)
        path = export_file(Path.cwd(), self.session.workspace.set.name, file_format)
        try:
            atomic.write_text(path, text)
        except OSError as error:
            said = t(
                "tui.notice.not-exported", path=shown(str(path)), why=shown(error.strerror or str(error))
            )
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)
