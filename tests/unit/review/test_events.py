"""Events as lines and back."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.review.events import (
    Act,
    Decision,
    Event,
    Grade,
    Guard,
    Note,
    Opened,
    Rating,
    Redo,
    Tag,
    Undo,
    What,
    events_of,
)
from ragtui.review.lines import NewerSchema, event_of, line_of

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
GRADES = st.none() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.lists(TEXT).map(tuple)
WHATS = st.one_of(
    st.builds(Tag, TEXT, TEXTS, TEXT, TEXT, st.integers(0, 2**31), TEXT, st.booleans(), TEXT),
    st.builds(Note, TEXT, TEXT, TEXT),
    st.builds(Grade, TEXT, TEXT, GRADES, GRADES, TEXT, TEXT, TEXTS, st.booleans(), TEXT),
    st.builds(Rating, TEXT, TEXT, GRADES, TEXT, st.booleans(), TEXT),
    st.builds(
        Decision,
        TEXT,
        TEXT,
        GRADES,
        TEXT,
        st.lists(st.tuples(TEXT, st.floats(allow_nan=False, allow_infinity=False))).map(tuple),
        TEXTS,
    ),
    st.builds(Guard, TEXT, st.booleans(), TEXT, st.integers(0, 2**31), TEXTS),
    st.builds(Opened, TEXT, TEXT, TEXTS, TEXTS, TEXT, st.integers(0, 99), TEXT, st.integers(0, 99)),
    st.builds(Undo, TEXT, TEXT, TEXT, TEXT),
    st.builds(Redo, TEXT, TEXT, TEXT, TEXT),
)


@given(WHATS, TEXT, TEXT)
def test_every_event_is_one_line_that_gives_it_back(what: What, reviewer: str, batch: str) -> None:
    event = Event("0123", "2026-11-30T21:00:00.000000+00:00", reviewer, what, batch)
    line = line_of(event)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert event_of(line) == event


def test_every_kind_has_a_name_of_its_own() -> None:
    kinds = [act.kind for act in (*get_args(Act), Undo, Redo)]
    assert len(set(kinds)) == len(kinds) == 9


def test_a_line_can_be_read_by_people_and_leaves_out_what_is_unsaid() -> None:
    (event,) = events_of("ann", [Tag("q1", ("ranking",), suggested="ranking")])
    said = json.loads(line_of(event))
    assert list(said) == ["schema", "id", "time", "reviewer", "kind", "query_id", "causes", "suggested"]
    assert said["schema"] == 1
    assert said["time"].endswith("+00:00")


def test_several_decisions_at_once_are_one_act() -> None:
    first, second = events_of("ann", [Tag("q1", ("noise",)), Tag("q2", ("noise",))])
    assert first.batch == second.batch == first.id != second.id


def test_halves_of_surrogate_pairs_do_not_stop_a_note() -> None:
    (event,) = events_of("ann", [Note("q", "broken \ud83d here")])
    what = event_of(line_of(event)).what
    assert isinstance(what, Note)
    assert what.text == "broken ? here"


GOOD = '{"schema":1,"id":"a","time":"t","reviewer":"r","kind":"tag","query_id":"q","causes":["noise"]}'


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "7",
        GOOD[:-1],
        GOOD.replace('"schema":1', '"schema":"1"'),
        GOOD.replace('"schema":1', '"schema":0'),
        GOOD.replace('"schema":1,', ""),
        GOOD.replace('"tag"', '"dance"'),
        GOOD.replace('"tag"', "7"),
        GOOD.replace('"q"', '["q"]'),
        GOOD.replace('"r"', "null"),
        GOOD.replace('["noise"]', '"noise"'),
        GOOD.replace('["noise"]', "[7]"),
        GOOD.replace('"kind":"tag"', '"kind":"undo"'),
        GOOD.replace('"kind":"tag"', '"kind":"grade"'),
    ],
    ids=range(16),
)
def test_what_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- of whatever kind
        event_of(line.encode())


def test_a_later_version_is_told_from_a_damaged_line() -> None:
    with pytest.raises(NewerSchema):
        event_of(GOOD.replace('"schema":1', '"schema":2').encode())


def test_fields_of_later_times_are_passed_over() -> None:
    event = event_of(GOOD.replace('"kind"', '"mood":"good","kind"').encode())
    assert event.what == Tag("q", ("noise",))
