"""The queries that a threshold treats wrongly; they open in the detail."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Resize

from ragtui import atomic
from ragtui.analysis.calibration.sample import WrongSide
from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.analysis.export import FORMATS
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.actions import Place
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.latest import Latest
from ragtui.tui.palette import Palette
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.looking import Looking
from ragtui.tui.screens.no_answer_board import Ends
from ragtui.tui.screens.query_board import LEAST_HEIGHT, LEAST_WIDTH
from ragtui.tui.session import Session
from ragtui.tui.state import preview
from ragtui.tui.state.emptiness import too_small
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.headline import headline
from ragtui.tui.state.no_answer_wrong import WrongRows, heading, wrong_columns
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.query_choices import export_choices
from ragtui.tui.strips import paint
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines, Rule
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.tui.widgets.tabs import TabLine

Wanted = tuple[str, int]


class WrongSideScreen(Looking[None]):
    """Queries on the wrong side of a threshold, false answers first.

    Args:
        session: over the split that is shown.
        found: the queries, in the order in which they are listed.
        threshold: as it is written.
    """

    place: ClassVar[Place] = "wrong_side"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("wrong_side")]

    def __init__(self, session: Session, found: Sequence[WrongSide], threshold: str) -> None:
        super().__init__()
        self.session = session
        self.threshold = threshold
        self.rows = WrongRows(session.workspace, found, session.marks)
        self._evidence: QueryEvidence | None = None
        self._evidences = Latest(self, self._find, self._take)

    def compose(self) -> ComposeResult:
        """Set and run, screens, how many of each sort, the queries, the one that is selected, keys."""
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield TabLine("no_answer")
        yield Line(self._heading, id="wrong-title")
        yield QueryTable()
        yield Rule(id="foot-rule")
        yield Lines(self._below, id="below")
        yield KeyFooter("wrong_side", self.meets)

    def on_mount(self) -> None:
        """Show the queries."""
        self.see_anew()

    @property
    def table(self) -> QueryTable:
        return self.query_one(QueryTable)

    @property
    def has_rows(self) -> bool:
        """Whether a query is listed."""
        return len(self.rows) > 0

    @property
    def selected(self) -> str | None:
        """Id of the query under the cursor."""
        return self.rows.found[self.table.cursor].query_id if self.has_rows else None

    def see_anew(self) -> None:
        """Draw the rows."""
        self.table.show(wrong_columns(), self.rows, self.table.cursor)
        self._preview()

    def on_resize(self, event: Resize) -> None:
        """Choose what there is room for."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.query_one("#below").styles.height = max(2, min(7, height // 6))

    # the selected query

    def on_query_table_moved(self, message: QueryTable.Moved) -> None:
        """Say something of the query under the cursor."""
        self._preview()

    def _preview(self) -> None:
        selected = self.selected
        self._evidences.want((selected, self.session.k) if selected is not None else None)

    def _find(self, wanted: Wanted) -> QueryEvidence:
        return self.session.workspace.evidence(self.session.run or "", *wanted)

    def _take(self, wanted: Wanted, found: QueryEvidence | RagtuiError) -> None:
        self._evidence = found if isinstance(found, QueryEvidence) else None
        for below in self.query("#below").results(Lines):  # none when the person has gone on
            below.show(self._below)

    # lines

    def _headline(self, palette: Palette, width: int) -> Ends:
        left, right = headline(self.session, None, width)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _heading(self, palette: Palette, width: int) -> Ends:
        return paint(heading(self.rows, self.session.run or "", self.threshold, width), palette), []

    def _below(self, width: int, height: int) -> list[Fact]:
        evidence = self._evidence
        if not self.has_rows:
            return [(Piece(line),) for line in cells.wrap(t("no_answer.wrong.none"), width)]
        if evidence is None:
            return []
        is_no_answer = evidence.state == "no-answer"
        refusal = self.session.refusals.refusal(evidence.run, evidence.query_id) if is_no_answer else None
        return preview.below(evidence, width, height, refusal)

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)

    # keys

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
        self.table.move_to(len(self.rows) - 1)

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

    def action_open(self) -> None:
        """Open the query, with the order of this list."""
        from ragtui.tui.screens.detail import DetailScreen

        if self.has_rows:
            detail = DetailScreen(self.session, self.rows.query_ids(), self.table.cursor)
            self.app.push_screen(detail, self._returned)

    def _returned(self, position: int | None) -> None:
        if position is not None:
            self.table.move_to(position)
        self.see_anew()

    def on_query_table_opened(self, message: QueryTable.Opened) -> None:
        """Open the query that was clicked."""
        self.action_open()

    def action_mark(self) -> None:
        """Mark the query, and go on to the next."""
        if self.selected is not None:
            self.session.toggle_mark(self.selected)
            self.save()
            self.see_anew()
            self.table.move(1)

    def action_copy(self) -> None:
        """Copy the text of the query as it was written."""
        if self.selected is not None:
            self._copied(self.rows.text(self.selected))

    def action_copy_json(self) -> None:
        """Copy what is known of the query as one JSON object."""
        if self.has_rows:
            record = self.rows.records()[self.table.cursor]
            self._copied(json.dumps(record, ensure_ascii=False, allow_nan=False))

    def _copied(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=shown(text[:60])), markup=False)

    def action_export(self) -> None:
        """Choose a format to write the list in."""
        if self.has_rows:
            title = t("no_answer.wrong.export", n=len(self.rows))
            self.app.push_screen(ChooseDialog(title, export_choices()), self._export)

    def _export(self, file_format: str | None) -> None:
        if file_format is None:
            return
        path = export_file(Path.cwd(), self.session.workspace.set.name, file_format, what="wrong-side")
        try:
            atomic.write_text(path, FORMATS[file_format](self.rows.records()))
        except OSError as error:
            why = shown(error.strerror or str(error))
            said = t("tui.notice.not-exported", path=shown(str(path)), why=why)
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)

    def action_back(self) -> None:
        """Back to the histograms."""
        self.dismiss(None)
