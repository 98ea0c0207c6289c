"""Isotonic regression and Platt's curve, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression

from ragtui.stats.isotonic import isotonic
from ragtui.stats.platt import platt

points = st.lists(st.tuples(st.integers(-9, 9), st.sampled_from([0.0, 1.0])), min_size=1, max_size=60)


@given(points)
def test_isotonic_is_that_of_scikit_learn(drawn: list[tuple[int, float]]) -> None:
    x, y = (np.array(column, dtype=np.float64) for column in zip(*drawn, strict=True))
    knots, fitted = isotonic(x, y)
    peer = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    assert fitted == pytest.approx(peer.predict(knots), abs=1e-12)
    assert (np.diff(fitted) >= 0).all()


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e4])
@pytest.mark.parametrize("apart", [0.0, 1.0, 3.0])
def test_platt_is_that_of_scikit_learn(apart: float, scale: float) -> None:
    """scikit-learn fits 1 ÷ (1 + exp(a·s + b)), to a coarser end."""
    rng = np.random.default_rng(4)
    positive = np.arange(400) % 3 > 0
    scores = scale * (rng.normal(0, 1, 400) + apart * positive)
    slope, offset = platt(scores, positive)
    a, b = _sigmoid_calibration(scores, positive)
    ours = 1 / (1 + np.exp(-(slope * scores + offset)))
    theirs = 1 / (1 + np.exp(a * scores + b))
    assert ours == pytest.approx(theirs, abs=2e-4)


def test_platt_stays_finite_where_the_kinds_are_apart() -> None:
    """Two values are fitted exactly, to Platt's targets: 1 ÷ (2 + 2) and (2 + 1) ÷ (2 + 2)."""
    slope, offset = platt(np.array([0.0, 0.0, 1.0, 1.0]), np.array([False, False, True, True]))
    assert 1 / (1 + np.exp(-offset)) == pytest.approx(0.25)
    assert 1 / (1 + np.exp(-(slope + offset))) == pytest.approx(0.75)


def test_platt_of_one_value_is_the_share() -> None:
    slope, offset = platt(np.full(10, 3.0), np.arange(10) < 5)
    assert 1 / (1 + np.exp(-(slope * 3.0 + offset))) == pytest.approx(0.5)
