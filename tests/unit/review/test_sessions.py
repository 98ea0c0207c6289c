"""Sessions: what is done and left, the pace, and the hit rate of the rules."""

from __future__ import annotations

import pytest

from ragtui.review.blind import Item
from ragtui.review.events import Grade, Opened, Rating, Tag, What
from ragtui.review.sessions import hit_rate, pace, sessions
from tests.unit.review.folding import folded, undo

QUERIES = tuple(f"q{n}" for n in range(1, 25))
OPENED = Opened("s", "review", QUERIES, run="e5", k=5, where="is:to-review")


def tag(query_id: str, cause: str = "noise", **fields: object) -> Tag:
    return Tag(query_id, (cause,), session="s", **fields)  # type: ignore[arg-type]


def test_a_session_knows_what_is_done_and_left_by_whom() -> None:
    state = folded(("ann", OPENED), ("ann", tag("q2")), ("bob", tag("q1")), ("ann", tag("elsewhere")))
    (session,) = sessions(state, "ann")
    assert session.items == tuple(map(Item, QUERIES))
    assert session.done == {Item("q2")}
    assert session.left[:2] == (Item("q1"), Item("q3"))
    assert (session.run, session.k, session.where, session.purpose) == ("e5", 5, "is:to-review", "review")
    assert sessions(state, "bob")[0].done == {Item("q1")}


def test_what_was_undone_or_taken_back_is_left_again() -> None:
    first = tag("q1")
    state = folded(
        ("ann", OPENED),
        ("ann", first),
        ("ann", undo(1, first)),
        ("ann", tag("q2")),
        ("ann", Tag("q2", (), session="s")),
    )
    assert sessions(state, "ann")[0].done == frozenset()


def test_answers_outside_of_it_do_not_count() -> None:
    assert sessions(folded(("ann", OPENED), ("ann", Tag("q1", ("noise",)))), "ann")[0].done == frozenset()


@pytest.mark.parametrize(("purpose", "act"), [("pool", Grade), ("pilot", Rating)])
def test_pairs_are_done_by_grades(purpose: str, act: type[Grade] | type[Rating]) -> None:
    opened = Opened("s", purpose, ("q", "q"), ("a", "b"))
    state = folded(("ann", opened), ("ann", act("q", "b", 0.0, session="s")))
    assert sessions(state, "ann")[0].left == (Item("q", "a"),)


def test_the_pace_leaves_pauses_out() -> None:
    answers: list[tuple[str, What]] = [("ann", tag(f"q{n}")) for n in range(1, 4)]
    (session,) = sessions(folded(("ann", OPENED), *answers, seconds=20), "ann")
    assert (session.pace, session.seconds_left) == (20, 20 * 21)
    # 5 s, a pause of ten minutes, 9 s: half of 5 + 9
    times = [f"2026-11-30T09:{text}+00:00" for text in ("00:00", "00:05", "10:05", "10:14")]
    assert pace(times) == 7
    assert pace(times[:1]) is None
    assert pace(["yesterday", "2026-11-30T09:00:00"]) is None


def test_every_tenth_suggestion_is_withheld() -> None:
    (session,) = sessions(folded(("ann", OPENED)), "ann")
    assert [query for query in QUERIES if session.withheld(query)] == ["q10", "q20"]
    assert not session.withheld("elsewhere")


def test_newest_sessions_come_first() -> None:
    state = folded(("ann", OPENED), ("bob", Opened("t", "review", ("q1",))))
    assert [session.id for session in sessions(state, "ann")] == ["t", "s"]


def test_rules_are_held_to_what_was_withheld_only() -> None:
    state = folded(
        ("ann", tag("q1", "noise", suggested="noise")),  # seen: says nothing
        ("ann", tag("q2", "noise", suggested="noise", shown=False)),
        ("ann", tag("q3", "noise", suggested="ranking", shown=False)),
        ("bob", Tag("q3", ("noise", "ranking"), suggested="ranking", shown=False)),
        ("bob", tag("q4", "noise", shown=False)),  # nothing was suggested
    )
    rate = hit_rate(state)
    assert (rate.hits, rate.n) == (2, 3)
    # Wilson 2 of 3, by hand: (2/3 + z²/6 ± z √(2/27 + z²/36)) ÷ (1 + z²/3) with z = 1.96
    assert rate.share.mean == pytest.approx(2 / 3)
    assert rate.share.low == pytest.approx(0.2077, abs=1e-4)
    assert rate.share.high == pytest.approx(0.9385, abs=1e-4)


def test_only_the_first_answer_is_a_test() -> None:
    first = tag("q1", "ranking", suggested="noise", shown=False)
    state = folded(("ann", first), ("ann", tag("q1", "noise", suggested="noise")))
    assert (hit_rate(state).hits, hit_rate(state).n) == (0, 1)
    followed = folded(
        ("ann", tag("q1", suggested="noise")), ("ann", tag("q1", suggested="noise", shown=False))
    )
    assert hit_rate(followed).n == 0


def test_without_withheld_answers_there_is_no_rate() -> None:
    share = hit_rate(folded(("ann", tag("q1")))).share
    assert (share.mean, share.reason) == (None, "no-queries")
