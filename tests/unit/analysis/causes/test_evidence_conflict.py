"""Two versions in the prompt, and a wrong answer."""

from __future__ import annotations

from ragtui.analysis.causes.evidence_conflict import evidence_conflict
from tests.unit.analysis.causes.making import case

BOTH = ["hotel-2024#1", "hotel-2021#1"]


def test_two_versions_in_the_prompt_and_a_wrong_answer() -> None:
    found = evidence_conflict(case(["hotel-2024#1"], {"dense": BOTH}, prompt=BOTH, answer_correct=False))
    assert found is not None
    assert found.cause == "evidence-conflict"
    assert dict(found.values) == {"older": "hotel-2021#1", "newer": "hotel-2024#1"}


def test_neither_a_right_answer_nor_one_version_nor_missing_evidence_is_a_conflict() -> None:
    gold, runs = ["hotel-2024#1"], {"dense": BOTH}
    assert evidence_conflict(case(gold, runs, prompt=BOTH, answer_correct=True)) is None
    assert evidence_conflict(case(gold, runs, prompt=BOTH)) is None
    assert evidence_conflict(case(gold, runs, prompt=BOTH[:1], answer_correct=False)) is None
    assert evidence_conflict(case(["taxi#1"], runs, prompt=BOTH, answer_correct=False)) is None
