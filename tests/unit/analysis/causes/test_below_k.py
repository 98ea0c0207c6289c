"""In the list, below K."""

from __future__ import annotations

from ragtui.analysis.causes.below_k import below_k
from tests.unit.analysis.causes.making import case

HITS = {"dense": ["taxi#1", "rail#3", "rail#4", "hotel-2024#2", "meal#1"]}


def test_it_was_retrieved_and_stands_too_low() -> None:
    found = below_k(case(["meal#1", "hotel-2021#1"], HITS))
    assert found is not None
    assert (found.cause, found.rule) == ("ranking", "below-k-by")
    # scores fall by .1: rank 3 has .8, rank 5 has .6
    assert dict(found.values) == {"chunk": "meal#1", "rank": 5, "k": 3, "gap": "0.2"}


def test_of_several_the_one_that_came_closest_is_named() -> None:
    found = below_k(case(["meal#1", "hotel-2024#2"], HITS))
    assert found is not None
    assert dict(found.values)["rank"] == 4


def test_not_where_it_is_nowhere_or_above() -> None:
    assert below_k(case(["hotel-2021#1"], HITS)) is None
    assert below_k(case(["taxi#1"], HITS)) is None
