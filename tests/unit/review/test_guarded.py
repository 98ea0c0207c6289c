"""How guarded queries stand, by what later runs do."""

from __future__ import annotations

import pytest

from ragtui.review.events import Guard
from ragtui.review.guarded import Guarded, guarded_state

GUARD = Guard("q", run="b", in_sight=("a", "b"))


@pytest.mark.parametrize(
    ("passing", "expected"),
    [
        ("", Guarded("open")),
        ("a", Guarded("open")),  # it passed there all along
        ("b", Guarded("broke-again", "c")),  # that run was made anew, and later ones fail
        ("c", Guarded("broke-again", "d")),
        ("d", Guarded("fixed", "d")),
        ("cd", Guarded("fixed", "c")),
        ("bcd", Guarded("fixed", "b")),
        ("bd", Guarded("fixed", "d")),
    ],
)
def test_only_the_run_it_failed_in_and_later_ones_count(passing: str, expected: Guarded) -> None:
    assert guarded_state(GUARD, ["a", "b", "c", "d"], lambda run: run in passing) == expected


def test_runs_that_cannot_tell_are_passed_over() -> None:
    told = {"b": False, "d": True}
    assert guarded_state(GUARD, ["a", "b", "c", "d"], told.get) == Guarded("fixed", "d")
    assert guarded_state(GUARD, ["a", "b", "c", "d"], lambda run: None) == Guarded("unknown")
    assert guarded_state(GUARD, ["a"], lambda run: True) == Guarded("unknown")


def test_the_state_is_said_in_words() -> None:
    assert [Guarded("fixed", "e5").text, Guarded("broke-again", "e5").text, Guarded("open").text] == [
        "fixed in e5",
        "broke again in e5",
        "open",
    ]
