"""What holds, by the order of the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragtui.review.events import Event, Note, Place, Redo, Tag, Undo, What, place_of
from ragtui.review.lines import line_of
from ragtui.review.state import ReviewState


def folded(*events: tuple[str, str, What] | tuple[str, str, What, str]) -> ReviewState:
    """State of events given as id, reviewer, what, batch."""
    state = ReviewState()
    for identity, reviewer, what, *batch in events:
        state.add(line_of(Event(identity, "t", reviewer, what, *batch)))
    return state


def undo(identity: str, of: What) -> Undo:
    return Undo(identity, *place_of(of))


def redo(identity: str, of: What) -> Redo:
    return Redo(identity, *place_of(of))


FIRST, SECOND, OTHER = Tag("q", ("noise",)), Tag("q", ("ranking",)), Tag("p", ("noise",))


def test_the_last_word_of_each_reviewer_holds() -> None:
    state = folded(("1", "ann", FIRST), ("2", "bob", FIRST), ("3", "ann", SECOND), ("4", "ann", OTHER))
    assert state.standing(Tag, "q") == {"ann": SECOND, "bob": FIRST}
    assert state.standing(Tag, "unknown") == {}
    assert state.reviewers == ("ann", "bob")
    assert [(place, event.id) for place, event, _ in state.all_standing(Tag)] == [
        (Place("tag", "q"), "3"),
        (Place("tag", "q"), "2"),
        (Place("tag", "p"), "4"),
    ]


def test_kinds_and_chunks_do_not_get_in_each_others_way() -> None:
    note, of_chunk = Note("q", "here"), Note("q", "there", "c")
    state = folded(("1", "ann", FIRST), ("2", "ann", note), ("3", "ann", of_chunk))
    assert state.standing(Tag, "q") == {"ann": FIRST}
    assert state.standing(Note, "q") == {"ann": note}
    assert state.standing(Note, "q", "c") == {"ann": of_chunk}


def test_undoing_brings_back_what_was_said_before() -> None:
    events: list[tuple[str, str, What]] = [("1", "ann", FIRST), ("2", "ann", SECOND)]
    assert folded(*events, ("3", "ann", undo("2", SECOND))).standing(Tag, "q") == {"ann": FIRST}
    earlier = folded(*events, ("3", "ann", undo("1", FIRST)))
    assert earlier.standing(Tag, "q") == {"ann": SECOND}
    both = folded(*events, ("3", "ann", undo("2", SECOND)), ("4", "ann", undo("1", FIRST)))
    assert both.standing(Tag, "q") == {}
    again = folded(*events, ("3", "ann", undo("2", SECOND)), ("4", "ann", redo("2", SECOND)))
    assert again.standing(Tag, "q") == {"ann": SECOND}


def test_nobody_undoes_for_another() -> None:
    state = folded(("1", "ann", FIRST), ("2", "bob", undo("1", FIRST)), ("3", "ann", undo("9", FIRST)))
    assert state.standing(Tag, "q") == {"ann": FIRST}
    assert state.ignored == 2


def test_twice_undone_is_once_undone() -> None:
    state = folded(("1", "ann", FIRST), ("2", "ann", undo("1", FIRST)), ("3", "ann", undo("1", FIRST)))
    assert (state.standing(Tag, "q"), state.ignored) == ({}, 1)


def test_an_act_of_several_is_undone_as_one() -> None:
    state = folded(("1", "ann", OTHER), ("2", "ann", FIRST, "2"), ("3", "ann", OTHER, "2"))
    assert [event.id for event in state.last_done("ann")] == ["3", "2"]
    assert state.last_done("bob") == state.last_undone("ann") == ()


def test_doing_something_else_forgets_what_could_be_redone() -> None:
    events: list[tuple[str, str, What]] = [("1", "ann", FIRST), ("2", "ann", undo("1", FIRST))]
    assert [event.id for event in folded(*events).last_undone("ann")] == ["1"]
    assert folded(*events, ("3", "ann", OTHER)).last_undone("ann") == ()
    # what another reviewer does is no reason to forget
    assert folded(*events, ("3", "bob", OTHER)).last_undone("ann") != ()


STEPS = st.lists(
    st.tuples(st.sampled_from(["ann", "bob"]), st.sampled_from(["q", "p", "undo", "redo"])), max_size=40
)


@given(STEPS)
def test_it_holds_what_a_plain_stack_holds(steps: list[tuple[str, str]]) -> None:
    state = ReviewState()
    done: dict[str, list[Tag]] = {"ann": [], "bob": []}
    undone: dict[str, list[Tag]] = {"ann": [], "bob": []}
    for number, (who, step) in enumerate(steps):
        what: What
        if step == "undo":
            act = state.last_done(who)
            if not act:
                assert not done[who]
                continue
            undone[who].append(done[who].pop())
            what = undo(act[0].id, act[0].what)
        elif step == "redo":
            act = state.last_undone(who)
            if not act:
                assert not undone[who]
                continue
            done[who].append(undone[who].pop())
            what = redo(act[0].id, act[0].what)
        else:
            what = Tag(step, (f"cause {number}",))
            done[who].append(what)
            undone[who].clear()
        state.add(line_of(Event(str(number), "t", who, what)))
    for who, tags in done.items():
        for query_id in ("q", "p"):
            last = next((tag for tag in reversed(tags) if tag.query_id == query_id), None)
            assert state.standing(Tag, query_id).get(who) == last
    assert state.ignored == 0
