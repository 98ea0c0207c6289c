"""Foreign text cannot steer a terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ragtui.inert import inert, inert_lines


def test_control_characters_become_symbols() -> None:
    assert inert("a\x1b[31mred\x00\x07") == "a␛[31mred␀␇"
    assert inert("one\ntwo\r\n") == "one␊two␍␊"
    assert inert("del\x7f c1\x9b31m") == "del␡ c1\ufffd31m"


def test_direction_overrides_vanish() -> None:
    assert inert("safe\u202egnp.exe") == "safegnp.exe"


def test_line_breaks_stay_where_lines_are_wanted() -> None:
    assert inert_lines("one\r\ntwo\rthree\x1b") == "one\ntwo\nthree␛"


def test_brackets_chinese_and_emoji_are_left_alone() -> None:
    text = "[/b] [red]x[/red] 差旅 🙂 עברית"
    assert inert(text) == text


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in inert(text))
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} for c in inert_lines(text) if c != "\n")
