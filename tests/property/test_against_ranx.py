"""The default convention equals ranx where both define the same; `ndcg_burges` has the gain 2^g − 1."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.property.made_up import KS, Case, cases

SAME = {"ndcg_burges": "ndcg", "recall": "recall", "precision": "precision", "mrr": "mrr", "hit_rate": "hit"}


@pytest.fixture(scope="module")
def ranx() -> Iterator[ModuleType]:
    """Ranx as plain Python: compiling it takes a minute, and its definitions are the same either way."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import numba

        patch.setattr(numba.config, "DISABLE_JIT", 1)
        import ranx

        yield ranx


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])
@given(case=cases(lowest_grade=0))
def test_default_convention_equals_ranx(ranx: ModuleType, case: Case) -> None:
    gold = {query: grades for query, grades in case.gold.items() if max(grades.values()) > 0}
    # ranx promises no order of ties and knows no empty list, so the order of the run is made plain, and an
    # empty list is one of a chunk that nobody judged
    lists = {
        query: {
            chunk: float(-place) for place, chunk in enumerate(case.first_places().get(query) or ["none"])
        }
        for query in gold
    }
    assume(gold)
    run = ranx.Run(lists)
    ranx.evaluate(ranx.Qrels(gold), run, [f"{theirs}@{k}" for theirs in SAME for k in KS])
    table = case.result("ragtui").table
    assert set(table.index) == set(gold)
    for theirs, name in SAME.items():
        for k in KS:
            ours = table[f"{name}@{k}"].to_dict()
            expected = run.scores[f"{theirs}@{k}"]
            assert ours == {query: pytest.approx(expected[query], abs=1e-9) for query in gold}, (name, k)


def test_the_gain_is_exponential(ranx: ModuleType) -> None:
    # grades 3 and 1 in reverse order: (1/1 + 7/log2(3)) ÷ (7/1 + 1/log2(3)) = 0.7098
    case = Case({"q": {"a": 1, "b": 3}}, {"q": [("a", 2.0), ("b", 1.0)]})
    theirs = ranx.evaluate(ranx.Qrels(case.gold), ranx.Run(case.first_places()), "ndcg_burges@5")
    assert theirs == pytest.approx(0.7098, abs=5e-5)
    assert case.result("ragtui").table["ndcg@5"].to_dict() == {"q": pytest.approx(theirs)}
