"""Which words a query and a chunk share."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.shared_words import shared_words, spans_of


@pytest.mark.parametrize(
    ("query", "text", "shared"),
    [
        # whole words, any case, as the query writes them, function words left out
        ("What is the Hotel cap?", "the HOTEL's cap, hotels", ("cap",)),
        ("Which hotel in Berlin", "a hotel in berlin is which", ("hotel", "Berlin")),
        ("heat heat", "Heat", ("heat",)),
        # the longest run that stands in the text, not its parts
        ("高铁二等座能报吗", "普通员工可乘坐高铁二等座，凭票报销", ("高铁二等座",)),
        ("一类城市酒店每天最多报多少", "一类城市住宿每天上限", ("一类城市", "每天")),
        # two characters at least, and no function words
        ("报销多少", "报多少", ()),
        ("为什么可以报销吗", "为什么可以报销吗", ("报销",)),
        ("手上的审批", "以上的，为审批", ("审批",)),
        # both scripts in one query
        ("VP 级别的 receipts", "receipts 需要 vp 级别", ("VP", "级别", "receipts")),
        ("cost_center 填什么", "cost_center 一栏", ("cost", "center")),
        ("RE-2024", "RE-2023 in 2024", ("RE", "2024")),
        ("", "text", ()),
        ("query", "", ()),
    ],
)
def test_shared_words(query: str, text: str, shared: tuple[str, ...]) -> None:
    assert shared_words(query, text) == shared


def test_spans_are_whole_words_in_spaced_scripts_only() -> None:
    assert spans_of(["heat"], "Heat, preheated heat") == [(0, 4), (16, 20)]
    assert spans_of(["vp"], "级别VP级") == [(2, 4)]
    assert spans_of(["住宿"], "酒店住宿费住宿") == [(2, 4), (5, 7)]
    assert spans_of([], "anything") == []


def test_a_pattern_in_a_word_is_text() -> None:
    assert spans_of(["a.c"], "abc a.c") == [(4, 7)]


@given(st.text(max_size=80), st.text(max_size=200))
def test_what_is_shared_is_found_in_both(query: str, text: str) -> None:
    for word in shared_words(query, text):
        assert word in query
        assert word.lower() in text.lower() or word.casefold() in text.casefold()


@given(st.lists(st.text(min_size=1, max_size=5), max_size=5), st.text(max_size=100))
def test_spans_never_overlap(words: list[str], text: str) -> None:
    spans = spans_of(words, text)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))
