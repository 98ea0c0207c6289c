"""Sessions: an order that stays, what is done and left, at what pace, and how good suggestions of rules are.

Every tenth suggestion is withheld until the reviewer has answered. How often rules are right is computed on
these only: what a person has seen before answering is no test of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

import orjson

from ragtui.review.blind import Item
from ragtui.review.events import Event, Grade, Opened, Rating, Tag
from ragtui.review.state import ReviewState
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson

WITHHELD_EVERY = 10
PAUSE = 300.0
"""Seconds; a longer gap between two answers is a pause, and no part of the pace."""


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting, or several, over the same items.

    Attributes:
        id: names it in events.
        time, reviewer: when and by whom it was begun.
        purpose: `review`, `pool` or `pilot`.
        items: in their frozen order.
        run, k, where: what was looked at.
        done: items that the reviewer at hand has answered.
        pace: median seconds from one answer to the next, pauses left out; None before the second.
    """

    id: str
    time: str
    reviewer: str
    purpose: str
    items: tuple[Item, ...]
    run: str
    k: int
    where: str
    done: frozenset[Item]
    pace: float | None

    @property
    def left(self) -> tuple[Item, ...]:
        """Items that are not answered, in order."""
        return tuple(item for item in self.items if item not in self.done)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this pace; None where there is no pace yet."""
        return None if self.pace is None else self.pace * len(self.left)

    def withheld(self, query_id: str) -> bool:
        """Whether the suggestion for a query is kept back until it is answered."""
        for place, item in enumerate(self.items, 1):
            if item.query_id == query_id:
                return place % WITHHELD_EVERY == 0
        return False


@dataclass(frozen=True, slots=True)
class HitRate:
    """How often rules suggested what people gave, where people did not see the suggestion.

    Attributes:
        hits: the suggested cause was among those given.
        n: answers to withheld suggestions.
        share: hits ÷ n with Wilson's interval.
    """

    hits: int
    n: int
    share: Estimate


def sessions(state: ReviewState, reviewer: str) -> tuple[Session, ...]:
    """All sessions, newest first, with what one reviewer has done in each."""
    opened = [(event, what) for _, event, what in state.all_standing(Opened)]
    opened.sort(key=lambda one: one[0].time, reverse=True)
    return tuple(_session(event, what, _answers(state, reviewer, what.session)) for event, what in opened)


def begun(event: Event, opened: Opened) -> Session:
    """The session that an event has just opened: nothing is done yet, so nothing has to be looked for."""
    return _session(event, opened, [])


def session(state: ReviewState, reviewer: str, session_id: str) -> Session | None:
    """One session with what a reviewer has done in it; None where there is none of that id."""
    for _, event, what in state.all_standing(Opened, session_id):
        return _session(event, what, _answers(state, reviewer, session_id))
    return None


def hit_rate(state: ReviewState) -> HitRate:
    """Of all reviewers together; the first answer of each counts, for a later one may follow the rule."""
    hits = n = 0
    for event, tag in state.all_held(Tag, _field("shown", False)):
        answers = state.held(Tag, tag.query_id, event.reviewer)
        first = next((one for one, said in answers if said.causes and said.suggested), None)
        if not tag.shown and first is not None and first.id == event.id:
            n += 1
            hits += tag.suggested in tag.causes
    if not n:
        return HitRate(0, 0, Estimate(None, None, None, 0, reason="no-queries"))
    return HitRate(hits, n, Estimate(hits / n, *wilson(hits, n), n, "wilson"))


def pace(times: Iterable[str]) -> float | None:
    """Median seconds from one answer to the next, pauses left out; None without two answers in a row."""
    moments = sorted(moment for time in times if (moment := _moment(time)) is not None)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    short = [gap for gap in gaps if 0 < gap <= PAUSE]
    return median(short) if short else None


def _answers(state: ReviewState, reviewer: str, session_id: str) -> list[tuple[Item, str]]:
    """Items that the reviewer answered in a session, with the time; what was taken back is no answer."""
    last: dict[Item, tuple[bool, str]] = {}
    wanted = _field("session", session_id)
    for event, tag in state.all_held(Tag, wanted):
        if event.reviewer == reviewer and tag.session == session_id:
            last[Item(tag.query_id)] = bool(tag.causes), event.time
    for event, given in _graded(state, wanted):
        if event.reviewer == reviewer and given.session == session_id:
            last[Item(given.query_id, given.chunk_id)] = given.grade is not None, event.time
    return [(item, time) for item, (is_answer, time) in last.items() if is_answer]


def _graded(state: ReviewState, containing: bytes) -> Iterator[tuple[Event, Grade | Rating]]:
    yield from state.all_held(Grade, containing)
    yield from state.all_held(Rating, containing)


def _field(name: str, value: object) -> bytes:
    """How a field stands in a line: so lines that lack it need not be read."""
    return orjson.dumps({name: value})[1:-1]


def _session(event: Event, what: Opened, answers: list[tuple[Item, str]]) -> Session:
    chunks = what.chunks or ("",) * len(what.queries)
    items = tuple(map(Item, what.queries, chunks))
    done = frozenset(item for item, _ in answers) & frozenset(items)
    return Session(
        id=what.session,
        time=event.time,
        reviewer=event.reviewer,
        purpose=what.purpose,
        items=items,
        run=what.run,
        k=what.k,
        where=what.where,
        done=done,
        pace=pace(time for item, time in answers if item in done),
    )


def _moment(time: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
