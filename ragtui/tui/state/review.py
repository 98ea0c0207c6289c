"""What a person decides while looking: causes, what rules suggest, the session that answers belong to.

Knows no Textual. What is decided is on disk when a method returns; see `ragtui.workspace.review`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from ragtui.analysis.causes.model import Suggestion
from ragtui.errors import RagtuiError
from ragtui.review.adjudication import Disputed
from ragtui.review.events import Decision, Event, Grade, Opened
from ragtui.review.sessions import WITHHELD_EVERY, HitRate
from ragtui.review.sessions import Session as ReviewSession
from ragtui.tui.state.review_order import Failing, Order, Rows, order_among, order_of

if TYPE_CHECKING:
    from ragtui.tui.session import Session
    from ragtui.workspace.review import Review

Light = tuple[int, str, int, str | None]
"""What a query is looked at in: version of gold, run, cut-off, stage."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What is known of the suggestion for a query.

    Attributes:
        state: `unknown` nobody has looked yet; `none` there is none; `withheld` it is not shown before the
            reviewer has answered; `shown`.
        suggestion: of the rules.
    """

    state: Literal["unknown", "none", "withheld", "shown"]
    suggestion: Suggestion | None = None


NO_HINT = Hint("none")


@dataclass(frozen=True, slots=True)
class Progress:
    """The session at hand, None before its first answer, and how often rules were right."""

    session: ReviewSession | None
    hit_rate: HitRate


class Sitting:
    """Decisions of one reviewer in the app.

    `read`, `prepare` and `look` may take a while and are called in a thread; all else answers at once.

    Args:
        session: set, run, cut-off.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.listed: Callable[[], Rows] = lambda: np.empty(0, np.int64)
        """The rows of the list that is looked at, in order."""
        self.where: Callable[[], str] = str
        """The filter that chose them."""
        self.error: RagtuiError | None = None
        self.is_read = False
        """Whether the journal was read; before that nothing is known."""
        self._found: dict[Light, dict[str, Suggestion | None]] = {}
        self._failing: tuple[Light, Failing] | None = None
        self._order: Order | None = None
        self._told: set[tuple[Light, str]] = set()
        """Where a suggestion was told after the answer, so that a second answer is not one's own any more."""

    @property
    def review(self) -> Review:
        """The decisions about the set, whatever gold is looked at."""
        return self._session.opened.review

    @property
    def _in_sight(self) -> Review:
        """The same beside the gold that is looked at: what fails, and why, depends on it."""
        return self._session.workspace.review

    @property
    def _light(self) -> Light:
        session = self._session
        return session.workspace.gold_version, session.run or "", session.k, session.stage

    def read(self) -> bool:
        """Read the journal; False where it cannot be read, and `error` says why."""
        try:
            self.review.journal.refresh()  # others may have decided something, too
        except RagtuiError as error:
            self.error, self.is_read = error, False
            return False
        self.error, self.is_read = None, True
        return True

    @property
    def read_only(self) -> str:
        """Why nothing can be decided, for people; `""` where it can."""
        if self.error is not None:
            return self.error.what
        return self.review.read_only if self.is_read else ""

    # what is known

    @property
    def causes(self) -> Mapping[str, tuple[str, ...]]:
        """Causes that people gave, by query."""
        return self.review.causes_by_query if self.is_read else {}

    @property
    def guarded(self) -> frozenset[str]:
        """Ids of the queries that must not fail again."""
        return self.review.guarded if self.is_read else frozenset()

    @property
    def failing(self) -> Set[str]:
        """Ids of the queries that fail in the light in which they are looked at; none before `prepare`."""
        is_known = self._failing is not None and self._failing[0] == self._light
        return self._failing[1] if is_known and self._failing is not None else frozenset()

    def failing_among(self, rows: Rows) -> list[str]:
        """Ids of the queries that fail among some rows, in their order."""
        failing = self.failing
        return failing.among(rows) if isinstance(failing, Failing) else []

    @property
    def looked_at(self) -> frozenset[str]:
        """Ids of the queries that the rules have looked at in this light."""
        return frozenset(self._found.get(self._light, {}).copy())

    def rows_of(self, query_ids: Iterable[str]) -> Rows:
        """Rows of some queries; none before `prepare`."""
        return np.empty(0, np.int64) if self._failing is None else self._failing[1].rows_of(query_ids)

    def prepare(self) -> None:
        """Find out what fails; evaluates the run, so it may take a while.

        Raises:
            RagtuiError: the run cannot be evaluated.
        """
        light = self._light
        _, run, k, stage = light
        if run and (self._failing is None or self._failing[0] != light):
            is_failing = self._in_sight.is_failing(run, k, stage)
            self._failing = light, Failing(self._session.workspace.table(run, k, stage), is_failing)

    @property
    def newest_gold(self) -> int:
        """Number of the newest version of gold; 0 where it is that of the files."""
        return self.review.gold_version if self.is_read else 0

    def grade_of(self, query_id: str, chunk_id: str) -> float | None:
        """The grade that a chunk has now; None without one."""
        return self._in_sight.grades_of_gold(query_id).get(chunk_id)

    def own_grade(self, query_id: str, chunk_id: str) -> Grade | None:
        """The reviewer's own correction, where one stands."""
        given = self.review.grades(query_id).get(chunk_id, {}) if self.is_read else {}
        return given.get(self.review.reviewer)

    def disagreement(self, query_id: str, chunk_id: str) -> Disputed | None:
        """What raters say of a chunk where they differ."""
        return self.review.disagreement(query_id, chunk_id) if self.is_read else None

    def has_settled(self, query_id: str, chunk_id: str) -> bool:
        """Whether a decision of the reviewer's own stands."""
        state = self.review.journal.state
        own = state.standing(Decision, query_id, chunk_id).get(self.review.reviewer) if self.is_read else None
        return own is not None and own.grade is not None

    def undecided(self) -> Mapping[str, str]:
        """Queries of which a grade is disputed and not settled, each with the chunk it is most about.

        Looks at all of gold.
        """
        if not self.is_read:
            return {}
        ids = set(self._session.workspace.query_ids.tolist())
        found: dict[str, str] = {}
        for one in self.review.disagreements():
            if one.decided is None and one.query_id in ids:
                found.setdefault(one.query_id, one.chunk_id)
        return found

    def notes(self, query_id: str) -> Mapping[str, str]:
        """Notes on a query, by reviewer."""
        return self.review.notes(query_id) if self.is_read else {}

    def next_open(self, query_ids: Sequence[str], at: int) -> int | None:
        """Place of the next query that fails and has no cause yet, from the end back to the start.

        None where there is no other than that at `at`.
        """
        failing, causes = self.failing, self.causes
        places = chain(range(at + 1, len(query_ids)), range(at))
        return next(
            (n for n in places if query_ids[n] in failing and query_ids[n] not in causes),
            None,
        )

    def done_of(self, query_ids: Iterable[str]) -> int:
        """Of how many of some queries somebody has said why they fail."""
        causes = self.causes
        return sum(query_id in causes for query_id in query_ids)

    def has_answered(self, query_id: str) -> bool:
        """Whether the reviewer at hand has said why."""
        if query_id not in self.causes:
            return False
        tag = self.review.tags(query_id).get(self.review.reviewer)
        return tag is not None and bool(tag.causes)

    def hint(self, query_id: str) -> Hint:
        """What is known of the suggestion for a query, and may be shown."""
        if not self.is_read or query_id not in self.failing:
            return NO_HINT
        light = self._light
        looked_at = self._found.get(light, {})
        if query_id not in looked_at:
            return Hint("unknown")
        found = looked_at[query_id]
        if found is None:
            return NO_HINT
        is_told = (light, query_id) in self._told or self.has_answered(query_id)
        is_withheld = not is_told and self._is_withheld(query_id)
        return Hint("withheld" if is_withheld else "shown", found)

    def look(self, query_id: str) -> Hint:
        """Let the rules look at a query that fails, and say what they suggest."""
        light = self._light
        looked_at = self._found.setdefault(light, {})
        if self.is_read and query_id in self.failing and query_id not in looked_at:
            _, run, k, stage = light
            suggestions = self._in_sight.suggestions(run, query_id, k, stage)
            looked_at[query_id] = suggestions[0] if suggestions else None
        return self.hint(query_id)

    def progress(self) -> Progress:
        """How far the session at hand is, and how often rules were right; looks at the whole journal."""
        order = self._order
        session = self.review.session(order.session) if order is not None and order.session else None
        return Progress(session, self.review.hit_rate())

    def forget(self) -> None:
        """Let the rules look anew, such as after judging."""
        self._found.clear()
        self._in_sight.forget_suggestions()

    # what is decided

    def tag(self, query_ids: Sequence[str], causes: Sequence[str], note: str = "") -> tuple[Event, ...]:
        """Give causes to a query, or to several in one act.

        Raises:
            RagtuiError: it cannot be written.
        """
        if len(query_ids) != 1:
            return self._tag(query_ids, causes, note)
        query_id = query_ids[0]
        hint = self.look(query_id)
        session = self._recorded(query_id) if query_id in self.failing else ""
        suggested = hint.suggestion.cause if hint.suggestion is not None else ""
        is_shown = hint.state != "withheld"
        events = self._tag(query_ids, causes, note, suggested=suggested, shown=is_shown, session=session)
        self._told.add((self._light, query_id))
        return events

    def _tag(
        self,
        query_ids: Sequence[str],
        causes: Sequence[str],
        note: str,
        *,
        suggested: str = "",
        shown: bool = True,
        session: str = "",
    ) -> tuple[Event, ...]:
        return self.review.tag(
            query_ids,
            causes,
            note,
            run=self._session.run or "",
            k=self._session.k,
            suggested=suggested,
            shown=shown,
            session=session,
        )

    def grade(
        self, query_id: str, chunk_id: str, grade: float | None, reason: str = "", *, blind: bool = False
    ) -> tuple[Event, ...]:
        """Correct the grade of a chunk, which makes a new version of gold; None takes one's own back.

        Raises:
            RagtuiError: it cannot be written.
        """
        seen = () if blind else None
        return (self._in_sight.grade(query_id, chunk_id, grade, reason, in_sight=seen, blind=blind),)

    def settle(
        self, query_id: str, chunk_id: str, grade: float | None, reason: str = ""
    ) -> tuple[Event, ...]:
        """Settle on a grade where raters differ, in place of theirs; None takes one's own decision back.

        Raises:
            RagtuiError: it cannot be written.
        """
        return (self.review.decide(query_id, chunk_id, grade, reason),)

    def note(self, query_id: str, text: str) -> tuple[Event, ...]:
        """Keep a note on a query; `""` takes one's own back.

        Raises:
            RagtuiError: it cannot be written.
        """
        return (self.review.note(query_id, text),)

    def guard(self, query_ids: Sequence[str], *, on: bool) -> tuple[Event, ...]:
        """Guard queries in one act, or guard them no longer.

        Raises:
            RagtuiError: it cannot be written.
        """
        return self.review.guard(query_ids, on=on, run=self._session.run or "", k=self._session.k)

    def undo(self) -> tuple[Event, ...]:
        """Undo the reviewer's last act; its events, the last first.

        Raises:
            RagtuiError: it cannot be written.
        """
        return self.review.undo()

    def redo(self) -> tuple[Event, ...]:
        """Do again what was undone last.

        Raises:
            RagtuiError: it cannot be written.
        """
        return self.review.redo()

    # the session

    def _is_withheld(self, query_id: str) -> bool:
        place = self._order_with(query_id).place_of(query_id)
        return place is not None and place % WITHHELD_EVERY == 0

    def _recorded(self, query_id: str) -> str:
        """Id of the session that an answer about a query belongs to."""
        order = self._order_with(query_id)
        if not order.session and order.place_of(query_id) is not None:
            ids = list(map(str, order.query_ids))
            begun = self.review.begin(ids, run=order.run, k=order.k, where=self.where())
            order.session = begun.id
        return order.session

    def _order_with(self, query_id: str) -> Order:
        """The order that a query belongs to: the present one, one of an earlier sitting, or a new one."""
        _, run, k, _ = self._light
        order = self._order
        if order is None or (order.run, order.k) != (run, k) or order.place_of(query_id) is None:
            order = self._order = self._earlier(query_id) or self._new_order(query_id)
        return order

    def _earlier(self, query_id: str) -> Order | None:
        _, run, k, _ = self._light
        state, found = self.review.journal.state, None
        for _, event, opened in state.all_standing(Opened):
            is_like_this = (opened.purpose, opened.run, opened.k) == ("review", run, k)
            if is_like_this and event.reviewer == self.review.reviewer and query_id in opened.queries:
                found = opened
        return None if found is None else order_of(run, k, found.queries, found.session)

    def _new_order(self, query_id: str) -> Order:
        _, run, k, _ = self._light
        if self._failing is None:
            return order_of(run, k, (query_id,), "")
        return order_among(self._failing[1], run, k, self.listed(), self.causes, query_id)
