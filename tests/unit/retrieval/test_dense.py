from __future__ import annotations

import numpy as np
import pytest

from ragtui.retrieval.dense import Dense, Distance
from tests.unit.retrieval.conftest import LetterEmbedder

PASSAGES = ["aab", "b", "  ", "cccccccccc", "aaaaab", "bb"]


def indexed(distance: Distance) -> Dense:
    engine = Dense(LetterEmbedder(), distance)
    engine.index(PASSAGES, lambda _done: None)
    return engine


def test_cosine_by_hand() -> None:
    # Letters a, b, c: the query is (1, 1, 0), length √2.
    #   aab (2, 1, 0): 3 / (√5 √2) = .948683     b and bb: 1 / √2 = .707107
    #   aaaaab (5, 1, 0): 6 / (√26 √2) = .832050  cccccccccc: 0
    hits = indexed("cosine").search("ab", 10)
    assert hits.positions.tolist() == [0, 4, 1, 5, 3]
    np.testing.assert_allclose(hits.scores, [0.948683, 0.832050, 0.707107, 0.707107, 0], atol=1e-6)


def test_dot_by_hand() -> None:
    hits = indexed("dot").search("ab", 3)
    assert hits.positions.tolist() == [4, 0, 5]
    assert hits.scores.tolist() == [6, 3, 2]


def test_latency_of_both_steps() -> None:
    latency = indexed("cosine").search("ab", 1).latency_ms
    assert set(latency) == {"embed", "search"}
    assert all(value > 0 for value in latency.values())


@pytest.mark.parametrize("query", ["", " \n\u3000"])
def test_a_blank_query_finds_nothing_and_is_not_embedded(query: str) -> None:
    hits = indexed("cosine").search(query, 3)
    assert hits.positions.tolist() == []
    assert hits.latency_ms == {}


def test_card_counts_blank_and_long_texts() -> None:
    engine = indexed("cosine")
    engine.search("ab", 1)
    engine.search("abcabcabcabc", 1)
    card = engine.card()
    assert (card["blank_passages"], card["long_passages"], card["long_queries"]) == (1, 1, 1)
    assert (card["window"], card["long_texts"], card["dimension"]) == (9, "cut", 3)
    assert (card["query_prefix"], card["passage_prefix"]) == ("q: ", "p: ")
    assert "api_base" not in card


def test_passages_come_from_the_cache_the_second_time() -> None:
    first, second = LetterEmbedder(), LetterEmbedder()
    progress: list[int] = []
    for embedder in (first, second):
        Dense(embedder, "cosine").index(PASSAGES, progress.append)
    assert first.passages_asked == [text for text in PASSAGES if text.strip()]
    assert second.passages_asked == []
    assert progress == [1, 3, 5, 6, 6]


def test_a_corpus_of_blank_texts_returns_nothing() -> None:
    engine = Dense(LetterEmbedder(), "cosine")
    engine.index(["", " "], lambda _done: None)
    assert engine.search("a", 3).positions.tolist() == []


def test_closing_closes_the_model() -> None:
    embedder = LetterEmbedder()
    Dense(embedder, "cosine").close()
    assert embedder.closed
