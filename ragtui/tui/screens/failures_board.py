"""What screen 6 is made of: causes with their counts, the queries of one, what is known of one query."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.events import Resize

from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.analysis.facts import Facts
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.review.events import Event
from ragtui.review.guarded import Guarded
from ragtui.tui.actions import Need, Place
from ragtui.tui.latest import Latest
from ragtui.tui.palette import Palette
from ragtui.tui.screens.query_board import LEAST_HEIGHT, LEAST_WIDTH, TWO_LINES
from ragtui.tui.screens.reviewing_list import LOOKED_AT_ONCE, ReviewingList
from ragtui.tui.session import Session
from ragtui.tui.state import preview
from ragtui.tui.state.emptiness import nothing_to_list, sentence_of, too_small
from ragtui.tui.state.failures import (
    UNTAGGED,
    USUAL_SLICE,
    Counted,
    Failures,
    Group,
    GroupRows,
    MemberRows,
    drawn_ids,
    group_columns,
    group_title,
    listed_members,
    member_cell,
    member_columns,
    slice_lines,
)
from ragtui.tui.state.failures_order import in_order
from ragtui.tui.state.headline import headline
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.query_list import QueryList, Sort
from ragtui.tui.state.review import Progress
from ragtui.tui.state.review_words import progress_lines
from ragtui.tui.state.rows import Cell
from ragtui.tui.state.status import order_text
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.cause_line import CauseLine
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines, Rule
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.tui.widgets.tabs import TabLine
from ragtui.workspace.review_failures import guarded_queries

Part = Literal["causes", "queries"]
Ends = tuple[Sequence[Painted], Sequence[Painted]]

BESIDE = 100
"""Cells from which the queries stand beside the causes."""

LOW = 20
"""Lines below which nothing is said of the selected query."""


class FailuresBoard(ReviewingList[None]):
    """Causes and their queries; what keys do is told by its subclass.

    Args:
        session: run, stage and cut-off.
    """

    place: ClassVar[Place] = "failures"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.used: Part = "causes"
        self.group: Group = UNTAGGED
        self.sample: int | None = None
        self.sort = Sort()
        self.slice_key = USUAL_SLICE
        self.failures: Failures | None = None
        self.counted: tuple[Counted, ...] = ()
        self.facts: Facts | None = None
        self._guarded: Mapping[str, Guarded] = {}
        self._disputed: Mapping[str, str] = {}
        self._failure: RagtuiError | None = None
        self._evidence: QueryEvidence | None = None
        self._evidences = Latest(self, self._find_evidence, self._take_evidence)
        self._progress: Progress | None = None
        self._progresses = Latest(self, self._find_progress, self._take_progress)

    def compose(self) -> ComposeResult:
        """Set and run, screens, causes with their slices, the queries of one, what is known of one, keys."""
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield TabLine("failures")
        with Container(id="failures"):
            with Vertical(id="left"):
                yield QueryTable(id="causes")
                yield Lines(self._slices, id="slices")
                yield Lines(self._progress_lines, id="progress")
            yield Rule(classes="-down")
            with Vertical(id="right"):
                yield Line(self._title, id="members-title")
                yield QueryTable(id="members")
                yield Lines(self._nothing, id="nothing")
                yield Rule(id="foot-rule")
                yield Lines(self._below, id="below")
        yield CauseLine(self.cause_line)
        yield KeyFooter("failures", self.meets)

    def on_mount(self) -> None:
        """Show what fails."""
        self.use("causes")
        self.see_anew()

    @property
    def table(self) -> QueryTable:
        """The queries of the group."""
        return self.query_one("#members", QueryTable)

    @property
    def cause_table(self) -> QueryTable:
        """The groups."""
        return self.query_one("#causes", QueryTable)

    @property
    def used_table(self) -> QueryTable:
        """The one that keys move in."""
        return self.cause_table if self.used == "causes" else self.table

    @property
    def targets(self) -> tuple[str, ...]:
        """The queries of the group that are marked, else the one under the cursor."""
        marked = tuple(query_id for query_id in self.ids() if query_id in self.session.marks)
        return marked or super().targets

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need == "goes":
            return self.has_rows
        return super().meets(need)

    # what fails

    def see_anew(self) -> None:
        """Take run, cut-off, stage and gold of the session anew."""
        if self.session.run is None:
            self._show_nothing()
        else:
            self.read()

    @work(exclusive=True, group="failures")
    async def read(self) -> None:
        """Find out what fails and how guarded queries stand."""
        footer, session = self.query_one(KeyFooter), self.session
        footer.job = t("tui.list.reading", run=session.run)
        try:
            facts = await asyncio.to_thread(session.facts)
            guarded = await asyncio.to_thread(self._stand)
            disputed = await asyncio.to_thread(self.sitting.undecided)
        except RagtuiError as error:
            self._failure = error
            self._show_nothing()
        else:
            if not self.is_attached:  # the person has quit meanwhile
                return
            before, selected = self.facts, self.selected
            self.facts, self._guarded, self._disputed, self._failure = facts, guarded, disputed, None
            self.count()
            # what was decided in the detail moves no row here
            if self.listed is not None and before is not None and before.table is facts.table:
                self.show(replace(self.listed, facts=facts), selected)
            else:
                self.show_group(selected)
            self.measure()
        footer.job = ""

    def _stand(self) -> Mapping[str, Guarded]:
        session = self.session
        return (
            {}
            if not session.sitting.is_read
            else guarded_queries(session.workspace, session.k, session.stage)
        )

    def count(self) -> None:
        """Count anew; the cursor stays on its group."""
        if self.facts is None:
            return
        table, metric = self.facts.table, self.session.metric
        self.failures = Failures.of(self.sitting, table, metric, self._guarded, self._disputed)
        self.counted = self.failures.counted()
        groups = [one.group for one in self.counted]
        at = groups.index(self.group) if self.group in groups else 0
        if self.group not in groups:
            self.group = groups[0]
        self.cause_table.show(group_columns(), GroupRows(self.counted, self.sitting), at)
        self.query_one("#members-title").refresh()
        self.query_one("#slices", Lines).show(self._slices)

    def _find_progress(self, _: int) -> Progress:
        return self.sitting.progress()

    def _take_progress(self, _: int, found: Progress | RagtuiError) -> None:
        self._progress = found if isinstance(found, Progress) else None
        self.query_one("#progress", Lines).show(self._progress_lines)

    def _progress_lines(self, width: int, _: int) -> list[Fact]:
        return [] if self._progress is None else progress_lines(self._progress, width)

    def show_group(self, selected: str | None = None) -> None:
        """Show the queries of the group, as they are in it now."""
        if self.facts is None or self.failures is None:
            return
        ids = drawn_ids(self.failures.members(self.group), self.sample)
        ids = in_order(ids, self.sort, self.facts.table, self.sitting)
        listed = listed_members(self.facts, self.session.metric, ids, self._cell)
        self.show(replace(listed, sort=self.sort), selected)

    def show(self, listed: QueryList, selected: str | None) -> None:
        """Show queries, with the cursor on one of them."""
        self.listed = listed
        self.set_class(not len(listed), "-empty")
        columns = member_columns(listed.columns, self.group)
        cursor = listed.position_of(selected) or 0
        self.table.show(columns, MemberRows(listed, self._is_in_group), cursor)
        self.query_one("#nothing", Lines).show(self._nothing)
        self.query_one("#members-title").refresh()
        self.query_one("#slices", Lines).show(self._slices)
        self.query_one("#head").refresh()
        self.query_one(KeyFooter).refresh()
        self._preview()
        self.call_after_refresh(self.suggest)

    def _show_nothing(self) -> None:
        self.add_class("-empty")
        self.query_one("#nothing", Lines).show(self._nothing)
        self.query_one("#head").refresh()

    def decided(self, events: Sequence[Event]) -> None:
        """Count anew; the queries keep their places, and those that left the group are dim."""
        if self.listed is None:
            return
        if any(event.what.kind == "guard" for event in events):
            self.listed = self.listed if self.group.kind != "guarded" else None
            self.see_anew()
            return
        selected = self.selected
        self.facts = self.session.facts()
        self.count()
        self.show(replace(self.listed, facts=self.facts), selected)
        self.measure()

    def measure(self) -> None:
        """Look anew how far the session is."""
        if self.sitting.is_read:
            self._progresses.want(self.sitting.review.journal.state.revision)

    def _is_in_group(self, query_id: str) -> bool:
        return self.failures is None or self.failures.has(self.group, query_id)

    def _cell(self, query_id: str) -> Cell:
        return member_cell(self.sitting, self.group, self._guarded, query_id)

    # what rules suggest

    def suggest(self) -> None:
        """Let the rules look at the queries in sight, and then at all others that fail."""
        super().suggest()
        if not self._rules.is_busy and self.failures is not None and self.failures.unknown:
            self._rules.want(self.failures.unknown[:LOOKED_AT_ONCE])

    def redraw_causes(self) -> None:
        """Count what the rules have found by now."""
        if self.is_attached:
            self.count()
            super().redraw_causes()

    # the selected query

    def on_query_table_moved(self, message: QueryTable.Moved) -> None:
        """Another group, or another query of it."""
        if message.table is self.table:
            self._preview()
        elif message.position < len(self.counted):
            self.group = self.counted[message.position].group
            self.show_group()

    def _preview(self) -> None:
        selected, session = self.selected, self.session
        if selected is None or session.run is None:
            self._evidences.want(None)
            self._show_evidence(None)
        else:
            self._evidences.want((session.run, selected, session.k, session.stage))

    def _find_evidence(self, wanted: tuple[str, str, int, str | None]) -> QueryEvidence:
        self.sitting.look(wanted[1])
        return self.session.workspace.evidence(*wanted)

    def _take_evidence(self, _: object, found: QueryEvidence | RagtuiError) -> None:
        self._show_evidence(found if isinstance(found, QueryEvidence) else None)

    def _show_evidence(self, evidence: QueryEvidence | None) -> None:
        self._evidence = evidence
        self.query_one("#below", Lines).show(self._below)
        self.query_one(CauseLine).refresh()

    # where

    def use(self, part: Part) -> None:
        """Give a table the keys."""
        self.used = part
        self.cause_table.is_used = part == "causes"
        self.table.is_used = part == "queries"
        self.set_class(part == "queries", "-use-queries")
        self.used_table.focus()
        words = {"open": t("tagging.failures.to-queries")} if part == "causes" else {}
        self.query_one(KeyFooter).words = words
        self.query_one("#members-title").refresh()

    def on_resize(self, event: Resize) -> None:
        """Choose what there is room for."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.set_class(width < BESIDE, "-stacked")
        self.set_class(height < LOW or (width < BESIDE and height < TWO_LINES), "-low")
        self.query_one("#below").styles.height = max(2, min(7, height // 6))
        self.query_one(CauseLine).set_class(height >= TWO_LINES, "-two")

    # lines

    def _headline(self, palette: Palette, width: int) -> Ends:
        table = self.facts.table if self.facts is not None else None
        left, right = headline(self.session, table, width)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _title(self, palette: Palette, _: int) -> Ends:
        if self.listed is None:
            return [], []
        left = [Piece(f" {group_title(self.group, self.sitting)}", bold=self.used == "queries")]
        left.append(Piece(f"   {t('tui.head.queries', n=len(self.listed))}", "dim"))
        left_out = sum(not self._is_in_group(query_id) for query_id in self.ids())
        if left_out:
            left.append(Piece(f", {t('tagging.failures.done', n=left_out)}"))
        if self.sample is not None and self.failures is not None:
            of = len(self.failures.members(self.group))
            left.append(Piece(f"   {t('tagging.failures.sample', n=self.sample, of=of)}", "accent"))
        if self.sort != Sort():
            left.append(Piece(f"   {order_text(self.listed)}", "dim"))
        marked = sum(query_id in self.session.marks for query_id in self.ids())
        right = [Piece(f"{t('tagging.failures.marked', n=marked)} ", "accent")] if marked else []
        return paint(left, palette), paint(right, palette)

    def _slices(self, width: int, height: int) -> list[Fact]:
        if self.facts is None or self.listed is None or not len(self.listed):
            return []
        return [(), *slice_lines(self.facts.table, self.slice_key, self.ids(), width, height - 1)]

    def _nothing(self, width: int, _: int) -> list[Fact]:
        if self._failure is not None:
            return sentence_of(self._failure, width)
        if not self.session.workspace.runs:
            return nothing_to_list(self.session.workspace, None, width)
        if self.failures is None:
            return []
        all_pass = not self.failures.ids and self.group.kind in ("untagged", "cause")
        kind = "all-pass" if all_pass else self.group.kind
        said = t(f"tagging.failures.nothing-{kind}", k=self.session.k)
        return [(), (Piece(said, "dim"),)]

    def _below(self, width: int, height: int) -> list[Fact]:
        return preview.below(self._evidence, width, height) if self._evidence is not None else []

    def _too_small(self, width: int, _: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)
