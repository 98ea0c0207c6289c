"""What screen 1 is made of: header, filter, list, preview, and how they follow one another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.message import Message
from textual.widgets import Input

from ragtui.analysis.completion import Completion, complete
from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.analysis.facts import Facts
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.actions import Place
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.palette import Ink, Palette
from ragtui.tui.screens.reviewing_list import ReviewingList
from ragtui.tui.session import Session
from ragtui.tui.state import preview
from ragtui.tui.state.emptiness import nothing_to_list, sentence_of, too_small
from ragtui.tui.state.headline import headline
from ragtui.tui.state.pieces import Fact
from ragtui.tui.state.query_list import QueryList
from ragtui.tui.state.status import hint, status
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.cause_line import CauseLine
from ragtui.tui.widgets.filter_bar import Completions, FilterInput
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines, Rule
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.tui.widgets.tabs import TabLine

if TYPE_CHECKING:
    from ragtui.tui.state.no_answer import Refusal

WIDE = 160
"""Cells from which the preview stands beside the list."""

LOW = 14
"""Lines below which the list has no room for a preview."""

TWO_LINES = 30
"""Lines from which what to try first has room below the cause."""

LEAST_WIDTH, LEAST_HEIGHT = 40, 8
FIELD_LEAST = 20
"""Cells that the filter's field keeps."""

WELCOME = "welcome"

Ends = tuple[Sequence[Painted], Sequence[Painted]]
Wanted = tuple[str, str, int, str | None]


