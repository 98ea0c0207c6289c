"""Evidence found, answer wrong."""

from __future__ import annotations

from ragtui.analysis.causes.wrong_answer import wrong_answer
from tests.unit.analysis.causes.making import case

HITS = {"dense": ["meal#1", "taxi#1"]}


def test_all_evidence_and_a_wrong_answer() -> None:
    found = wrong_answer(case(["meal#1"], HITS, answer_correct=False))
    assert found is not None
    assert (found.cause, found.rule) == ("generation", "wrong-answer")
    in_prompt = wrong_answer(case(["meal#1"], HITS, answer_correct=False, prompt=["meal#1"]))
    assert in_prompt is not None
    assert (in_prompt.cause, in_prompt.rule) == ("generation", "wrong-answer-prompt")


def test_evidence_that_did_not_reach_the_prompt_is_a_matter_of_ranking() -> None:
    found = wrong_answer(case(["meal#1"], HITS, answer_correct=False, prompt=["taxi#1"]))
    assert found is not None
    assert (found.cause, found.rule) == ("ranking", "not-in-prompt")


def test_missing_evidence_or_an_answer_not_known_to_be_wrong_is_none() -> None:
    assert wrong_answer(case(["rail#1"], HITS, answer_correct=False)) is None
    assert wrong_answer(case(["meal#1"], HITS, answer_correct=True)) is None
    assert wrong_answer(case(["meal#1"], HITS)) is None
