"""All groups but one."""

from __future__ import annotations

from ragtui.analysis.causes.all_but_one import all_but_one
from tests.unit.analysis.causes.making import case

HITS = {"dense": ["meal#1", "taxi#1"]}


def test_one_group_of_several_is_missing() -> None:
    found = all_but_one(case(["meal#1", "taxi#1", "rail#4"], HITS))
    assert found is not None
    assert found.cause == "partial-evidence"
    assert dict(found.values) == {"got": 2, "groups": 3, "chunk": "rail#4", "k": 3}


def test_alternatives_are_one_group() -> None:
    groups = {"rail#4": "rail", "rail#3": "rail"}
    found = all_but_one(case(["meal#1", "rail#4", "rail#3"], HITS, groups=groups))
    assert found is not None
    assert dict(found.values)["groups"] == 2
    either = {"meal#1": "one", "rail#3": "one"}
    assert all_but_one(case(["meal#1", "rail#3"], HITS, groups=either)) is None


def test_the_only_group_or_several_missing_is_something_else() -> None:
    assert all_but_one(case(["rail#4"], HITS)) is None
    assert all_but_one(case(["meal#1", "rail#4", "rail#3"], HITS)) is None
    assert all_but_one(case(["meal#1"], HITS)) is None
