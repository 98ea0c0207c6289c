"""An older version above."""

from __future__ import annotations

from ragtui.analysis.causes.older_version import older_version
from tests.unit.analysis.causes.making import case


def test_an_older_version_stands_above() -> None:
    hits = ["hotel-2021#1", "taxi#1", "rail#1", "hotel-2024#1"]
    found = older_version(case(["hotel-2024#1"], {"dense": hits}))
    assert found is not None
    assert found.cause == "stale-version"
    assert dict(found.values) == {"older": "hotel-2021#1", "rank": 1, "chunk": "hotel-2024#1"}


def test_below_k_or_newer_it_does_no_harm() -> None:
    below = ["taxi#1", "rail#1", "meal#1", "hotel-2021#1", "hotel-2024#1"]
    assert older_version(case(["hotel-2024#1"], {"dense": below})) is None
    newer = ["hotel-2024#1", "taxi#1", "rail#1", "hotel-2021#1"]
    assert older_version(case(["hotel-2021#1"], {"dense": newer})) is None
