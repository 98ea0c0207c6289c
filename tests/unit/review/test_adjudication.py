"""Where raters differ, and what they settled on."""

from __future__ import annotations

from ragtui.review.adjudication import disputed, ratings_of, ratings_of_pair
from ragtui.review.blind import Item
from ragtui.review.events import Decision, Grade, Rating
from tests.unit.analysis.conftest import made_set
from tests.unit.review.folding import folded

PAIR = Item("q2", "b1")


def test_annotators_and_reviewers_are_raters() -> None:
    state = folded(("ann", Grade("q2", "b1", 3.0)), ("bob", Rating("q2", "b1", 0.0)))
    found = ratings_of(made_set(), state)
    assert found[PAIR] == {"": 1.0, "ann": 3.0, "bob": 0.0}
    assert ratings_of_pair(made_set(), state, PAIR) == found[PAIR]
    assert found[Item("q3", "b2")] == {"": 2.5}


def test_the_last_word_of_a_reviewer_counts() -> None:
    state = folded(
        ("ann", Rating("q2", "b1", 3.0)),
        ("ann", Grade("q2", "b1", 2.0)),
        ("bob", Grade("q2", "b1", 1.0)),
        ("bob", Rating("q2", "b1", 0.0)),
        ("cid", Rating("q2", "b1", 3.0)),
        ("cid", Rating("q2", "b1", None)),
    )
    assert ratings_of_pair(made_set(), state, PAIR) == {"": 1.0, "ann": 2.0, "bob": 0.0}
    assert ratings_of(made_set(), state)[PAIR] == {"": 1.0, "ann": 2.0, "bob": 0.0}


def test_the_undecided_and_farthest_apart_come_first() -> None:
    state = folded(
        ("ann", Rating("q2", "b1", 2.0)),
        ("ann", Rating("q4", "c1", 0.0)),
        ("ann", Rating("q1", "a1", 0.0)),
        ("ann", Rating("q5", "a1", 1.0)),
        ("bob", Decision("q4", "c1", 12.0)),
    )
    found = disputed(made_set(), state)
    # q1: 3 and 0; q2: 1 and 2; q4: 12 and 0, decided; q5 agrees
    assert [(one.query_id, one.difference, one.decided) for one in found] == [
        ("q1", 3.0, None),
        ("q2", 1.0, None),
        ("q4", 12.0, 12.0),
    ]
