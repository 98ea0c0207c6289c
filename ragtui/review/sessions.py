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
    answers = _answers(state, reviewer)
    opened = [(event, what) for _, event, what in state.all_standing(Opened)]
    opened.sort(key=lambda one: one[0].time, reverse=True)
    return tuple(_session(event, what, answers.get(what.session, [])) for event, what in opened)


def hit_rate(state: ReviewState) -> HitRate:
    """Of all reviewers together; the first answer of each counts, for a later one may follow the rule."""
    first: dict[tuple[str, str], tuple[str, Tag]] = {}
    for event, tag in state.all_held(Tag):
        key = (event.reviewer, tag.query_id)
        if tag.causes and tag.suggested and key not in first:
            first[key] = event.id, tag
    withheld = [tag for _, tag in first.values() if not tag.shown]
    hits = sum(tag.suggested in tag.causes for tag in withheld)
    n = len(withheld)
    if not n:
        return HitRate(0, 0, Estimate(None, None, None, 0, reason="no-queries"))
    return HitRate(hits, n, Estimate(hits / n, *wilson(hits, n), n, "wilson"))


def pace(times: Iterable[str]) -> float | None:
    """Median seconds from one answer to the next, pauses left out; None without two answers in a row."""
    moments = sorted(moment for time in times if (moment := _moment(time)) is not None)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    short = [gap for gap in gaps if 0 < gap <= PAUSE]
    return median(short) if short else None


def _answers(state: ReviewState, reviewer: str) -> dict[str, list[tuple[Item, str]]]:
    """Items that the reviewer answered, with the time, by session; an answer that was taken back is none."""
    last: dict[tuple[str, Item], tuple[bool, str]] = {}
    for event, tag in state.all_held(Tag):
        if event.reviewer == reviewer and tag.session:
            last[tag.session, Item(tag.query_id)] = bool(tag.causes), event.time
    for event, given in _graded(state):
        if event.reviewer == reviewer and given.session:
            item = Item(given.query_id, given.chunk_id)
            last[given.session, item] = given.grade is not None, event.time
    found: dict[str, list[tuple[Item, str]]] = {}
    for (session, item), (is_answer, time) in last.items():
        if is_answer:
            found.setdefault(session, []).append((item, time))
    return found


def _graded(state: ReviewState) -> Iterator[tuple[Event, Grade | Rating]]:
    yield from state.all_held(Grade)
    yield from state.all_held(Rating)


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