class QueryBoard(ReviewingList[None]):
    """The list of queries with filter and preview; what keys do is told by its subclass."""

    place: ClassVar[Place] = "queries"

    class Prepared(Message):
        """The hashes of the set and the threshold of the run are there."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._is_complete = False
        self._failure: RagtuiError | None = None
        self._unread: RagtuiError | None = None
        self._evidence: QueryEvidence | None = None
        self._wanted: Wanted | None = None
        self._before_typing: str | None = None
        self._completed: tuple[tuple[str, int, Facts], list[Completion]] | None = None

    def compose(self) -> ComposeResult:
        """Header, filter, list and preview, keys."""
        completions = Completions()
        yield Lines(self._too_small, id="small")
        yield Line(self._headline, ground="raised", id="head")
        yield TabLine("queries", self._is_unjudged)
        with Horizontal(id="filter"):
            yield Line(self._prompt, id="prompt")
            yield FilterInput(completions, self._complete)
            yield Line(self._status, id="status")
        yield Line(self._welcome, ground="raised", id="welcome")
        with Horizontal(id="body"):
            with Vertical(id="listing"):
                yield QueryTable()
                yield Lines(self._nothing, id="nothing")
            yield Rule(classes="-down")
            yield Lines(id="beside")
        yield Rule(id="foot-rule")
        yield Lines(id="below")
        yield CauseLine(self.cause_line)
        yield KeyFooter("queries", self.meets)
        yield completions

    def on_mount(self) -> None:
        """Show the list as it was left."""
        self.set_class(self.is_welcoming, "-welcome")
        self.table.focus()
        self.sitting.where = lambda: self.listed.where.text if self.listed is not None else ""
        if self.session.run is None:
            self._show_list()
            self.call_after_refresh(self._prepare)
        else:
            self.reload()

    @property
    def field(self) -> FilterInput:
        return self.query_one(FilterInput)

    # the list

    @work(exclusive=True, group="list")
    async def reload(self) -> None:
        """Take run, cut-off, stage and marks of the session anew; computing them may take a while."""
        session = self.session
        self.query_one(KeyFooter).job = t("tui.list.reading", run=session.run)
        try:
            if self.listed is None and (facts := await asyncio.to_thread(session.facts_at_once)) is not None:
                await self._show_at_once(facts)
            facts = await asyncio.to_thread(session.facts)
        except RagtuiError as error:
            self._stay(error)
        else:
            if not self.query(KeyFooter):  # the person has quit meanwhile
                return
            self._take(facts)
            self.call_after_refresh(self._prepare)
            self._say_unread()
        self.query_one(KeyFooter).job = ""

    async def _show_at_once(self, facts: Facts) -> None:
        """Draw the list before its verdicts are read, unless filter or order ask for them."""
        listed = self._as_left(facts)
        if not listed.lacks_facts:
            self._show_as_left(listed)
            is_drawn = asyncio.Event()
            if self.call_after_refresh(is_drawn.set):
                await is_drawn.wait()

    def verdicts_came(self) -> None:
        """Show them, at once or when this screen is seen again."""
        if self.is_current:
            self.reload()

    def _is_unjudged(self) -> bool:
        """Whether no judge has said anything of this run, as far as that is known."""
        return self._is_complete and self.listed is not None and self.listed.facts.table.judged is None

    def _prepare(self) -> None:
        """Make what would be waited for later; in a thread that nobody waits for who quits meanwhile."""
        Thread(target=self._make_ready, daemon=True).start()

    def _make_ready(self) -> None:
        if self.listed is not None:
            self.listed.facts.table.prepare_search()
        evaluation = self.session.workspace.set
        at_hand = evaluation.hashes_at_hand
        is_new = evaluation.hashes is not at_hand
        if self.session.refusals.prepare(self.session.run) or is_new:
            with suppress(RuntimeError):  # the person has quit
                self.post_message(self.Prepared())

    def on_query_board_prepared(self, message: Prepared) -> None:
        """Show the hash of the corpus, and what the threshold does to the selected query."""
        self.query_one("#head").refresh()
        self._show_evidence(self._evidence)

    def _say_unread(self) -> None:
        """Say once why verdicts that are there are not shown."""
        error = self.session.workspace.verdicts_error
        if error is not None and error is not self._unread:
            self._unread = error
            self.notify(shown_lines(str(error)), severity="warning", markup=False)

    def _stay(self, error: RagtuiError) -> None:
        """Say why something cannot be shown, and go on showing what was shown."""
        self._failure = error
        if self.listed is None:
            self._show_list()
        else:
            table = self.listed.facts.table
            self.session.run, self.session.k, self.session.stage = table.run.name, table.k, table.stage
            self.notify(shown_lines(str(error)), severity="error", markup=False)

    def _take(self, facts: Facts) -> None:
        selected, metric = self.selected, self.session.metric
        if self.listed is None:
            self._show_as_left(self._as_left(facts))
        elif self._is_complete:
            self.show(self.listed.seen_anew(facts, metric), selected)
        else:  # nothing has ceased to match, for nothing was decided yet
            anew = replace(self.listed, facts=facts, metric=metric)
            self.show(self._filtered(anew, self.field.value), selected)
        self._is_complete = True

    def _as_left(self, facts: Facts) -> QueryList:
        return QueryList.as_left(facts, self.session.metric, self.session.view, self.cause_of)

    def _show_as_left(self, listed: QueryList) -> None:
        with self.prevent(Input.Changed):
            self.field.value = self.session.view.filter
        self.show(listed, self.session.view.selected)

    def show(self, listed: QueryList, selected: str | None) -> None:
        """Show another list, with the cursor on `selected` where it is in it, else on the first row."""
        self.listed = listed
        self._show_list(listed.position_of(selected) or 0)

    def _show_list(self, cursor: int = 0) -> None:
        listed = self.listed
        is_empty = listed is None or not len(listed)
        self.set_class(is_empty, "-empty")
        self.set_class(self.session.run is None, "-no-run")
        if listed is not None and not is_empty:
            self.table.show(listed.columns, listed, cursor)
        self.field.error = listed.error if listed is not None else None
        self.field.placeholder = hint(listed)
        self.query_one("#nothing", Lines).show(self._nothing)
        self.query_one("#head").refresh()
        self.query_one("#tabs").refresh()
        self.query_one("#status").refresh(layout=True)
        self.query_one(KeyFooter).refresh()
        self._preview()
        self.call_after_refresh(self.suggest)

    def on_query_table_moved(self, message: QueryTable.Moved) -> None:
        """Preview the query under the cursor."""
        self._preview()

    # the filter

    def on_input_changed(self, message: Input.Changed) -> None:
        """Filter as it is typed."""
        if self.listed is None:
            return
        # of what a half-written filter left out the place is not lost
        wanted = self._before_typing if self.field.has_focus else self.selected
        self.show(self._filtered(self.listed, message.value), wanted or self.selected)
        self.field.suggest()

    def _filtered(self, listed: QueryList, text: str) -> QueryList:
        """The list under a filter; a last word that can still be completed does not wipe it."""
        before, blank, word = text.rpartition(" ")
        is_typed = self.field.has_focus and self.field.cursor_position == len(text)
        completions = self._complete(text, len(text)) if is_typed and word else []
        if any(one.count is None and one.insert.startswith(text[one.start :]) for one in completions):
            # it may yet become the name of a field, and is no search
            return listed.filtered(before + blank)
        found = listed.filtered(text)
        return listed.filtered(before + blank) if completions and not len(found) else found

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus."""
        self._show_focus()

    def on_descendant_blur(self) -> None:
        """Show the keys of what has the focus."""
        self._show_focus()

    def _show_focus(self) -> None:
        self._before_typing = self.selected
        self.query_one(KeyFooter).place = "filter" if self.field.has_focus else "queries"
        self.query_one("#prompt").refresh()
        self.query_one("#status").refresh(layout=True)

    def on_filter_input_left(self, message: FilterInput.Left) -> None:
        """Give the keys back to the list."""
        self.table.focus()

    def on_completions_clicked(self, message: Completions.Clicked) -> None:
        """Put in the completion that was clicked."""
        self.field.put(message.completion)

    def _complete(self, text: str, cursor: int) -> list[Completion]:
        """Completions, which the filter and its field ask for in turn at every key."""
        if self.listed is None:
            return []
        asked = (text, cursor, self.listed.facts)
        if self._completed is None or self._completed[0] != asked:
            self._completed = asked, complete(*asked)
        return self._completed[1]

    def remember(self) -> None:
        """Keep filter and place for the next visit."""
        if self.listed is not None:
            self.session.remember(filter=self.listed.where.text, selected=self.selected)

    # the preview

    def _preview(self) -> None:
        """Fetch what there is to say of the selected query; of wishes meanwhile only the latest is kept."""
        selected, session = self.selected, self.session
        is_idle = self._wanted is None
        if selected is None or session.run is None:
            self._wanted = None
            self._show_evidence(None)
            return
        self._wanted = (session.run, selected, session.k, session.stage)
        if is_idle:
            self._fetch()

    @work(group="preview")
    async def _fetch(self) -> None:
        while (wanted := self._wanted) is not None:
            evidence = await asyncio.to_thread(self.session.workspace.evidence, *wanted)
            if self._wanted == wanted:
                self._wanted = None
                self._show_evidence(evidence)

    def _show_evidence(self, evidence: QueryEvidence | None) -> None:
        self._evidence = evidence
        for place, drawn in (("#below", self._below), ("#beside", self._beside)):
            for lines in self.query(place).results(Lines):  # none when the person has quit meanwhile
                lines.show(drawn)
        for line in self.query(CauseLine):
            line.refresh()

    def _below(self, width: int, height: int) -> list[Fact]:
        return (
            preview.below(self._evidence, width, height, self._refusal) if self._evidence is not None else []
        )

    def _beside(self, width: int, height: int) -> list[Fact]:
        if self._evidence is None:
            return []
        table = self.listed.facts.table if self.listed is not None else None
        return preview.beside(self._evidence, width, height, table, self._refusal)

    @property
    def _refusal(self) -> Refusal | None:
        """What the threshold of the run does to the selected query, where that matters and is known."""
        evidence = self._evidence
        if evidence is None or evidence.state != "no-answer":
            return None
        return self.session.refusals.refusal(evidence.run, evidence.query_id)

    # lines

    def _headline(self, palette: Palette, width: int) -> Ends:
        table = self.listed.facts.table if self.listed is not None else None
        left, right = headline(self.session, table, width)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _prompt(self, palette: Palette, width: int) -> Ends:
        is_used = self.field.has_focus or bool(self.field.value)
        ink: Ink = "accent" if is_used else "dim"
        return [(" / ", palette.style(ink, bold=is_used))], []

    def _status(self, palette: Palette, width: int) -> Ends:
        if self.listed is None:
            return [], []
        room = self.size.width - FIELD_LEAST
        error = self.listed.error
        if error is not None and not self.field.has_focus:
            says = cells.crop(shown(f"{error.message} {error.mend} "), room)
            return [(says, palette.style("miss"))], []
        return paint(status(self.listed, room), palette), []

    def _nothing(self, width: int, height: int) -> list[Fact]:
        if self.listed is None and self._failure is not None:
            return sentence_of(self._failure, width)
        if self.listed is None and self.session.run is not None:
            return []
        return nothing_to_list(self.session.workspace, self.listed, width)

    def _welcome(self, palette: Palette, width: int) -> Ends:
        style = palette.style("text", "raised")
        return [(f" {t('tui.welcome')}", style)], [
            (f"{t('tui.welcome-dismiss')} ", palette.style("dim", "raised"))
        ]

    @property
    def is_welcoming(self) -> bool:
        """Whether the line for people who are here for the first time is shown."""
        return WELCOME not in self.session.view.dismissed

    def dismiss_welcome(self) -> None:
        """Take the first line away for good."""
        self.session.remember(dismissed=(*self.session.view.dismissed, WELCOME))
        self.remove_class("-welcome")

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)

    def on_resize(self, event: Resize) -> None:
        """Choose what there is room for."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.set_class(height < LOW, "-low")
        self.set_class(width >= WIDE, "-wide")
        self.query_one(CauseLine).set_class(height >= TWO_LINES, "-two")
        self.query_one("#below").styles.height = max(2, min(7, height // 6))
