"""Found by bm25 only, or by dense retrieval only."""

from __future__ import annotations

from ragtui.analysis.causes.other_kind import other_kind
from tests.unit.analysis.causes.making import case


def test_words_find_what_vectors_do_not() -> None:
    found = other_kind(case(["meal#1"], {"e5-dense": ["taxi#1"], "minilm": ["taxi#1"], "bm25": ["meal#1"]}))
    assert found is not None
    assert (found.cause, found.rule) == ("embedding-mismatch", "only-lexical")
    assert dict(found.values) == {"chunk": "meal#1", "run": "bm25", "rank": 1}


def test_vectors_find_what_words_do_not() -> None:
    found = other_kind(case(["meal#1"], {"bm25": ["taxi#1"], "e5-small": ["taxi#1", "meal#1"]}))
    assert found is not None
    assert (found.cause, found.rule) == ("lexical-mismatch", "only-dense")


def test_not_where_a_run_of_the_same_kind_has_it_or_its_kind_is_not_known() -> None:
    assert other_kind(case(["meal#1"], {"e5-small": ["taxi#1"], "minilm": ["meal#1"]})) is None
    runs = {"e5-small": ["taxi#1"], "minilm": ["meal#1"], "bm25": ["meal#1"]}
    assert other_kind(case(["meal#1"], runs)) is None
    assert other_kind(case(["meal#1"], {"mine": ["taxi#1"], "bm25": ["meal#1"]})) is None


def test_a_list_that_ends_at_k_says_nothing_of_what_stands_below() -> None:
    runs = {"e5-small": ["taxi#1"], "bm25": ["meal#1"]}
    assert other_kind(case(["meal#1"], runs, depth=3)) is None
