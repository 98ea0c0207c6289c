from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.retrieval.words import search_terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n—，。！", []),
        ("Hello, WORLD's end_of it", ["hello", "world", "s", "end", "of", "it"]),
        ("员工出差住宿标准", ["员工", "出差", "住宿", "标准"]),
        ("P7级员工乘高铁3.5小时", ["p7", "级", "员工", "乘", "高铁", "3.5", "小时"]),
        ("Ｐ７　ＷＩＦＩ", ["p7", "wifi"]),
        ("1,200.50 v2.0.1", ["1", "200.50", "v2", "0.1"]),
        ("Straße naïve ÉTÉ", ["strasse", "naïve", "été"]),
        ("東京カード", ["東京", "カード"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_search_terms_add_the_characters_of_longer_chinese_words() -> None:
    assert search_terms("出差 to 京") == ["出差", "出", "差", "to", "京"]


def test_traditional_text_meets_however_it_is_cut() -> None:
    # The characters are there whatever the dictionary makes of words it was not trained on.
    assert set("差旅報銷標準") <= set(search_terms("差旅報銷標準"))


@given(st.text())
def test_any_text_is_cut(text: str) -> None:
    found = words(text)
    assert all(word and not word.isspace() for word in found)
    assert set(found) <= set(search_terms(text))
