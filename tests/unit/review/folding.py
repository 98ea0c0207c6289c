"""States made of events in a row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ragtui.review.events import Event, Redo, Undo, What, place_of
from ragtui.review.lines import line_of
from ragtui.review.state import ReviewState

START = datetime(2026, 11, 30, 9, tzinfo=UTC)


def folded(*acts: tuple[str, What], seconds: float = 10) -> ReviewState:
    """What each reviewer did, one act after another, so many seconds apart; ids are the places from 0."""
    state = ReviewState()
    for place, (reviewer, what) in enumerate(acts):
        time = (START + timedelta(seconds=seconds * place)).isoformat(timespec="microseconds")
        state.add(line_of(Event(str(place), time, reviewer, what)))
    return state


def undo(place: int, what: What) -> Undo:
    return Undo(str(place), *place_of(what))


def redo(place: int, what: What) -> Redo:
    return Redo(str(place), *place_of(what))
