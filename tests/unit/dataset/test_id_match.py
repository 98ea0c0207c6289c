"""Guesses why ids of two files do not meet."""

from __future__ import annotations

import pytest

from ragtui.dataset.id_match import examples, guess


@pytest.mark.parametrize(
    ("left", "right", "cause"),
    [
        (["Q1", "Q2"], ["q1", "q2"], "case"),
        (["q 1", "q 2 "], ["q1", "q2"], "space"),
        (["7", "12"], ["007", "0012"], "number"),
        (["7.0", "12.0"], ["7", "12"], "number"),
        (["doc_7", "doc_12"], ["7", "12"], "prefix"),
        (["7", "12"], ["msmarco-7", "msmarco-12"], "prefix"),
        (["docs/a.md", "docs/b.md"], ["a", "b"], "extension"),
        (["a#1", "b#4"], ["a", "b"], "document"),
        (["a", "b"], ["a#1", "b#4"], "document-gold"),
        (["guide_c3", "guide_c4"], ["guide", "rules"], "document"),
        (["1", "2"], ["365", "241"], "renumbered"),
        (["alpha"], ["omega"], "unknown"),
        ([], ["omega"], "unknown"),
    ],
)
def test_guess(left: list[str], right: list[str], cause: str) -> None:
    assert guess(left, set(right)).key == f"dataset.id-cause.{cause}"


def test_examples_are_few_and_short() -> None:
    assert examples(["a", "b", "c", "d"]) == "'a', 'b', 'c'"
    assert len(examples(["x" * 1000])) < 50
    assert examples([]) == "-"
