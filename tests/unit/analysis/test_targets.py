from __future__ import annotations

import pytest
from scipy.stats import norm

from ragtui.analysis.targets import bounds, target
from ragtui.stats.estimate import Estimate

MIDDLE = Estimate(0.7, 0.6, 0.8, 90, "wilson")


@pytest.mark.parametrize(
    ("name", "wanted", "outcome"),
    [
        ("complete@5", 0.6, "met"),  # the interval lies at and above it
        ("complete@5", 0.61, "undecided"),
        ("complete@5", 0.8, "undecided"),
        ("complete@5", 0.81, "missed"),
        ("stale@5", 0.8, "met"),  # less is better
        ("stale@5", 0.79, "undecided"),
        ("stale@5", 0.6, "undecided"),
        ("stale@5", 0.59, "missed"),
        ("false_answer", 0.9, "met"),
        ("risk", 0.5, "missed"),
        ("context_precision@5", 0.5, "met"),  # of a judge: more is better
    ],
)
def test_an_interval_that_holds_the_target_decides_nothing(name: str, wanted: float, outcome: str) -> None:
    assert target(name, wanted, MIDDLE).outcome == outcome


def test_without_a_value_nothing_is_told() -> None:
    assert (
        target("complete@5", 0.5, Estimate(None, None, None, 0, reason="no-queries")).outcome == "undecided"
    )


def wilson_low(n: int) -> float:
    """Lower end for n of n: n ÷ (n + z²)."""
    return float(n / (n + norm.ppf(0.975) ** 2))


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_values_that_are_all_equal_bound_the_mean_by_how_many_they_are(value: float) -> None:
    low, high = bounds(Estimate(value, None, None, 90, reason="all-equal"), is_share=True)
    least = wilson_low(90)
    assert low == pytest.approx(least * value)
    assert high == pytest.approx(least * value + 1 - least)


def test_all_equal_decides_where_n_is_large_enough() -> None:
    all_found = Estimate(1.0, None, None, 90, reason="all-equal")
    assert target("recall@5", 0.95, all_found).outcome == "met"  # .959
    assert target("recall@5", 0.97, all_found).outcome == "undecided"
    assert target("tokens@5", 0.5, all_found).outcome == "undecided"  # no share: nothing bounds it
    assert target("stale@5", 0.05, Estimate(0.0, None, None, 90, reason="all-equal")).outcome == "met"
