"""When a reply is said to go round in a circle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.judging.loops import goes_round


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "' + "不超过300元，" * 40,
        '{"reason": "x' + "；" * 200,
        '{"reason": "no"' + " \n" * 60,
        "the context does not say when, " * 8 + "",
        "a" + "0123456789" * 8 * 2,
    ],
    ids=["phrase", "mark", "space", "sentence", "long"],
)
def test_what_goes_round(text: str) -> None:
    assert goes_round(text)
    # wherever it is cut off, once the phrase has been said once more than needed
    assert goes_round(text + text[-3:] * 40)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ha" * 7,
        "wait" + "." * 80,
        "出差的起止以离开和返回常驻地的车票、登机牌或行程单时间为准。" * 3,
        '{"reason": "' + " ".join(f"row {n}" for n in range(200)),
        "no no no no no no no no and then something else",
    ],
    ids=["empty", "short", "dots", "thrice", "numbers", "over"],
)
def test_what_does_not(text: str) -> None:
    assert not goes_round(text)


@given(st.text(min_size=1, max_size=80), st.text(max_size=30))
def test_any_phrase_said_a_hundred_times_goes_round(phrase: str, before: str) -> None:
    assert goes_round(before + phrase * 100)


@given(st.text(max_size=95))
def test_nothing_shorter_than_a_line_does(text: str) -> None:
    assert not goes_round(text)
