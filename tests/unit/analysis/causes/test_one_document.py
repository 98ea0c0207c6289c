"""One document fills the first K."""

from __future__ import annotations

from ragtui.analysis.causes.one_document import one_document
from tests.unit.analysis.causes.making import case


def test_one_document_crowds_out_the_others() -> None:
    found = one_document(case(["meal#1"], {"dense": ["rail#3", "rail#4", "rail#1", "meal#1"]}))
    assert found is not None
    assert found.cause == "noise"
    assert dict(found.values) == {"k": 3, "document": "rail"}


def test_not_where_the_evidence_is_in_it_or_others_are_there() -> None:
    assert one_document(case(["rail#2"], {"dense": ["rail#3", "rail#4", "rail#1", "meal#1"]})) is None
    assert one_document(case(["meal#1"], {"dense": ["rail#3", "taxi#1", "rail#1"]})) is None
    assert one_document(case(["meal#1"], {"dense": ["rail#3", "rail#4"]})) is None
    assert one_document(case(["meal#1"], {"dense": ["rail#3", "rail#4"]}, k=2)) is None
