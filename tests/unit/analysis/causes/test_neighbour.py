"""The chunk beside it was found."""

from __future__ import annotations

from ragtui.analysis.causes.neighbour import neighbour
from tests.unit.analysis.causes.making import case


def test_the_chunk_beside_it_was_found() -> None:
    found = neighbour(case(["rail#2"], {"dense": ["taxi#1", "rail#1"]}))
    assert found is not None
    assert found.cause == "chunk-boundary"
    assert dict(found.values) == {"chunk": "rail#2", "near": "rail#1", "rank": 2}


def test_a_neighbour_below_k_or_needed_itself_says_nothing() -> None:
    assert neighbour(case(["rail#2"], {"dense": ["taxi#1", "meal#1", "hotel-2024#1", "rail#1"]})) is None
    assert neighbour(case(["rail#2", "rail#1"], {"dense": ["taxi#1", "rail#1"]})) is None
    assert neighbour(case(["rail#1"], {"dense": ["rail#3"]})) is None
