"""Intervals of thresholds, rates, cross-fitting, probabilities: against slow code, scikit-learn, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from ragtui.analysis.calibration.calibrate import Aim, Threshold, calibrate
from ragtui.analysis.calibration.crossfit import cross_fitted, folds
from ragtui.analysis.calibration.fit import Chosen, Reason, choose, choose_for
from ragtui.analysis.calibration.probability import (
    BINS,
    LEAST,
    Probability,
    probability,
    reliability,
    reweighted,
)
from ragtui.analysis.calibration.rates import Rates, rates_at
from ragtui.analysis.calibration.rules import Cost, MaxFalseAnswers, RefusalF1, Rule, Youden
from ragtui.analysis.calibration.sample import NO_ANSWER
from ragtui.analysis.calibration.threshold_interval import ThresholdInterval, threshold_interval
from ragtui.stats.intervals import wilson
from tests.unit.analysis.calibration.made import normal_sample, sample_of

RULES: list[Rule] = [Youden(), RefusalF1(), Cost((2.0, 1.0)), MaxFalseAnswers(0.1)]


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_the_interval_is_that_of_choosing_again_and_again(rule: Rule) -> None:
    """1,500 resamples one by one, by the function that chooses; ends agree within what chance explains."""
    sample = normal_sample(90, 10, 80)
    found = threshold_interval(sample, rule)
    rng = np.random.default_rng(9)
    groups = [np.flatnonzero(sample.kind != NO_ANSWER), np.flatnonzero(sample.kind == NO_ANSWER)]
    slow = []
    for _ in range(1_500):
        rows = np.concatenate([rng.choice(group, len(group)) for group in groups])
        chosen = choose(sample.strength[rows], sample.kind[rows] == NO_ANSWER, rule)
        assert isinstance(chosen, Chosen)
        slow.append(chosen.strength)
    low, high = np.quantile(slow, [0.025, 0.975])
    assert found.low is not None
    assert found.high is not None
    spread = high - low
    assert abs(found.low - low) < 0.15 * spread
    assert abs(found.high - high) < 0.15 * spread
    assert found.resamples == 10_000


def test_the_interval_is_the_same_every_time_and_holds_the_threshold() -> None:
    sample = normal_sample(120, 0, 120)
    first, second = (threshold_interval(sample, Youden()) for _ in range(2))
    assert first == second
    chosen = choose_for(sample, Youden())
    assert isinstance(chosen, Chosen)
    assert first.low is not None
    assert first.high is not None
    assert first.low <= chosen.strength <= first.high


def test_clusters_are_drawn_whole() -> None:
    """Two clusters, so that a resample holds one of them twice or both: few thresholds are possible."""
    drawn = [(3.0, 0), (2.0, 2), (1.0, 0), (0.0, 2)]
    sample = sample_of(drawn, clusters=[0, 0, 1, 1])
    found = threshold_interval(sample, Youden())
    assert found.clusters
    assert (found.low, found.high) == (1.0, 3.0)
    alone = replace(sample, clusters=np.arange(4))
    assert threshold_interval(alone, Youden()).clusters


def test_a_bound_over_queries_that_are_alike_is_warned_of() -> None:
    sample = normal_sample(30, 0, 30)
    alone, alike = (replace(sample, clusters=np.arange(60) // size) for size in (1, 2))
    assert calibrate("run", Aim(), sample, sample).warnings == ()
    assert calibrate("run", Aim(), alone, alone).warnings == ()
    assert [one.kind for one in calibrate("run", Aim(), alike, alike).warnings] == ["clusters"]


def test_wider_with_clusters_that_are_alike() -> None:
    few = normal_sample(30, 0, 30)
    rows = np.repeat(np.arange(60), 5)
    many = sample_of(
        [(float(few.values[row]), int(few.kind[row])) for row in rows], clusters=[int(row) for row in rows]
    )
    with_clusters = threshold_interval(many, Youden())
    without = threshold_interval(replace(many, clusters=None), Youden())
    assert with_clusters.low is not None
    assert with_clusters.high is not None
    assert without.low is not None
    assert without.high is not None
    assert with_clusters.high - with_clusters.low >= without.high - without.low


def test_no_interval_where_every_resample_agrees() -> None:
    sample = sample_of([(1.0, 0)] * 20 + [(0.0, 2)] * 20)
    found = threshold_interval(sample, Youden())
    assert (found.low, found.high, found.reason) == (None, None, "all-equal")


def test_cross_fitting_judges_each_query_by_the_others() -> None:
    sample = normal_sample(70, 10, 60, apart=1.0)
    found = cross_fitted(sample, Youden())
    assert isinstance(found, Rates)
    fold = folds(sample)
    answered = np.zeros(len(sample), dtype=bool)
    for row in range(len(sample)):
        others = fold != fold[row]
        chosen = choose(sample.strength[others], sample.kind[others] == NO_ANSWER, Youden())
        assert isinstance(chosen, Chosen)
        answered[row] = sample.values[row] >= chosen.strength
    assert found.false_answer.count == answered[sample.kind == NO_ANSWER].sum()
    assert found.false_refusal.count == (~answered[sample.kind != NO_ANSWER]).sum()
    assert found.coverage.count == answered.sum()
    assert (found.method, found.at_most, found.coverage.low) == ("cross-fitted", None, None)


def test_folds_spread_the_kinds_and_keep_clusters() -> None:
    sample = normal_sample(40, 20, 30)
    for kind in range(3):
        counts = np.bincount(folds(sample)[sample.kind == kind], minlength=10)
        assert counts.max() - counts.min() <= 1
    clustered = replace(sample, clusters=np.arange(90) // 3)
    by_cluster = folds(clustered).reshape(30, 3)
    assert (by_cluster == by_cluster[:, :1]).all()


def test_no_estimate_where_nine_tenths_are_too_few() -> None:
    """29 no-answer queries suffice for 10 %, nine tenths of them do not."""
    sample = normal_sample(50, 0, 29, apart=4.0)
    assert isinstance(choose_for(sample, MaxFalseAnswers(0.1)), Chosen)
    found = cross_fitted(sample, MaxFalseAnswers(0.1))
    assert isinstance(found, Reason)
    assert found.kind == "fold"
    calibration = calibrate("run", Aim(rule=MaxFalseAnswers(0.1)), sample, sample)
    assert calibration.usable
    assert calibration.rates is None
    assert calibration.rates_reason == found


def test_rates_by_hand() -> None:
    """Threshold .5 answers 2 of 3 found, 1 of 2 missed, 1 of 4 no-answer."""
    drawn = [(0.9, 0), (0.5, 0), (0.4, 0), (0.8, 1), (0.1, 1), (0.6, 2), (0.3, 2), (0.2, 2), (None, 2)]
    found = rates_at(sample_of([*drawn]), 0.5, "held-out")
    assert (found.false_answer.count, found.false_answer.n) == (1, 4)
    assert (found.false_refusal.count, found.false_refusal.n) == (2, 5)
    assert (found.coverage.count, found.coverage.n) == (4, 9)
    assert (found.risk.count, found.risk.n) == (2, 4)
    assert (found.risk.low, found.risk.high) == wilson(2, 4)
    # (1 − p)^4 + 4p(1 − p)^3 = .05 at p = .7514
    assert found.at_most == pytest.approx(0.7514, abs=5e-5)


def test_rates_of_what_is_not_there_are_unsaid() -> None:
    found = rates_at(sample_of([(0.9, 0)]), 2.0, "held-out")
    assert (found.false_answer.value, found.false_answer.n, found.at_most) == (None, 0, None)
    assert (found.risk.value, found.risk.n) == (None, 0)


def test_rates_with_clusters_are_bootstrapped_over_them() -> None:
    sample = normal_sample(60, 0, 60)
    alone = rates_at(sample, 1.0, "held-out")
    paired = rates_at(replace(sample, clusters=np.arange(120) // 10), 1.0, "held-out")
    assert paired.coverage.value == alone.coverage.value
    assert (paired.coverage.low, paired.coverage.high) != (alone.coverage.low, alone.coverage.high)


def test_reliability_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(6)
    chance = rng.random(500) ** 2
    is_answerable = rng.random(500) < chance * 0.8
    found = reliability(chance, is_answerable)
    shares, means = calibration_curve(is_answerable, chance, n_bins=BINS)
    sizes = np.histogram(chance, np.linspace(0, 1, BINS + 1))[0]
    assert [part.answerable for part in found.bins] == pytest.approx(shares.tolist())
    assert [part.predicted for part in found.bins] == pytest.approx(means.tolist())
    assert [part.n for part in found.bins] == sizes[sizes > 0].tolist()
    assert found.ece == pytest.approx((np.abs(shares - means) * sizes[sizes > 0]).sum() / 500)
    assert found.brier == pytest.approx(brier_score_loss(is_answerable, chance))


def test_a_probability_needs_fifty_of_each_kind() -> None:
    few, enough = normal_sample(200, 0, LEAST - 1), normal_sample(200, 0, LEAST)
    refused = probability(few, few)
    assert isinstance(refused, Reason)
    assert dict(refused.values) == {"n": 49, "least": 50}
    assert isinstance(probability(enough, enough), Probability)


def test_probabilities_rise_with_the_score_and_are_near_the_truth() -> None:
    """Scores normal, 2 apart, as many of each kind: the chance at s is 1 ÷ (1 + exp(2 − 2s))."""
    fit, held_out = normal_sample(2000, 0, 2000, seed=1), normal_sample(2000, 0, 2000, seed=2)
    found = probability(fit, held_out)
    assert isinstance(found, Probability)
    assert found.held_out
    scores = np.linspace(-3, 5, 81)
    truth = 1 / (1 + np.exp(2 - 2 * scores))
    assert found.platt.at(scores) == pytest.approx(truth, abs=0.03)
    for curve in (found.platt, found.isotonic):
        values = curve.at(scores)
        assert (np.diff(values) >= 0).all()
        assert ((values >= 0) & (values <= 1)).all()
        assert curve.reliability.ece < 0.05
        assert curve.at(np.array([np.nan])).tolist() == [0.0]


def test_for_distances_probabilities_fall() -> None:
    sample = normal_sample(100, 0, 100)
    mirrored = replace(sample, values=-sample.values, run_direction="lower")
    plain, turned = probability(sample, sample), probability(mirrored, mirrored)
    assert isinstance(plain, Probability)
    assert isinstance(turned, Probability)
    scores = np.linspace(-2, 4, 13)
    assert turned.platt.at(-scores) == pytest.approx(plain.platt.at(scores))
    assert turned.isotonic.at(-scores) == pytest.approx(plain.isotonic.at(scores))


def test_a_prior_multiplies_the_odds() -> None:
    """Odds 1:1 at a base of 1:1 become 9:1 at a prior of .9; certainty stays."""
    assert reweighted(np.array([0.5, 0.0, 1.0]), 0.5, 0.9) == pytest.approx([0.9, 0.0, 1.0])


@pytest.mark.parametrize(
    ("value", "below", "text"),
    [
        (0.839123, 0.8385, "0.8391"),
        (0.8391239, 0.8391231, "0.8391239"),
        (17.89886, 17.87126, "17.89"),
        (17.89886, 17.8985, "17.8988"),
        (-0.839123, -0.8385, "-0.8391"),
        (0.25, None, "0.2500"),
        (0.0, -1.0, "0.000"),
        (123456.5, 123400.0, "123456"),
    ],
    ids=str,
)
def test_a_written_threshold_does_what_the_exact_one_does(
    value: float, below: float | None, text: str
) -> None:
    interval = ThresholdInterval(None, None, 10_000, 0)
    assert Threshold(value, below, interval, "youden").written == text
