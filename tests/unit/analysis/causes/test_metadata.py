"""The query says another thing than the first result."""

from __future__ import annotations

from ragtui.analysis.causes.metadata import metadata
from tests.unit.analysis.causes.making import case

HITS = {"dense": ["rail#2", "taxi#1", "rail#3", "meal#1"]}


def test_the_first_result_is_of_another_city() -> None:
    found = metadata(case(["meal#1"], HITS, query={"city": "shanghai "}))
    assert found is not None
    assert found.cause == "metadata-filter"
    assert dict(found.values) == {"key": "city", "asked": "shanghai ", "has": "Beijing", "chunk": "rail#2"}


def test_a_role_is_a_matter_of_permission() -> None:
    found = metadata(case(["meal#1"], HITS, query={"role": "staff"}))
    assert found is not None
    assert found.cause == "permission-role"


def test_it_needs_evidence_that_agrees_with_the_query() -> None:
    assert metadata(case(["meal#1"], HITS, query={"city": "Xi'an"})) is None
    assert metadata(case(["meal#1"], HITS)) is None
    assert metadata(case(["rail#4"], HITS, query={"city": "Shanghai"})) is None
    # a first result that says nothing contradicts nothing
    assert metadata(case(["meal#1"], {"dense": ["taxi#1"]}, query={"city": "Shanghai"})) is None
