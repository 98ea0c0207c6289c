"""The detail of one query: what was retrieved beside what was needed, missed evidence first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.events import Resize
from textual.screen import Screen

from ragtui import atomic
from ragtui.analysis.evidence import QueryEvidence
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui.actions import Place
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Palette
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.session import Session
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.copying import card_text, evidence_json
from ragtui.tui.state.detail_head import heading, numbers
from ragtui.tui.state.emptiness import too_small
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.gold import gold_pane
from ragtui.tui.state.headline import headline
from ragtui.tui.state.pieces import Fact, spread
from ragtui.tui.state.query_choices import stage_choices
from ragtui.tui.state.retrieved import retrieved_pane
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.cards import CardPane
from ragtui.tui.widgets.detail_text import CardDialog
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines

Layout = Literal["three", "two", "stacked", "single"]

WIDE, BESIDE = 160, 100
"""Cells from which three panes, and two, stand side by side."""

NARROW, LOW = 60, 16
"""Cells and lines below which there is room for one pane."""

LEAST_WIDTH, LEAST_HEIGHT = 40, 8
"""Cells and lines below which cards cannot be read."""

_NO_RUN = ""


class DetailScreen(Screen[int]):
    """One query of a list after another. Closed, it gives the position in the list that was looked at last.

    Args:
        session: run, stage and cut-off, which may be changed here as well.
        order: ids of the queries, in the order of the list they were opened from. It stays as it is.
        position: which of them to show first.
    """

    place: ClassVar[Place] = "detail"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("detail")]

    def __init__(self, session: Session, order: Sequence[str], position: int) -> None:
        super().__init__()
        self.session = session
        self.order = tuple(order)
        self.position = position
        self.other_run: str | None = None
        self._table: QueryTable | None = None
        self._is_zoomed = False
        self._retrieved = CardPane(id="retrieved")
        self._other = CardPane(id="other")
        self._gold = CardPane(id="gold")
        self.pane = self._gold
        self._head = Lines(self._heading, id="detail-head")

    @property
    def query_id(self) -> str:
        """The query that is shown."""
        return self.order[self.position]

    @property
    def panes(self) -> list[CardPane]:
        """Panes in the order of tab; that of the other run only where one was chosen."""
        return [self._retrieved, *([self._other] if self.other_run is not None else []), self._gold]

    def compose(self) -> ComposeResult:
        """Set and run, the query, panes below it, keys at the foot."""
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield self._head
        with Container(id="panes"):
            yield self._retrieved
            yield self._other
            yield self._gold
        yield KeyFooter("detail")

    def on_mount(self) -> None:
        """Show the query, with the first missed gold selected."""
        self._show_query()

    def on_resize(self, event: Resize) -> None:
        """Another arrangement of the panes."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self._arrange()
        self._head.show(self._heading)

    def action_next(self) -> None:
        """The next query of the list."""
        self._go(1, t("detail.no-further-query"))

    def action_previous(self) -> None:
        """The query before it."""
        self._go(-1, t("detail.no-earlier-query"))

    def action_down(self) -> None:
        """The next card."""
        self.pane.move(1)

    def action_up(self) -> None:
        """The card before it."""
        self.pane.move(-1)

    def action_top(self) -> None:
        """The first card."""
        self.pane.move(-len(self.pane.pane.cards))

    def action_bottom(self) -> None:
        """The last card."""
        self.pane.move(len(self.pane.pane.cards))

    def action_half_down(self) -> None:
        """Half a page on."""
        self.pane.move_lines(self.pane.room // 2)

    def action_half_up(self) -> None:
        """Half a page back."""
        self.pane.move_lines(-self.pane.room // 2)

    def action_page_down(self) -> None:
        """A page on."""
        self.pane.move_lines(self.pane.room)

    def action_page_up(self) -> None:
        """A page back."""
        self.pane.move_lines(-self.pane.room)

    def action_whole(self) -> None:
        """The whole text of the selected card, over the screen."""
        if self.pane.card is not None:
            self.app.push_screen(CardDialog(self.pane.card))

    def action_other_pane(self) -> None:
        """To the next pane, at the twin of the selected card; from missed gold to rank 1."""
        before = self.pane
        panes = [pane for pane in self.panes if pane.pane.cards or pane is before]
        after = panes[(panes.index(before) + 1) % len(panes)]
        card = before.card
        twin = after.pane.twin_of(card.name) if card is not None else None
        if twin is None and before is self._gold:
            twin = after.pane.start
        after.select(twin)
        self._use(after)

    def action_other_run(self) -> None:
        """Choose a run to see beside this one; none takes it away again."""
        others = [run for run in self.session.workspace.runs if run != self.session.run]
        if not others:
            self.notify(t("tui.notice.no-other-run"))
            return
        none = [Choice(_NO_RUN, t("detail.no-run"), is_dim=True)] if self.other_run is not None else []
        choices = [*(Choice(run, shown(run)) for run in others), *none]
        title = t("detail.choose-run", run=shown(self.session.run or ""))
        self.app.push_screen(ChooseDialog(title, choices, self.other_run), self._take_other_run)

    def action_less_k(self) -> None:
        """A smaller cut-off."""
        self._step_k(-1)

    def action_more_k(self) -> None:
        """A larger cut-off."""
        self._step_k(1)

    def action_previous_run(self) -> None:
        """The run before this one."""
        self._step_run(-1)

    def action_next_run(self) -> None:
        """The next run."""
        self._step_run(1)

    def action_stage(self) -> None:
        """Choose which list of the run is read."""
        if not self.session.stages:
            self.notify(t("tui.notice.no-stages"))
            return
        title = t("tui.stage.title", run=shown(self.session.run or ""))
        dialog = ChooseDialog(title, stage_choices(self.session), self.session.stage or "")
        self.app.push_screen(dialog, self._take_stage)

    def action_mark(self) -> None:
        """Mark the query, or take its mark away."""
        self.session.toggle_mark(self.query_id)
        self._head.show(self._heading)
        if not self.session.save():
            folder = shown(str(self.session.workspace.state_folder))
            self.notify(t("tui.notice.not-saved", folder=folder), severity="warning", markup=False)

    def action_zoom(self) -> None:
        """Give one pane the screen, or take it back."""
        self._is_zoomed = not self._is_zoomed
        self._arrange()

    def action_copy(self) -> None:
        """Copy the text of the selected card as it is in the files."""
        card = self.pane.card
        if card is not None:
            name = t("detail.copied-card", chunk=shown(card.name)) if card.name else t("detail.copied-text")
            self._copied(card_text(card), name)

    def action_copy_json(self) -> None:
        """Copy all that is known of the query."""
        facts = t("detail.copied-facts", query=shown(self.query_id))
        self._copied(evidence_json(self._evidence), facts)

    def action_export(self) -> None:
        """Write all that is known of the query into a file."""
        name = f"{self.session.workspace.set.name}-{self.query_id}"
        path = export_file(Path.cwd(), name, "json", what="detail")
        try:
            atomic.write_text(path, f"{evidence_json(self._evidence)}\n")
        except OSError as error:
            why = shown(error.strerror or str(error))
            said = t("tui.notice.not-exported", path=shown(str(path)), why=why)
            self.notify(said, severity="error", markup=False)
        else:
            self.notify(t("tui.notice.exported", path=shown(str(path))), markup=False)

    def action_back(self) -> None:
        """Back to the list, at this query."""
        self.dismiss(self.position)

    def on_card_pane_selected(self, message: CardPane.Selected) -> None:
        """The pane of the card is in use now."""
        self._use(message.pane)

    def on_card_pane_opened(self, message: CardPane.Opened) -> None:
        """A click on the selected card."""
        self.action_whole()

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)

    def _headline(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        left, right = headline(self.session, self._table, width)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _heading(self, width: int, height: int) -> list[Fact]:
        evidence = self._evidence
        is_marked = self.query_id in self.session.marks
        rows = heading(evidence, self.position, len(self.order), width, marked=is_marked)
        return [spread(row, width) for row in (*rows, numbers(evidence, self._table, width))]

    def _show_query(self) -> None:
        """Read the evidence anew and start at the first missed gold, or else at rank 1."""
        self._read()
        self._retrieved.show(retrieved_pane(self._evidence))
        self._gold.show(gold_pane(self._evidence))
        if self.other_run is not None:
            self._other.show(retrieved_pane(self._evidence_of(self.other_run)))
        self._use(self._gold if self._gold.pane.start is not None else self._retrieved)

    def _read(self) -> None:
        self._evidence = self._evidence_of(self.session.run or "")
        self._table = None
        self._head.show(self._heading)
        self._compute()

    def _evidence_of(self, run: str) -> QueryEvidence:
        return self.session.workspace.evidence(run, self.query_id, self.session.k, self.session.stage)

    @work(exclusive=True, group="numbers")
    async def _compute(self) -> None:
        """The figures of the run at this K, which may not have been asked for before."""
        session = self.session
        table = await asyncio.to_thread(session.workspace.table, session.run or "", session.k, session.stage)
        self._table = table
        self._head.show(self._heading)
        self.query_one("#head").refresh()

    def _go(self, by: int, at_the_end: str) -> None:
        if 0 <= self.position + by < len(self.order):
            self.position += by
            self._show_query()
        else:
            self.notify(at_the_end)

    def _step_k(self, by: int) -> None:
        if self.session.step_k(by):
            self._show_again()
        else:
            self.notify(t("tui.notice.no-further-k", ks=", ".join(map(str, self.session.ks))))

    def _step_run(self, by: int) -> None:
        if self.session.step_run(by):
            self._show_again()
        else:
            self.notify(t("tui.notice.no-other-run"))

    def _show_again(self) -> None:
        """The same query in another light; selections stay where they can."""
        self._read()
        self._retrieved.show(retrieved_pane(self._evidence), self._retrieved.selected)
        self._gold.show(gold_pane(self._evidence), self._gold.selected)
        if self.other_run == self.session.run:
            self.other_run = None
        if self.other_run is not None:
            self._other.show(retrieved_pane(self._evidence_of(self.other_run)), self._other.selected)
        self._use(self.pane if self.pane in self.panes else self._retrieved)

    def _take_stage(self, stage: str | None) -> None:
        if stage is not None:
            self.session.stage = stage or None
            self._show_again()

    def _copied(self, text: str, what: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(t("tui.notice.copied", what=what), markup=False)

    def _take_other_run(self, run: str | None) -> None:
        if run is None:
            return
        self.other_run = run or None
        if self.other_run is not None:
            self._other.show(retrieved_pane(self._evidence_of(self.other_run)))
        self._use(self.pane if self.pane in self.panes else self._retrieved)

    def _use(self, chosen: CardPane) -> None:
        """Give a pane the keys, and mark in the others the twin of its card."""
        self.pane = chosen
        self._arrange()
        for pane in (self._retrieved, self._other, self._gold):
            pane.use(pane is chosen)
        card = chosen.card
        for pane in self.panes:
            if pane is not chosen:
                pane.mark_twin(pane.pane.twin_of(card.name) if card is not None else None)

    def _arrange(self) -> None:
        """Show as many panes as there is room for, the one in use always."""
        layout = self._layout()
        container = self.query_one("#panes")
        for name in ("three", "two", "stacked", "single"):
            container.set_class(name == layout, f"-{name}")
        shown_panes = self._shown_panes(layout)
        for pane in (self._retrieved, self._other, self._gold):
            pane.display = pane in shown_panes
            pane.set_class(pane is self.pane, "-used")

    def _layout(self) -> Layout:
        width, height = self.size
        if self._is_zoomed or width < NARROW or height < LOW:
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
        lists = [self._retrieved, self._other]
        used = self.pane if self.pane in lists else next((pane for pane in lists if pane.display), lists[0])
        return [used, self._gold]
