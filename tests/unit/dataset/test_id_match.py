"""Guesses why ids of two files do not meet."""

from __future__ import annotations

import pytest

from ragtui.dataset.id_match import examples, explain, guess


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


def test_the_share_is_said_and_is_all_only_for_all() -> None:
    left = [f"Q{n}" for n in range(1, 1001)]
    almost = {one.lower() for one in left[1:]}
    assert dict(guess(left, almost).values)["share"] == "99 %"
    assert dict(guess(left, {*almost, "q1"}).values)["share"] == "100 %"
    assert "99 %" in str(guess(left, almost))


@pytest.mark.parametrize(
    ("left", "right", "cause"),
    [
        (["a", "B", "C"], ["a", "b", "c"], "case"),
        (["a", "b ", "c "], ["a", "b", "c"], "space"),
        (["1", "2.0", "3.0"], ["1", "2", "3"], "number"),
        (["10", "7", "8"], ["10", "007", "008"], "number"),
        (["a", "x", "y"], ["a", "b", "c"], "why"),
        (["a", "doc#1", "doc#2"], ["a", "doc"], "document"),
    ],
)
def test_ids_that_meet_in_part(left: list[str], right: list[str], cause: str) -> None:
    assert explain(left, right, otherwise="why").key == f"dataset.id-cause.{cause}"


def test_topics_that_were_renumbered_meet_in_part_and_are_others() -> None:
    anew = [str(n) for n in range(1, 10)]
    original = ["1", "2", "4", "8", "9", "10", "12", "15", "18"]
    assert explain(original, anew).key == "dataset.id-cause.renumbered-partly"
    assert explain(anew, original).key == "dataset.id-cause.renumbered-partly"
    # a run over fewer or more queries counts nothing anew
    assert explain(["1", "2", "4"], anew, otherwise="why").key == "dataset.id-cause.why"
    assert explain([*anew, "10"], anew, otherwise="why").key == "dataset.id-cause.why"


def test_a_field_that_holds_the_ids_is_named() -> None:
    described = [{"orig_num": 3 * n, "source": "x"} for n in range(1, 10)]
    found = explain([str(3 * n) for n in range(1, 10)], [str(n) for n in range(1, 10)], described)
    assert (found.key, dict(found.values)) == (
        "dataset.id-cause.other-field",
        {"field": "orig_num", "share": "100 %"},
    )
    documents = explain(["a", "b"], ["x", "y"], [{"doc_id": "a"}, {"doc_id": "b"}])
    assert documents.key == "dataset.id-cause.document-gold"
