"""Foreign text is as wide as it is measured, in terminals that draw ambiguous characters double as well."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.tui import cells, glyphs


@pytest.fixture
def wide_terminal() -> None:
    glyphs.use("auto", ambiguous_is_wide=True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # of the accented letters only some are ambiguous: the i is not, the e is
        ("“naïve” café", '"naïve" cafe'),
        ("… a·b — ½ ℃ ③ Ⅷ", ".. a.b - 1/2 degC 3 VIII"),
        ("Жук и αβγ", "Zhuk i abg"),
        ("┌─┐ █ ≠ →", "+-+ # != ->"),
        ("高铁，二等座", "高铁，二等座"),
    ],
)
@pytest.mark.usefixtures("wide_terminal")
def test_ambiguous_characters_have_narrow_equivalents(text: str, shown: str) -> None:
    assert glyphs.shown(text) == shown


@pytest.mark.usefixtures("wide_terminal")
def test_no_ambiguous_character_is_left() -> None:
    everything = "".join(chr(c) for c in range(0xA0, 0x10000) if unicodedata.east_asian_width(chr(c)) == "A")
    assert {c for c in glyphs.shown(everything) if unicodedata.east_asian_width(c) == "A"} == set()


def test_elsewhere_they_stay() -> None:
    assert glyphs.shown("“naïve” ③ α") == "“naïve” ③ α"


def test_what_depends_on_its_neighbours_is_made_steady() -> None:
    # a skin tone, a flag, a selector of the coloured form, joiners
    assert glyphs.shown("👍🏽 🇨🇳 ❤️ 👩‍👧") == "👍 CN ❤ 👩👧"


@given(st.text(max_size=40))
def test_shown_text_is_as_wide_as_its_characters(text: str) -> None:
    shown = glyphs.shown(text)
    assert cells.width(shown) == sum(cells.width(character) for character in shown)


def test_the_set_follows_the_choice_and_the_terminal() -> None:
    glyphs.use("auto", ambiguous_is_wide=True)
    assert glyphs.glyphs() == glyphs.ASCII
    glyphs.use("unicode", ambiguous_is_wide=True)
    assert glyphs.glyphs() == glyphs.UNICODE
    glyphs.use("auto")
    assert glyphs.glyphs() == glyphs.UNICODE
    glyphs.use("ascii")
    assert glyphs.glyphs() == glyphs.ASCII
