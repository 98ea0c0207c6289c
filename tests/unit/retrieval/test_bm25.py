from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.retrieval.bm25 import Bm25


def indexed(passages: Sequence[str], k1: float = 1.5, b: float = 0.75) -> Bm25:
    engine = Bm25(k1, b)
    engine.index(passages, lambda _done: None)
    return engine


def test_scores_are_those_of_the_formula() -> None:
    # Three passages, mean length (3 + 2 + 1) / 3 = 2; the query says bb twice.
    #   idf(aa) = ln(1 + (3 - 1 + .5) / (1 + .5)) = ln(8/3) = .980829
    #   idf(bb) = ln(1 + (3 - 2 + .5) / (2 + .5)) = ln(8/5) = .470004
    #   first, length 3:  k1 (1 - b + b · 3/2) = 1.5 · 1.375 = 2.0625
    #     aa twice: 2 / (2 + 2.0625) = .492308    bb once: 1 / (1 + 2.0625) = .326531
    #     .980829 · .492308 + 2 · .470004 · .326531 = .482870 + .306941 = .789811
    #   second, length 2: k1 · 1 = 1.5
    #     bb once: 1 / 2.5 = .4, and 2 · .470004 · .4 = .376003
    hits = indexed(["aa bb aa", "bb cc", "dd"]).search("aa bb bb", 10)
    assert hits.positions.tolist() == [0, 1]
    np.testing.assert_allclose(hits.scores, [0.789811, 0.376003], atol=1e-6)


def plain_bm25(passages: Sequence[Sequence[str]], query: Sequence[str], k1: float, b: float) -> list[float]:
    """The formula, term by term and passage by passage."""
    mean = sum(map(len, passages)) / len(passages)
    scores = []
    for passage in passages:
        counts, score = Counter(passage), 0.0
        for term in filter(counts.__contains__, query):
            df = sum(term in other for other in passages)
            tf = counts[term]
            idf = math.log(1 + (len(passages) - df + 0.5) / (df + 0.5))
            score += idf * tf / (tf + k1 * (1 - b + b * len(passage) / mean))
        scores.append(score)
    return scores


terms = st.lists(st.sampled_from(["aa", "bb", "cc", "dd"]), max_size=6)


@given(
    passages=st.lists(terms, min_size=1, max_size=8).filter(any),
    query=terms,
    k1=st.sampled_from([0.9, 1.5, 2.0]),
    b=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_scores_are_those_of_a_plain_loop(
    passages: list[list[str]], query: list[str], k1: float, b: float
) -> None:
    expected = np.round(plain_bm25(passages, query, k1, b), 6)
    order = sorted((i for i, score in enumerate(expected) if score > 0), key=lambda i: (-expected[i], i))
    hits = indexed([" ".join(passage) for passage in passages], k1, b).search(" ".join(query), 5)
    np.testing.assert_allclose(hits.scores, expected[order][:5], atol=1.1e-6)
    np.testing.assert_allclose(expected[hits.positions], hits.scores, atol=1.1e-6)
    assert len(hits.positions) == min(5, len(order))


def test_ties_come_in_the_order_of_the_corpus() -> None:
    hits = indexed(["xx", "aa bb", "aa cc", "aa bb", "aa dd"]).search("aa", 3)
    assert hits.positions.tolist() == [1, 2, 3]
    assert len(set(hits.scores.tolist())) == 1


@pytest.mark.parametrize("query", ["", "  ", "！？", "zz", "yy zz"])
def test_nothing_is_returned_for_a_query_that_shares_no_word(query: str) -> None:
    assert indexed(["aa", "bb"]).search(query, 5).positions.tolist() == []


@pytest.mark.parametrize("passages", [[""], ["，。", " "]])
def test_a_corpus_without_words_returns_nothing(passages: list[str]) -> None:
    assert indexed(passages).search("aa", 5).positions.tolist() == []


def test_a_blank_passage_does_not_shift_positions() -> None:
    assert indexed(["", "aa", "，", "aa"]).search("aa", 5).positions.tolist() == [1, 3]


def test_chinese_query_finds_its_passage() -> None:
    engine = indexed(["高铁二等座可以报销", "酒店住宿标准为每晚五百元", "请假需要提前申请"])
    assert engine.search("住宿标准是多少", 1).positions.tolist() == [1]


def test_progress_and_card() -> None:
    seen: list[int] = []
    engine = Bm25(k1=1.2)
    engine.index(["aa", "bb", "cc"], seen.append)
    assert seen == [1, 2, 3]
    card = engine.card()
    assert (card["method"], card["k1"], card["b"]) == ("lucene", 1.2, 0.75)
    assert card["score_direction"] == "higher"
    assert "jieba" in card["tokenizer"]
    assert engine.search("aa", 1).latency_ms["search"] > 0
