"""What the detail of a query is made of: heading, panes of cards, and how they are arranged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Resize

from ragtui.analysis.evidence import QueryEvidence
from ragtui.analysis.judged import JudgedQuery
from ragtui.analysis.query_table import QueryTable
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.actions import Place
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.palette import Palette
from ragtui.tui.screens.query_board import LEAST_HEIGHT, LEAST_WIDTH, TWO_LINES
from ragtui.tui.screens.reviewing import Reviewing
from ragtui.tui.session import Session
from ragtui.tui.state.cards import Pane
from ragtui.tui.state.detail_head import heading, judges, numbers
from ragtui.tui.state.emptiness import too_small
from ragtui.tui.state.gold import gold_pane
from ragtui.tui.state.headline import headline
from ragtui.tui.state.pieces import Fact, Row, spread
from ragtui.tui.state.retrieved import retrieved_pane
from ragtui.tui.state.review_blind import blind_pane, hidden_row
from ragtui.tui.state.review_words import cause_rows, note_lines
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.cards import CardPane
from ragtui.tui.widgets.cause_line import CauseLine
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from ragtui.tui.state.no_answer import Refusal

Layout = Literal["three", "two", "stacked", "single"]

WIDE, BESIDE = 160, 100
"""Cells from which three panes, and two, stand side by side."""

NOTES = 2
"""Lines of notes on a query."""

NARROW, LOW = 60, 16
"""Cells and lines below which there is room for one pane."""


class DetailBoard(Reviewing[int]):
    """One query of a list; what keys do is told by its subclass.

    Args:
        session: run, stage and cut-off.
        order: ids of the queries, in the order of the list they were opened from. It stays as it is.
        position: which of them to show first.
        chunk_id: what to select first, where it was retrieved or else where it is gold; None for the first
            missed gold.
    """

    place: ClassVar[Place] = "detail"

    def __init__(
        self, session: Session, order: Sequence[str], position: int, *, chunk_id: str | None = None
    ) -> None:
        super().__init__()
        self.session = session
        self.order = tuple(order)
        self.position = position
        self.other_run: str | None = None
        self._chunk_id = chunk_id
        self._table: QueryTable | None = None
        self._other_table: QueryTable | None = None
        self.is_zoomed = False
        self.retrieved = CardPane(id="retrieved")
        self.other = CardPane(id="other")
        self.gold = CardPane(id="gold")
        self.pane = self.gold
        self.is_on_cause = False
        """Whether enter is for the suggested cause, below the panes."""
        self.is_blind = False
        """Whether judges, runs and order are hidden."""
        self._head = Lines(self._heading, id="detail-head")

    @property
    def query_id(self) -> str:
        """The query that is shown."""
        return self.order[self.position]

    @property
    def panes(self) -> list[CardPane]:
        """Panes in the order of tab; that of the other run only where one was chosen."""
        if self.is_blind:
            return [self.retrieved]
        return [self.retrieved, *([self.other] if self.other_run is not None else []), self.gold]

    def compose(self) -> ComposeResult:
        """Set and run, the query, panes below it, keys at the foot."""
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield self._head
        with Container(id="panes"):
            yield self.retrieved
            yield self.other
            yield self.gold
        yield CauseLine(self._cause)
        yield KeyFooter("detail", self.meets)

    def on_mount(self) -> None:
        """Show the query, with the first missed gold selected, or the chunk that it was opened at."""
        self.show_query()
        chunk_id = self._chunk_id or ""
        places = ((pane, pane.pane.twin_of(chunk_id)) for pane in (self.retrieved, self.gold))
        pane, twin = next((one for one in places if one[1] is not None), (self.gold, None))
        if twin is not None:
            pane.select(twin)
            self.use(pane)

    def on_screen_resume(self) -> None:
        """From now on the order of these queries is reviewed."""
        self.sitting.listed = lambda: self.sitting.rows_of(self.order)

    def on_resize(self, event: Resize) -> None:
        """Another arrangement of the panes."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.query_one(CauseLine).set_class(height >= TWO_LINES, "-two")
        self.place_panes()
        self._head.show(self._heading)

    def verdicts_came(self) -> None:
        """Show them beside what was retrieved."""
        self._table = None
        self._show(starts_anew=False)

    def renew_heading(self) -> None:
        """Draw the lines above and below the cards anew."""
        self._head.show(self._heading)
        self.query_one(CauseLine).refresh()

    def show_query(self) -> None:
        """Show another query, at the first missed gold, or else at rank 1."""
        is_on_cause = self.is_on_cause
        self._show(starts_anew=True)
        has_gold = self.gold.pane.start is not None and not self.is_blind
        self.use(self.gold if has_gold else self.retrieved)
        if is_on_cause and self.has_cause:
            self.use_cause()

    def see_anew(self) -> None:
        """Show the same query in another light; selections stay where they can."""
        if self.other_run == self.session.run:
            self.other_run = None
        self._show(starts_anew=False)
        self.use(self.pane if self.pane in self.panes else self.retrieved)

    def show_other_run(self, run: str | None) -> None:
        """Show a run beside that of the session, or none."""
        self.other_run = run
        if run is not None:
            self.other.show(self._other_pane(run))
            self._compute()
        self.use(self.pane if self.pane in self.panes else self.retrieved)

    def use(self, chosen: CardPane) -> None:
        """Give a pane the keys, and mark in the others the twin of its card."""
        self.pane, self.is_on_cause = chosen, False
        self.query_one(CauseLine).use(False)
        self.query_one(KeyFooter).words = {}
        self.place_panes()
        for pane in (self.retrieved, self.other, self.gold):
            pane.use(pane is chosen)
        card = chosen.card
        for pane in self.panes:
            if pane is not chosen:
                pane.mark_twin(pane.pane.twin_of(card.name) if card is not None else None)

    @property
    def has_cause(self) -> bool:
        """Whether there is a cause to give, or one was given; blind there is none, for it tells of runs."""
        if self.is_blind:
            return False
        return self.query_id in self.sitting.failing or self.query_id in self.sitting.causes

    def use_cause(self) -> None:
        """Give the keys to the suggested cause."""
        for pane in (self.retrieved, self.other, self.gold):
            pane.use(False)
            pane.mark_twin(None)
        self.is_on_cause = True
        self.query_one(CauseLine).use(True)
        self.query_one(KeyFooter).words = {"whole": t("tui.action.accept_cause.name")}

    def place_panes(self) -> None:
        """Show as many panes as there is room for, the one in use always."""
        layout = self._layout()
        container = self.query_one("#panes")
        for name in ("three", "two", "stacked", "single"):
            container.set_class(name == layout, f"-{name}")
        shown_panes = self._shown_panes(layout)
        for pane in (self.retrieved, self.other, self.gold):
            pane.display = pane in shown_panes
            pane.set_class(pane is self.pane, "-used")

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)

    def _headline(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        left, right = headline(self.session, self._table, width, is_blind=self.is_blind)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _heading(self, width: int, height: int) -> list[Fact]:
        evidence = self.evidence
        is_marked = self.query_id in self.session.marks
        done = self.sitting.done_of(self.order)
        rows = heading(evidence, self.position, len(self.order), width, marked=is_marked, done=done)
        notes = note_lines(self.sitting, self.query_id)[:NOTES]
        if self.is_blind:
            return [*(spread(row, width) for row in (*rows, hidden_row())), *notes]
        lines = [spread(row, width) for row in (*rows, numbers(evidence, self._table, width))]
        return [*lines, *judges(self.query_id, self._table, width), *notes]

    def _cause(self, _: int, lines: int) -> list[Row]:
        return [] if self.is_blind else cause_rows(self.sitting, self.query_id, lines)

    def _show(self, *, starts_anew: bool) -> None:
        session = self.session
        self.evidence = self._evidence_of(session.run or "")
        table = self._table
        if table is None or not self._is_of(table, session.run):
            self._table = None
            self._compute()
        for pane, content in self._contents():
            pane.show(content, None if starts_anew else pane.selected)
        self.sitting.look(self.query_id)
        self.renew_heading()

    def _contents(self) -> Iterator[tuple[CardPane, Pane]]:
        """What the panes show."""
        if self.is_blind:
            yield self.retrieved, blind_pane(self.session.workspace.set, self.evidence)
            return
        yield self.retrieved, retrieved_pane(self.evidence, self.judged)
        yield self.gold, gold_pane(self.evidence, self.judged, self.refusal)
        if self.other_run is not None:
            yield self.other, self._other_pane(self.other_run)

    def _is_of(self, table: QueryTable, run: str | None) -> bool:
        """Whether a table is of a run in the light in which it is looked at."""
        session = self.session
        seen = table.evaluation is session.workspace.set and (table.run.name, table.k) == (run, session.k)
        return seen and (run != session.run or table.stage == session.stage)

    def _other_pane(self, run: str) -> Pane:
        """The list of the other run; verdicts belong to query and text, so it may share them."""
        table = self._other_table
        judged = table.judged if table is not None and self._is_of(table, run) else None
        return retrieved_pane(self._evidence_of(run), None if judged is None else judged.about(self.query_id))

    @property
    def refusal(self) -> Refusal | None:
        """What the threshold of the run does to the query, where that matters and is known."""
        if self.evidence.state != "no-answer":
            return None
        return self.session.refusals.refusal(self.session.run, self.query_id)

    @property
    def judged(self) -> JudgedQuery | None:
        """What judges say of the query; None where nobody has judged, or that is still being read."""
        judged = None if self._table is None else self._table.judged
        return None if judged is None else judged.about(self.query_id)

    def _evidence_of(self, run: str) -> QueryEvidence:
        workspace, stage = self.session.workspace, self.session.stage
        has_stage = stage in workspace.run(run).stages
        return workspace.evidence(run, self.query_id, self.session.k, stage if has_stage else None)

    @work(exclusive=True, group="numbers")
    async def _compute(self) -> None:
        """The figures of the run at this K, which may not have been asked for before."""
        session, footer = self.session, self.query_one(KeyFooter)
        footer.job = t("tui.list.reading", run=shown(session.run or ""))
        try:
            self._table = await asyncio.to_thread(self._measured)
            if self.other_run is not None:
                has_stage = session.stage in session.workspace.run(self.other_run).stages
                self._other_table = await asyncio.to_thread(
                    session.workspace.judged_table,
                    self.other_run,
                    session.k,
                    session.stage if has_stage else None,
                )
        except RagtuiError as error:
            # what was retrieved can be read all the same
            self.notify(shown_lines(str(error)), severity="error", markup=False)
        footer.job = ""
        if self.judged is not None or (self._other_table is not None and self._other_table.judged):
            self._show(starts_anew=False)
        self.renew_heading()
        self.query_one("#head").refresh()

    def _measured(self) -> QueryTable:
        """The figures of the run, and what rules suggest for the query."""
        session = self.session
        table = session.workspace.judged_table(session.run or "", session.k, session.stage)
        self.sitting.read()
        self.sitting.prepare()
        self.sitting.look(self.query_id)
        return table

    def _layout(self) -> Layout:
        width, height = self.size
        if self.is_blind or self.is_zoomed or width < NARROW or height < LOW:
            return "single"
        if width < BESIDE:
            return "stacked"
        return "three" if width >= WIDE and self.other_run is not None else "two"

    def _shown_panes(self, layout: Layout) -> list[CardPane]:
        if layout == "single":
            return [self.pane]
        if layout == "three" or self.other_run is None:
            return self.panes
        # of the two lists the one in use, or that was in use last
        lists = [self.retrieved, self.other]
        used = self.pane if self.pane in lists else next((pane for pane in lists if pane.display), lists[0])
        return [used, self.gold]
