"""What screen 5 is made of: judges, plan or progress, what needs a person, the card; how they follow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.actions import Need, Place
from ragtui.tui.desk_facts import Aim, Line, Prepared, Standing
from ragtui.tui.latest import Latest
from ragtui.tui.palette import Palette
from ragtui.tui.screens.asking import Asking
from ragtui.tui.screens.query_board import LEAST_HEIGHT, LEAST_WIDTH
from ragtui.tui.session import Session
from ragtui.tui.state.dispute_rows import DisputeRows, dispute_columns, dispute_lines
from ragtui.tui.state.emptiness import sentence_of, too_small
from ragtui.tui.state.headline import headline
from ragtui.tui.state.judge_card import card_facts
from ragtui.tui.state.judge_rows import JudgeRows, judge_columns
from ragtui.tui.state.judging_panel import Panel
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.strips import Painted, paint
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line as OneLine
from ragtui.tui.widgets.lines import Lines, Rule
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.tui.widgets.tabs import TabLine

Part = Literal["judges", "disputes", "card"]
PARTS: tuple[Part, ...] = ("judges", "disputes", "card")

BESIDE = 100
"""Cells from which the card stands beside the judges."""

LOW = 30
"""Lines below which nothing is said of the selected verdict."""

Ends = tuple[Sequence[Painted], Sequence[Painted]]
Wanted = tuple[Line, Aim]


class JudgesBoard(Asking[None]):
    """Judges and what they say; what keys do is told by its subclass.

    Args:
        session: run, stage and cut-off, and the desk.
        listed: ids of the queries of the list under its filter; None where there is no filter.
        over_outcome: that filter asks for an outcome.
    """

    place: ClassVar[Place] = "judges"

    def __init__(
        self, session: Session, listed: tuple[str, ...] | None = None, *, over_outcome: bool = False
    ) -> None:
        super().__init__()
        self.session = session
        self.desk = session.desk
        self.listed = listed
        self.over_outcome = over_outcome
        self.lines: Sequence[Line] = ()
        self.rows = JudgeRows(())
        self.disputes: DisputeRows | None = None
        self.standing: Standing | None = None
        self.prepared: tuple[Wanted, Prepared | RagtuiError] | None = None
        self.used: Part = "judges"
        self.is_zoomed = False
        self._failure: RagtuiError | None = None
        self._standings = Latest(self, lambda wanted: self.desk.standing(*wanted), self._take_standing)
        self._plans = Latest(self, lambda wanted: self.desk.prepare(*wanted), self._take_plan)

    def compose(self) -> ComposeResult:
        """Set and run, screens, judges with plan and disputes below, the card beside, keys."""
        yield Lines(self._too_small, id="small")
        yield OneLine(self._headline, ground="raised", id="head")
        yield TabLine("judges")
        with Container(id="judging"):
            with Vertical(id="left"):
                with Vertical(id="top"):
                    yield QueryTable(id="judges")
                    yield Lines(self._plan_lines, id="plan")
                with Vertical(id="differ"):
                    yield OneLine(self._disputes_title, id="disputes-title")
                    yield QueryTable(id="disputes")
                    yield Lines(self._no_disputes, id="none")
                    yield Rule(id="said-rule")
                    yield Lines(self._said, id="said")
            yield Rule(classes="-down")
            with Vertical(id="right"):
                yield OneLine(self._card_title, id="card-title")
                with VerticalScroll(id="card-scroll", can_focus=False):
                    yield Lines(self._card_lines, id="card")
        yield KeyFooter("judges", self.meets)

    def on_mount(self) -> None:
        """Show the judge that was chosen."""
        self.use("judges")
        self._show_disputes()
        self.read_lines()

    @property
    def judge_table(self) -> QueryTable:
        return self.query_one("#judges", QueryTable)

    @property
    def dispute_table(self) -> QueryTable:
        return self.query_one("#disputes", QueryTable)

    @property
    def line(self) -> Line | None:
        """The judge under the cursor."""
        return self.lines[self.judge_table.cursor] if self.lines else None

    @property
    def aim(self) -> Aim | None:
        """What would be judged."""
        if self.desk.is_filtered and self.listed is not None:
            return self.desk.aim(self.listed, over_outcome=self.over_outcome)
        return self.desk.aim()

    @property
    def has_rows(self) -> bool:
        """Whether a verdict is listed."""
        return self.disputes is not None and len(self.disputes) > 0

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need in {"job", "idle"}:
            return self.desk.is_busy == (need == "job")
        if need == "failed":
            return not self.desk.is_busy and self.disputes is not None and self.disputes.failed > 0
        if need == "filter":
            return self.listed is not None
        if need == "goes":
            return self.used == "disputes" or (self.used == "judges" and self.meets("judge"))
        if need == "judge":
            return self.line is not None and self.line.can_ask and not self.desk.is_busy
        return super().meets(need)

    # what is known

    @work(exclusive=True, group="judges")
    async def read_lines(self) -> None:
        """The judges there are, with their cards."""
        before = self.line
        failure = None
        try:
            lines = await asyncio.to_thread(self.desk.lines)
        except RagtuiError as error:
            failure = error
        if self._is_gone:
            return
        if failure is not None:
            self._failure = failure
            self.query_one("#plan", Lines).show(self._plan_lines)
            return
        self.lines = lines
        wanted = (before.judge.name, before.model) if before is not None else None
        self.rows = JudgeRows(self.lines)
        self.judge_table.show(judge_columns(self.lines), self.rows, self._place_of(wanted))
        self.survey()

    def _place_of(self, wanted: tuple[str, str | None] | None) -> int:
        names = [(line.judge.name, line.model) for line in self.lines]
        if wanted in names:
            return names.index(wanted)
        of_judge = [at for at, (name, _) in enumerate(names) if name == (wanted or (self.desk.judge,))[0]]
        return of_judge[0] if of_judge else 0

    def survey(self) -> None:
        """Find out what there is to say of the judge under the cursor, and what asking it would take."""
        line, aim = self.line, self.aim
        if line is None or aim is None:
            self.show_all()
            return
        if self.standing is not None and self.standing.line.judge is not line.judge:
            self.standing, self.disputes = None, None
            self._show_disputes()
        self.prepared = None
        wanted = (line, aim) if line.can_ask else None
        self._standings.want(wanted)
        # while judging is under way its progress stands where the plan would, and every plan reads all texts
        plans = wanted is not None and not self.desk.has_to_load(line) and not self.desk.is_busy
        self._plans.want(wanted if plans else None)
        self.show_all()

    @property
    def _is_gone(self) -> bool:
        """Whether the person has left this screen while something was found out for it."""
        return not self.query(KeyFooter)

    def _take_standing(self, wanted: Wanted, found: Standing | RagtuiError) -> None:
        if self._is_gone:
            return
        self._failure = found if isinstance(found, RagtuiError) else None
        self.standing = None if isinstance(found, RagtuiError) else found
        self.disputes = None if self.standing is None else DisputeRows(self.standing.disputes)
        self._show_disputes()
        self.show_all()

    def _take_plan(self, wanted: Wanted, found: Prepared | RagtuiError) -> None:
        if self._is_gone:
            return
        self.prepared = wanted, found
        self.show_all()

    def _show_disputes(self) -> None:
        rows = self.disputes
        self.set_class(rows is None or not len(rows), "-none")
        if rows is not None:
            self.dispute_table.show(dispute_columns(), rows, self.dispute_table.cursor)
        elif self.used == "disputes":
            self.use("judges")

    def show_all(self) -> None:
        """Draw everything that follows from what is known."""
        for name, drawn in (
            ("#plan", self._plan_lines),
            ("#card", self._card_lines),
            ("#none", self._no_disputes),
            ("#said", self._said),
        ):
            self.query_one(name, Lines).show(drawn)
        self.query_one("#disputes-title").refresh()
        self.query_one("#head").refresh()
        self.query_one(KeyFooter).refresh()

    def judging_moved(self) -> None:
        """Draw how far judging has come."""
        self.query_one("#plan", Lines).show(self._plan_lines)
        self.query_one(KeyFooter).refresh()

    def verdicts_came(self) -> None:
        """Verdicts or cards were written."""
        self.read_lines()

    def see_anew(self) -> None:
        """Another run, stage or cut-off."""
        self.survey()

    def on_query_table_moved(self, message: QueryTable.Moved) -> None:
        """Another judge, or another verdict."""
        if message.table is self.judge_table:
            if self.line is not None:
                self.desk.choose(self.line)
            self.query_one("#card-scroll", VerticalScroll).scroll_home(animate=False)
            self.survey()
        else:
            self.query_one("#said", Lines).show(self._said)

    # where

    def use(self, part: Part) -> None:
        """Give a part the keys."""
        self.used = part
        self.judge_table.is_used = part == "judges"
        self.dispute_table.is_used = part == "disputes"
        for name in PARTS:
            self.set_class(name == part, f"-use-{name}")
        self.query_one(KeyFooter).words = {"start": t("tui.action.open.name")} if part == "disputes" else {}
        self.query_one("#disputes-title").refresh()
        self.query_one("#card-title").refresh()
        self.query_one(KeyFooter).refresh()

    def on_resize(self, event: Resize) -> None:
        """Choose what there is room for."""
        width, height = event.size
        self.set_class(width < LEAST_WIDTH or height < LEAST_HEIGHT, "-small")
        self.set_class(width < BESIDE, "-stacked")
        self.set_class(height < LOW, "-low")
        self.query_one("#said").styles.height = max(4, min(9, height // 6))
        self.show_all()

    # lines

    def _headline(self, palette: Palette, width: int) -> Ends:
        left, right = headline(self.session, None, width)
        return paint(left, palette, "raised"), paint(right, palette, "raised")

    def _plan_lines(self, width: int, height: int) -> list[Fact]:
        if self._failure is not None:
            return sentence_of(self._failure, width)
        line, aim = self.line, self.aim
        if aim is None:
            return [(Piece(t("judges.notice.no-run")),)]
        if line is None:
            return []
        return Panel(
            line,
            aim,
            [one.judge.name for one in self.lines if one.is_rule],
            self.desk.job,
            self.standing,
            None if self.prepared is None else self.prepared[1],
            has_to_load=self.desk.has_to_load(line),
            is_low=self.has_class("-low"),
        ).facts(width)

    def _disputes_title(self, palette: Palette, width: int) -> Ends:
        rows = self.disputes
        counts = (rows.differ, rows.failed) if rows is not None else ("-", "-")
        said = t("judges.disputes.title", differ=counts[0], failed=counts[1])
        return self._title(said, "disputes", palette, width), []

    def _card_title(self, palette: Palette, width: int) -> Ends:
        return self._title(t("judges.card.title"), "card", palette, width), []

    def _title(self, said: str, part: Part, palette: Palette, width: int) -> list[Painted]:
        from ragtui.tui import cells
        from ragtui.tui.glyphs import glyphs

        is_used = self.used == part
        rule = glyphs().rule * max(0, width - cells.width(said) - 2)
        style = palette.style("text" if is_used else "dim", bold=is_used)
        return [(f" {said} ", style), (rule, palette.style("rule"))]

    def _card_lines(self, width: int, height: int) -> list[Fact]:
        line = self.line
        if line is None:
            return []
        return card_facts(line, self.standing, self.session.workspace, width)

    def _no_disputes(self, width: int, height: int) -> list[Fact]:
        line, standing = self.line, self.standing
        if line is None or standing is None:
            return []
        if not any(standing.scores.counts.get(state) for state in ("scored", "partly", "failed")):
            said = t("judges.disputes.none-yet")
        elif standing.gold is None:
            said = t("judges.disputes.gold-silent", unit=t(f"judges.unit.{line.judge.unit}"))
        else:
            said = t("judges.disputes.none")
        return flow([(Piece(said, "dim"),)], width)

    def _said(self, width: int, height: int) -> list[Fact]:
        if self.disputes is None or not len(self.disputes):
            return []
        row = self.disputes.row(min(self.dispute_table.cursor, len(self.disputes) - 1))
        return dispute_lines(self.session.workspace, row, width, height)

    def _too_small(self, width: int, height: int) -> list[Fact]:
        return too_small(self.size.width, self.size.height, width)
