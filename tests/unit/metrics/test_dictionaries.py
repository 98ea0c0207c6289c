"""Dictionaries are looked through as they stand only where that gives what lists and a table give."""

from __future__ import annotations

from collections import UserDict, defaultdict
from typing import Any

import numpy as np
import pytest

import ragtui
from ragtui.metrics.dictionaries import GradedChunks, ScoredChunks


class Id(str):
    """Text that is found under another hash than the text."""

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return self is other


GOLD = {"q": {"a": 1, "b": 2}}
NO_TEXTS = [1, Id("a"), np.str_("c"), None, ("a",), "\ud800"]
NO_TEXT_IDS = [type(value).__name__ for value in NO_TEXTS[:-1]] + ["half"]


@pytest.mark.parametrize("strange", NO_TEXTS, ids=NO_TEXT_IDS)
def test_ids_that_are_no_plain_text(strange: Any) -> None:
    graded = GradedChunks.of(GOLD)
    assert graded is not None
    assert GradedChunks.of({strange: {"a": 1}}) is None
    assert GradedChunks.of({"q": {"a": 1, strange: 1}}) is None
    assert ScoredChunks.of({"q": {"b": 1.0, strange: 1.0}}, graded) is None
    assert ScoredChunks.of({"q": {"b": 1.0}, "unjudged": {strange: 1.0}}, graded) is None
    assert ScoredChunks.of({"q": {"b": 1.0}, strange: {"a": 1.0}}, graded) is None


@pytest.mark.parametrize("value", [None, "one", float("nan"), [1.0], 10**400], ids=str)
def test_values_that_are_no_numbers(value: Any) -> None:
    graded = GradedChunks.of(GOLD)
    assert graded is not None
    assert GradedChunks.of({"q": {"a": value}}) is None
    assert ScoredChunks.of({"q": {"a": value}}, graded) is None
    assert ScoredChunks.of({"q": {}, "unjudged": {"x": value}}, graded) is None


@pytest.mark.parametrize(
    "shape", [{}, {"q": {}}, {"q": ["a"]}, UserDict(GOLD), {"q": UserDict(a=1)}], ids=lambda s: repr(s)[:20]
)
def test_shapes_that_are_no_dictionaries_of_any(shape: Any) -> None:
    assert GradedChunks.of(shape) is None


def test_text_beyond_ascii_and_other_dictionaries_are_plain() -> None:
    gold = defaultdict(dict, {"问": {"块": 1, "😀": 2}})
    graded = GradedChunks.of(gold)
    assert graded is not None
    assert ScoredChunks.of({"问": {"块": np.float32(2), "😀": True}}, graded) is not None


def test_an_id_of_another_kind_is_found_by_its_text() -> None:
    assert ragtui.evaluate({"q": {"a": 1}}, {"q": {Id("a"): 1.0}}, ["recall@1"])["recall@1"].item() == 1.0


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ragtui.RagtuiError, match="udc00"):
        ragtui.evaluate(GOLD, {"q": {"a": 1.0, "\udc00": 2.0}}, ["recall@1"])


def test_equal_scores_are_in_the_order_of_the_convention() -> None:
    """Of a, c, b at 1.0 below d at 2.0, trec_eval has c second, then b, then a."""
    gold = {"q": {"a": 1}}
    run = {"q": {"a": 1.0, "c": 1.0, "b": 1.0, "d": 2.0}}
    assert ragtui.per_query(gold, run, ["mrr"], k=4)["first_rank"].item() == 2
    assert ragtui.per_query(gold, run, ["mrr"], k=4, convention="trec")["first_rank"].item() == 4
    assert ragtui.evaluate(gold, run, ["mrr"], k=(1, 2)).attrs["counts"]["run"]["ties"] == 1
