"""Found by another run."""

from __future__ import annotations

import pytest

from ragtui.analysis.causes.other_run import other_run
from tests.unit.analysis.causes.making import case


@pytest.mark.parametrize(
    ("this", "cause"),
    [("bm25", "lexical-mismatch"), ("e5-small", "embedding-mismatch"), ("mine", "embedding-mismatch")],
)
def test_another_run_has_it(this: str, cause: str) -> None:
    found = other_run(
        case(["meal#1"], {this: ["taxi#1"], "second": ["taxi#1", "meal#1"], "third": ["meal#1"]})
    )
    assert found is not None
    assert found.cause == cause
    assert dict(found.values) == {"chunk": "meal#1", "run": "third", "rank": 1, "depth": 10}


def test_not_where_this_run_has_it_or_none_or_it_ends_at_k() -> None:
    below = ["taxi#1", "rail#1", "rail#3", "meal#1"]
    assert other_run(case(["meal#1"], {"one": below, "two": ["meal#1"]})) is None
    assert other_run(case(["meal#1"], {"one": ["taxi#1"], "two": ["taxi#1"]})) is None
    assert other_run(case(["meal#1"], {"one": ["taxi#1"], "two": ["meal#1"]}, depth=3)) is None
