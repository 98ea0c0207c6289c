from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.completion import Completion, complete
from ragtui.analysis.facts import Facts
from ragtui.analysis.where import parse
from ragtui.analysis.where_parser import WhereError
from tests.unit.analysis.conftest import made_set, table_of
from tests.unit.analysis.test_where import NOISE, shared_facts


def values(text: str, facts: Facts) -> dict[str, int | None]:
    return {found.insert: found.count for found in complete(text, len(text), facts)}


def applied(text: str, found: Completion) -> str:
    return text[: found.start] + found.insert + text[found.end :]


def test_fields_come_first_and_carry_no_count(facts: Facts) -> None:
    found = complete("ty", 2, facts)
    assert [(f.insert, f.label, f.count) for f in found] == [
        ("type:", "type", None),
        ("difficulty:", "difficulty", None),
    ]
    assert applied("ty", found[0]) == "type:"
    names = {f.insert for f in complete("", 0, facts)}
    assert {"is:", "rank:", "type:", "level:", "hit@5:", "run:"} <= names


def test_values_carry_how_many_queries_have_them(facts: Facts) -> None:
    assert values("type:", facts) == {
        "direct": 2,
        "multi-evidence": 1,
        "time/version": 1,
        "Direct": 1,
        "code/API": 1,
        "vague": 1,
        "none": 1,
    }
    assert values("type:dir", facts) == {"direct": 2, "Direct": 1}
    assert values("type:vague,mul", facts) == {"multi-evidence": 1}


def test_of_very_many_values_the_most_frequent_are_suggested() -> None:
    # value n is that of n queries: 120 of the last, 71 of the last but 49
    owners = [value for value in range(1, 121) for _ in range(value)]
    queries = {f"q{n}": {"text": "any", "own": f"v{value}"} for n, value in enumerate(owners)}
    facts = Facts(table_of(made_set(queries, gold=[], runs={"first": {}})))
    assert list(values("own:v", facts).items()) == [(f"v{value}", value) for value in range(120, 70, -1)]


def test_counts_are_those_under_the_rest_of_the_filter(facts: Facts) -> None:
    assert values("hit@5:0 type:", facts) == {"Direct": 1, "code/API": 1}
    assert complete("type: hit@5:0", 5, facts)[0].end == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is:mi", {"miss": 3, "missing": 1}),
        ("is:未", {"miss": 3, "unjudged": 1}),
        ("needs:a", {"a1": 2, "a2": 1}),
        ("chunk:c", {"c1": 4, "c2": 4, "c3": 2, "c4": 1}),
        ("hit@5:", {"0": 2, "1": 3, "none": 3}),
        ("run:", {"first.": None, "run.2.": None}),
        ("run:run.2.hit@1:", {"0": 2, "1": 3, "none": 3}),
        ("run:run.2.typ", {"type:": None}),
        ("-type:v", {"vague": 1}),
        ("type：v", {"vague": 1}),
        ("nothing:x", {}),
        ("type>", {}),
    ],
)
def test_what_each_kind_of_field_suggests(facts: Facts, text: str, expected: dict[str, int | None]) -> None:
    assert values(text, facts) == expected


def test_only_the_term_at_the_cursor_is_replaced(facts: Facts) -> None:
    found = complete("is:core ty hotel", 10, facts)[0]
    assert applied("is:core ty hotel", found) == "is:core type: hotel"


@given(st.sampled_from(["type:", "is:", "needs:", "hit@5:", "run:first.tags:", "created:", "id:"]))
def test_every_suggested_value_is_a_right_filter(text: str) -> None:
    facts = shared_facts()
    for found in complete(text, len(text), facts):
        assert not isinstance(parse(applied(text, found), facts), WhereError)


@given(st.one_of(NOISE, st.text()), st.integers(0, 20))
def test_nothing_raises(text: str, cursor: int) -> None:
    at = min(cursor, len(text))
    for found in complete(text, at, shared_facts()):
        assert 0 <= found.start <= found.end <= len(text)
