"""Judge and gold disagree."""

from __future__ import annotations

from ragtui.analysis.causes.judge_differs import judge_differs
from ragtui.analysis.judged import ChunkVerdict, JudgedQuery
from tests.unit.analysis.causes.making import case

HITS = {"dense": ["taxi#1", "rail#1", "rail#3", "meal#1"]}


def judged(**useful: bool | None) -> JudgedQuery:
    return JudgedQuery({name.replace("_", "#"): ChunkVerdict(value, "") for name, value in useful.items()})


def test_what_the_judge_finds_useful_may_be_missing_in_gold() -> None:
    found = judge_differs(case(["meal#1"], HITS, judged=judged(rail_1=True, taxi_1=False)))
    assert found is not None
    assert (found.cause, found.rule) == ("gold-missing", "judge-finds")
    assert dict(found.values) == {"chunk": "rail#1", "rank": 2, "grade": ""}
    graded = judge_differs(case({"meal#1": 1, "rail#1": 0}, HITS, judged=judged(rail_1=True)))
    assert graded is not None
    assert graded.rule == "judge-finds-graded"
    assert "gives it 0" in graded.evidence("en")


def test_what_the_judge_refuses_may_be_wrong_in_gold() -> None:
    found = judge_differs(case(["meal#1", "rail#1"], HITS, judged=judged(rail_1=False)))
    assert found is not None
    assert (found.cause, found.rule) == ("gold-wrong", "judge-refuses")


def test_agreement_and_failed_verdicts_say_nothing() -> None:
    assert judge_differs(case(["meal#1"], HITS)) is None
    assert judge_differs(case(["meal#1"], HITS, judged=judged(taxi_1=False, rail_1=None))) is None
    assert judge_differs(case(["meal#1", "rail#1"], HITS, judged=judged(rail_1=True))) is None
    # below K nothing is judged, and what is judged there does not matter here
    assert judge_differs(case(["rail#4"], HITS, judged=judged(meal_1=True))) is None
