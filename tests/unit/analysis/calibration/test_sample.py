"""Counts at any threshold, the wrong side, histogram and curve, against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.calibration.histogram import histogram
from ragtui.analysis.calibration.risk_coverage import risk_coverage
from ragtui.analysis.calibration.score_names import Direction
from tests.unit.analysis.calibration.made import Pair, pairs, sample_of

directions = st.sampled_from(["higher", "lower"])


@given(pairs, st.integers(-5, 5), directions)
def test_counts_by_search_are_those_of_counting(drawn: list[Pair], step: int, direction: Direction) -> None:
    sample, threshold = sample_of(drawn, direction), step / 4
    counts = sample.counts_at(threshold)
    answered = [
        score is not None and (score <= threshold if direction == "lower" else score >= threshold)
        for score, _ in drawn
    ]
    assert sample.answers(threshold).tolist() == answered
    kinds = [kind for _, kind in drawn]
    assert (counts.found, counts.missed, counts.no_answer) == tuple(kinds.count(kind) for kind in range(3))
    assert (counts.answered_found, counts.answered_missed, counts.answered_no_answer) == tuple(
        sum(a and k == kind for a, k in zip(answered, kinds, strict=True)) for kind in range(3)
    )
    sides = [wrong.side for wrong in sample.wrong_side(threshold)]
    assert sides.count("false-answer") == counts.false_answers
    assert sides.count("false-refusal") == counts.false_refusals
    assert sides.count("missed-answer") == counts.answered_missed
    assert counts.wrong == counts.false_answers + counts.answered_missed


def test_the_farthest_on_the_wrong_side_comes_first() -> None:
    sample = sample_of([(0.6, 2), (0.9, 2), (0.1, 0), (None, 0), (0.4, 1), (0.7, 1), (0.8, 0)])
    wrong = sample.wrong_side(0.5)
    assert [(one.query_id, one.side) for one in wrong] == [
        ("q1", "false-answer"),
        ("q0", "false-answer"),
        ("q3", "false-refusal"),
        ("q2", "false-refusal"),
        ("q4", "false-refusal"),
        ("q5", "missed-answer"),
    ]
    assert wrong[0].distance == pytest.approx(0.4)
    assert (wrong[2].score, wrong[2].distance) == (None, None)


@given(pairs, st.integers(1, 30), directions)
def test_a_histogram_holds_every_query_once(drawn: list[Pair], bins: int, direction: Direction) -> None:
    sample = sample_of(drawn, direction)
    counted = histogram(sample, bins)
    assert len(counted.edges) == bins + 1
    assert (np.diff(counted.edges) > 0).all()
    for kind, part in enumerate((counted.found, counted.missed, counted.no_answer)):
        assert part.sum() + counted.without[kind] == sample.n_of(kind)
    for value in sample.values[~np.isnan(sample.values)]:
        place = counted.bin_of(float(value))
        assert counted.edges[place] <= value <= counted.edges[place + 1]
    assert counted.bin_of(-1e9) == 0
    assert counted.bin_of(1e9) == bins - 1


def test_a_histogram_of_nothing() -> None:
    counted = histogram(sample_of([(None, 0), (None, 2)]), 4)
    assert counted.without == (1, 0, 1)
    assert counted.highest == 0


def test_risk_over_coverage_by_hand() -> None:
    """Scores 4 found, 3 no-answer, 2 found and missed together, and one without a score.

    Risk 0 at 1 of 5, 1/2 at 2 of 5, 2/4 at 4 of 5; the area is (0 + 1/2 + 2 · 2/4) ÷ 4 = .375. The best order
    has both found first: (0 + 0 + 1/3 + 2/4) ÷ 4; without any order the risk is 2/4.
    """
    curve = risk_coverage(sample_of([(4.0, 0), (3.0, 2), (2.0, 0), (2.0, 1), (None, 0)]))
    assert curve.threshold.tolist() == [4.0, 3.0, 2.0]
    assert curve.coverage.tolist() == pytest.approx([0.2, 0.4, 0.8])
    assert curve.risk.tolist() == pytest.approx([0.0, 0.5, 0.5])
    assert curve.area == pytest.approx(0.375)
    assert curve.best == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert curve.chance == 0.5


@given(pairs, directions)
def test_the_curve_says_what_counts_say(drawn: list[Pair], direction: Direction) -> None:
    sample = sample_of(drawn, direction)
    curve = risk_coverage(sample)
    for threshold, coverage, risk in zip(
        curve.threshold.tolist(), curve.coverage.tolist(), curve.risk.tolist(), strict=True
    ):
        counts = sample.counts_at(threshold)
        assert coverage == pytest.approx(counts.answered / counts.queries)
        assert risk == pytest.approx(counts.wrong / counts.answered)
    if curve.area is not None:
        assert curve.best is not None
        assert curve.best - 1e-12 <= curve.area <= 1
        assert curve.risk[-1] == pytest.approx(curve.chance)
    else:
        assert np.isnan(sample.values).all()


def test_a_thinned_curve_keeps_its_ends_and_its_area() -> None:
    curve = risk_coverage(sample_of([(n / 7, n % 3) for n in range(500)]))
    thin = curve.thinned(40)
    assert len(thin.threshold) == 40
    assert (thin.threshold[0], thin.threshold[-1]) == (curve.threshold[0], curve.threshold[-1])
    assert thin.area == curve.area
    assert curve.thinned(1000) is curve
