"""Causes kept up with the journal are those of a journal read anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragtui.review.events import Event, Tag, Undo, What, place_of
from ragtui.review.given import GivenCauses
from ragtui.review.lines import line_of
from ragtui.review.state import REMEMBERED, ReviewState
from tests.unit.review.folding import folded, redo, undo

NOISE, RANKING = Tag("q", ("noise", "ranking")), Tag("q", ("ranking", "gold-wrong"))
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob"]),
        st.sampled_from(["q", "p", "undo"]),
        st.lists(st.sampled_from(["a", "b", "c"]), max_size=2, unique=True).map(tuple),
        st.booleans(),
    ),
    max_size=30,
)


def test_causes_of_all_reviewers_are_one_list() -> None:
    state = folded(("ann", NOISE), ("bob", RANKING), ("bob", Tag("p", ())))
    assert GivenCauses(state).by_query == {"q": ("noise", "ranking", "gold-wrong")}


def test_what_was_undone_is_not_given() -> None:
    state = folded(("ann", NOISE), ("ann", RANKING), ("ann", undo(1, RANKING)))
    assert GivenCauses(state).by_query == {"q": ("noise", "ranking")}
    again = folded(("ann", NOISE), ("ann", undo(0, NOISE)), ("ann", redo(0, NOISE)))
    assert GivenCauses(again).by_query == {"q": ("noise", "ranking")}


@given(STEPS)
def test_following_ends_where_reading_anew_does(
    steps: list[tuple[str, str, tuple[str, ...], bool]],
) -> None:
    state = ReviewState()
    followed = GivenCauses(state)
    for number, (who, query_id, causes, looked) in enumerate(steps):
        what: What = Tag(query_id, causes)
        if query_id == "undo":
            act = state.last_done(who)
            if not act:
                continue
            what = Undo(act[0].id, *place_of(act[0].what))
        state.add(line_of(Event(str(number), "t", who, what)))
        if looked:
            assert followed.follow(state)
    assert followed.follow(state)
    assert followed.by_query == GivenCauses(state).by_query


def test_what_is_too_long_ago_is_read_anew() -> None:
    state = ReviewState()
    followed = GivenCauses(state)
    for number in range(REMEMBERED + 1):
        state.add(line_of(Event(str(number), "t", "ann", Tag("q", ("noise",)))))
    assert not followed.follow(state)
    assert not followed.follow(ReviewState())


def test_causes_that_are_no_texts_do_not_count() -> None:
    state = folded(("ann", NOISE))
    broken = line_of(Event("9", "t", "ann", RANKING)).replace(b'["ranking","gold-wrong"]', b"[7]")
    state.add(broken)
    assert GivenCauses(state).by_query == {"q": ("noise", "ranking")}
    assert state.standing(Tag, "q") == {"ann": NOISE}
