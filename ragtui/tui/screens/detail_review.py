"""Deciding in the detail: the cause, the grade of a chunk, a note; blind where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.messages import t
from ragtui.review.events import Event
from ragtui.tui.actions import Need
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.detail_board import DetailBoard
from ragtui.tui.screens.grading import Graded, GradeDialog
from ragtui.tui.screens.noting import NoteDialog
from ragtui.tui.state.figures import grade_text
from ragtui.tui.state.gold import QUERY, REFERENCE
from ragtui.tui.state.review_words import grade_choices, raters_text
from ragtui.tui.widgets.cause_line import CauseLine
from ragtui.tui.widgets.footer import KeyFooter


class DetailReview(DetailBoard):
    """What people decide about the query that is shown."""

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need == "chunk":
            return self.chunk_id is not None
        if need in ("failing", "judge", "runs") and self.is_blind:
            return False
        return super().meets(need)

    @property
    def reviewed(self) -> str | None:
        """The query that is shown."""
        return self.query_id

    @property
    def chunk_id(self) -> str | None:
        """The chunk of the selected card; None where it is no chunk."""
        card = self.pane.card
        if card is None or self.is_on_cause or card.key in (REFERENCE, QUERY):
            return None
        return card.name or None

    def action_accept_cause(self) -> None:
        """Take the suggested cause, and go on."""
        if self._sees():
            super().action_accept_cause()

    def action_tag(self) -> None:
        """Choose the cause, and go on."""
        if self._sees():
            super().action_tag()

    def action_tag_several(self) -> None:
        """Choose several causes and write a note, and go on."""
        if self._sees():
            super().action_tag_several()

    def _sees(self) -> bool:
        """Whether what a cause is about can be seen; else that is said."""
        if self.is_blind:
            self.notify(t("tagging.notice.blind"))
        return not self.is_blind

    def decided(self, events: Sequence[Event]) -> None:
        """Say what was decided."""
        self.renew_heading()

    def go_on(self) -> bool:
        """To the next query of the list whose cause nobody has said; from the last one back to the first."""
        position = self.sitting.next_open(self.order, self.position)
        if position is not None:
            self.position = position
            self.show_query()
        return position is not None

    def go_to(self, query_id: str) -> None:
        """To a query, where it is in the list."""
        if query_id in self.order and query_id != self.query_id:
            self.position = self.order.index(query_id)
            self.show_query()

    # the cause

    def take_suggestion(self) -> None:
        """Accept what is suggested; where nothing is, or may not be shown yet, ask."""
        if self.sitting.has_answered(self.query_id) or self.sitting.hint(self.query_id).state != "shown":
            self.action_tag()
        else:
            self.action_accept_cause()

    def on_cause_line_clicked(self, message: CauseLine.Clicked) -> None:
        """Step onto the cause, or take it."""
        if message.is_used:
            self.take_suggestion()
        elif self.has_cause:
            self.use_cause()

    # a grade

    def action_grade(self) -> None:
        """Correct the grade of the selected chunk."""
        chunk_id = self.chunk_id
        if chunk_id is None:
            self.notify(t("tagging.notice.no-chunk"))
            return
        sitting, query_id = self.sitting, self.query_id
        now, own = sitting.grade_of(query_id, chunk_id), sitting.own_grade(query_id, chunk_id)
        choices = grade_choices(sitting.review.scale, now)
        at = next((n for n, choice in enumerate(choices) if choice.value == str(now)), 0)
        # blind nobody hears what others say
        disputed = None if self.is_blind else sitting.disagreement(query_id, chunk_id)
        is_own = disputed is None or sitting.review.reviewer in disputed.grades
        is_settled = disputed is not None and disputed.decided is not None
        has_settled = is_settled and sitting.has_settled(query_id, chunk_id)
        dialog = GradeDialog(
            t("tagging.grade.title", chunk=shown(chunk_id), query=shown(query_id)),
            choices,
            at,
            guide=sitting.review.guide,
            reason=own.reason if own is not None else "",
            can_take_back=own is not None or has_settled,
            raters=raters_text(disputed) if disputed is not None else "",
            settles=is_settled or not is_own,
        )
        self.app.push_screen(dialog, lambda graded: self._take_grade(chunk_id, graded))

    def _take_grade(self, chunk_id: str, graded: Graded | None) -> None:
        if graded is None:
            return
        query_id, is_blind = self.query_id, self.is_blind
        sitting, grade, reason = self.sitting, graded.grade, graded.reason

        def act() -> tuple[Event, ...]:
            if graded.settles and (grade is not None or sitting.has_settled(query_id, chunk_id)):
                return sitting.settle(query_id, chunk_id, grade, reason)
            return sitting.grade(query_id, chunk_id, grade, reason, blind=is_blind)

        if self.decide(act):
            said = t("tagging.act.no-grade") if grade is None else grade_text(grade)
            key = "settled" if graded.settles and grade is not None else "graded"
            self.notify(
                t(f"tagging.notice.{key}", chunk=shown(chunk_id), grade=said, n=self.sitting.newest_gold),
                markup=False,
            )

    # a note

    def action_note(self) -> None:
        """Write a note on the query."""
        own = self.sitting.notes(self.query_id).get(self.sitting.review.reviewer, "")
        title = t("tagging.note.title", query=shown(self.query_id))
        self.app.push_screen(NoteDialog(title, own), self._take_note)

    def _take_note(self, text: str | None) -> None:
        query_id = self.query_id
        before = self.sitting.notes(query_id).get(self.sitting.review.reviewer, "")
        if text is not None and text.strip() != before:
            self.decide(lambda: self.sitting.note(query_id, text))

    # blind

    def action_blind(self) -> None:
        """Hide judges, runs and order, or show them again."""
        self.is_blind = not self.is_blind
        self.show_query()
        self.query_one("#head").refresh()
        self.query_one(KeyFooter).refresh()
