"""Filters on what people decided: `cause:` and `is:guarded`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragtui.analysis.completion import complete
from ragtui.analysis.facts import Facts
from ragtui.analysis.where import Where, is_outcome, parse
from ragtui.analysis.where_parser import WhereError


@pytest.fixture
def tagged(facts: Facts) -> Facts:
    causes = {"q1": ("ranking", "noise"), "q2": ("stale-version",), "q4": ("ranking",), "gone": ("noise",)}
    return replace(facts, causes=causes, guarded=frozenset({"q2", "q5"}))


def matching(text: str, facts: Facts) -> list[str]:
    where = parse(text, facts)
    assert isinstance(where, Where), where
    return facts.table.frame.index[where.mask()].tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cause:ranking", ["q1", "q4"]),
        ("cause:noise", ["q1"]),
        ("cause:排序", ["q1", "q4"]),
        ("原因:ranking", ["q1", "q4"]),
        ("cause:noise,stale-version", ["q1", "q2"]),
        ('cause:"stale version"', ["q2"]),
        ("cause:none", ["q3", "q5", "q6", "q7", "q8"]),
        ("-cause:none", ["q1", "q2", "q4"]),
        ("cause:none,noise type:direct", ["q3", "q6"]),
        ("-cause:ranking is:miss", ["q2", "q5"]),
        ("is:guarded", ["q2", "q5"]),
        # what fails and has no cause yet
        ("is:to-review", ["q5"]),
        ("is:守护 -cause:none", ["q2"]),
        ("run:run.2.cause:ranking", ["q1", "q4"]),
    ],
)
def test_causes_are_asked_for_by_name_title_or_absence(text: str, expected: list[str], tagged: Facts) -> None:
    assert matching(text, tagged) == expected


def test_nobody_has_tagged_yet(facts: Facts) -> None:
    assert matching("cause:none", replace(facts, causes={})) == facts.table.frame.index.tolist()
    assert matching("cause:ranking", replace(facts, causes={})) == []
    error = parse("cause:ranking", facts)
    assert isinstance(error, WhereError)
    assert error.key == "analysis.where.no-causes"


def test_an_unknown_cause_is_told_where_it_stands(tagged: Facts) -> None:
    error = parse("is:miss cause:rankin", tagged)
    assert isinstance(error, WhereError)
    assert (error.position, error.length) == (14, 6)
    assert "ranking" in error.mend
    compared = parse("cause<3", tagged)
    assert isinstance(compared, WhereError)


def test_a_cause_is_an_outcome(tagged: Facts) -> None:
    where = parse("cause:none", tagged)
    assert isinstance(where, Where)
    assert is_outcome(where)


def test_causes_are_completed_with_counts(tagged: Facts) -> None:
    found = {one.insert: one.count for one in complete("cause:", 6, tagged)}
    assert found == {"ranking": 2, "noise": 1, "stale-version": 1, "none": 5}
    under = {one.insert: one.count for one in complete("is:partial cause:", 17, tagged)}
    assert under == {"ranking": 1, "noise": 1}
    assert [one.insert for one in complete("cau", 3, tagged)] == ["cause:"]
