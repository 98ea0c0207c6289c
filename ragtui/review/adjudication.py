"""Who gave which grade to what, and where they have to settle on one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from ragtui.dataset.model import EvaluationSet
from ragtui.review.blind import Item
from ragtui.review.events import Decision, Event, Grade, Rating
from ragtui.review.state import ReviewState


@dataclass(frozen=True, slots=True)
class Disputed:
    """A pair that raters grade differently.

    Attributes:
        grades: by rater.
        decided: the grade they settled on; None where that is still to be done.
    """

    query_id: str
    chunk_id: str
    grades: Mapping[str, float]
    decided: float | None = None

    @property
    def difference(self) -> float:
        """Of the highest and the lowest grade."""
        return max(self.grades.values()) - min(self.grades.values())


def ratings_of(evaluation: EvaluationSet, state: ReviewState) -> dict[Item, dict[str, float]]:
    """Grades by pair, then by rater: annotators of the gold files, and reviewers.

    A reviewer's correction or blind rating, whichever came last, stands in place of what the files say in the
    same name. Annotators without a name are one rater, `""`.
    """
    found = _of_files(evaluation.gold)
    given: dict[Item, list[tuple[Event, float | None]]] = {}
    for place, event, grade in state.all_standing(Grade):
        given.setdefault(Item(place.query_id, place.chunk_id), []).append((event, grade.grade))
    for place, event, rating in state.all_standing(Rating):
        given.setdefault(Item(place.query_id, place.chunk_id), []).append((event, rating.grade))
    for item, events in given.items():
        last = _last(events)
        if last:
            found.setdefault(item, {}).update(last)
    return found


def ratings_of_pair(evaluation: EvaluationSet, state: ReviewState, item: Item) -> dict[str, float]:
    """The same for one pair."""
    gold = evaluation.gold
    rows = gold[((gold["query_id"] == item.query_id) & (gold["chunk_id"] == item.chunk_id)).to_numpy()]
    given: list[tuple[Event, float | None]] = [
        (event, grade.grade) for event, grade in state.standing_events(Grade, *item)
    ]
    given += [(event, rating.grade) for event, rating in state.standing_events(Rating, *item)]
    return _of_files(rows).get(item, {}) | _last(given)


def said_of_pair(evaluation: EvaluationSet, state: ReviewState, item: Item) -> Disputed | None:
    """What raters say of one pair, and what they settled on; None where they do not differ."""
    grades = ratings_of_pair(evaluation, state, item)
    if len(set(grades.values())) < 2:
        return None
    given = ((event, decision.grade) for event, decision in state.standing_events(Decision, *item))
    decided = [grade for _, grade in sorted(given, key=lambda one: one[0].time) if grade is not None]
    return Disputed(*item, grades, decided[-1] if decided else None)


def _of_files(gold: pd.DataFrame) -> dict[Item, dict[str, float]]:
    columns = (gold[name].tolist() for name in ("query_id", "chunk_id", "annotator", "grade"))
    found: dict[Item, dict[str, float]] = {}
    for query_id, chunk_id, annotator, grade in zip(*columns, strict=True):
        found.setdefault(Item(query_id, chunk_id), {})[annotator] = grade
    return found


def _last(events: Iterable[tuple[Event, float | None]]) -> dict[str, float]:
    """The last grade of each reviewer."""
    in_order = sorted(events, key=lambda one: one[0].time)
    return {event.reviewer: grade for event, grade in in_order if grade is not None}


def disputed(evaluation: EvaluationSet, state: ReviewState) -> tuple[Disputed, ...]:
    """Pairs that raters grade differently, undecided ones first, then the farthest apart."""
    settled: dict[Item, float] = {}
    for place, _, decision in state.all_standing(Decision):
        if decision.grade is not None:
            settled[Item(place.query_id, place.chunk_id)] = decision.grade
    found = [
        Disputed(*item, grades, settled.get(item))
        for item, grades in ratings_of(evaluation, state).items()
        if len(set(grades.values())) > 1
    ]
    return tuple(sorted(found, key=lambda one: (one.decided is not None, -one.difference)))
