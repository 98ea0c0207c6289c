"""Text in cells: nothing is ever wider than asked, and nothing is lost that has room."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.tui import cells

PLAIN = st.text(st.sampled_from("ab c，高铁。(x) 餐é-"), max_size=60)


def measured(text: str) -> int:
    """Width by the Unicode tables of Python itself, for text without combining marks."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("short", 5, "short"),
        ("shorter", 5, "sho.."),
        ("高铁二等座", 10, "高铁二等座"),
        ("高铁二等座", 9, "高铁二.."),
        # 6 cells leave 4 for text, and a half of a character is not shown
        ("a高铁二等座", 6, "a高.."),
        ("高铁", 3, ".."[:2]),
        ("高铁", 1, "."),
        ("word cut at a space", 7, "word.."),
        ("", 3, ""),
        ("x", 0, ""),
    ],
)
def test_text_is_cropped_at_whole_characters(text: str, room: int, shown: str) -> None:
    assert cells.crop(text, room) == shown


@given(PLAIN, st.integers(0, 40))
def test_cropped_text_fits(text: str, room: int) -> None:
    shown = cells.crop(text, room)
    assert measured(shown) <= room
    assert shown == text or measured(text) > room


@given(PLAIN, st.integers(0, 40), st.sampled_from(["left", "right"]))
def test_padded_text_is_exactly_as_wide_as_asked(text: str, room: int, align: str) -> None:
    padded = cells.pad(text, room, "right" if align == "right" else "left")
    assert measured(padded) == room
    if measured(text) <= room:
        assert padded.strip() == text.strip()


@given(PLAIN, st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_nothing_but_blanks(text: str, room: int) -> None:
    lines = cells.wrap(text, room)
    assert all(measured(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_text_wraps_at_spaces_and_between_chinese_characters() -> None:
    assert cells.wrap("the VP tier needs", 9) == ["the VP", "tier", "needs"]
    # a full stop never begins a line
    assert cells.wrap("高铁二等座。凭票", 10) == ["高铁二等", "座。凭票"]
    assert cells.wrap("unbreakable", 4) == ["unbr", "eaka", "ble"]
    assert cells.wrap("one\n\ntwo", 9) == ["one", "", "two"]


def test_the_last_line_says_that_there_is_more() -> None:
    lines = cells.wrap("高铁与火车 " * 40, 12, 2)
    assert len(lines) == 2
    assert lines[1].endswith("..")
    assert measured(lines[1]) <= 12
