"""AUROC and its interval, against scikit-learn, hand computation and simulation."""

from __future__ import annotations

import math
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from ragtui.stats.auroc import DISJOINT_PAIRS, LOGIT_DELONG, auroc, three_digits

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=40)


@given(scores, scores)
def test_value_is_that_of_scikit_learn(positives: list[float], negatives: list[float]) -> None:
    found = auroc(np.array(positives), np.array(negatives))
    truth = [1] * len(positives) + [0] * len(negatives)
    assert found.value == pytest.approx(roc_auc_score(truth, [*positives, *negatives]), abs=1e-12)


@given(scores, scores)
def test_the_interval_holds_the_value_and_never_claims_certainty(
    positives: list[float], negatives: list[float]
) -> None:
    found = auroc(np.array(positives), np.array(negatives))
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


@given(scores, scores)
def test_turning_all_scores_turns_the_figure(positives: list[float], negatives: list[float]) -> None:
    here, there = np.array(positives), np.array(negatives)
    found, turned = auroc(here, there), auroc(-here, -there)
    assert found.value is not None
    assert found.high is not None
    assert turned.value == pytest.approx(1 - found.value)
    assert turned.low == pytest.approx(1 - found.high)


def test_variance_of_delong_by_hand() -> None:
    """Positives 3, 1 and negatives 2, 0: placements of positives 1, .5 and of negatives .5, 1.

    Each has the variance .125, so that of the AUROC .75 is .125/2 + .125/2 = .125, and on the logit scale its
    standard error is √.125 ÷ (.75 · .25) = 1.8856.
    """
    found = auroc(np.array([3.0, 1.0]), np.array([2.0, 0.0]))
    half = 1.959963984540054 * math.sqrt(0.125) / (0.75 * 0.25)
    assert found.method == LOGIT_DELONG
    assert found.value == 0.75
    assert found.low == pytest.approx(1 / (1 + math.exp(half - math.log(3))))
    assert found.high == pytest.approx(1 / (1 + math.exp(-half - math.log(3))))


@pytest.mark.parametrize(("m", "n"), [(10, 6), (6, 10), (1, 1), (500, 11)], ids=str)
def test_perfect_separation_is_as_sure_as_its_disjoint_pairs(m: int, n: int) -> None:
    found = auroc(np.full(m, 1.0), np.full(n, 0.0))
    assert (found.value, found.high, found.method) == (1.0, 1.0, DISJOINT_PAIRS)
    assert found.low == pytest.approx(0.025 ** (1 / min(m, n)))


def test_no_separation_at_all_is_not_certain_either() -> None:
    found = auroc(np.full(20, 1.0), np.full(20, 1.0))
    assert found.value == 0.5
    assert found.low is not None
    assert found.high is not None
    assert (found.low < 0.3, found.high > 0.7) == (True, True)


def test_without_one_kind_there_is_no_figure() -> None:
    found = auroc(np.array([1.0]), np.array([]))
    assert (found.value, found.low, found.high, found.method) == (None, None, None, "")


def test_empty_lists_rank_below_everything() -> None:
    found = auroc(np.array([1.0, -np.inf]), np.array([0.0, -np.inf]))
    assert found.value == (1 + 1 + 0 + 0.5) / 4


def test_the_page_says_how_often_the_interval_holds(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of its table, drawn again."""
    monkeypatch.syspath_prepend(checkout / "benchmarks")
    script = run_path(str(checkout / "benchmarks" / "calibration_coverage.py"))
    page = (checkout / "docs" / "no-answer.md").read_text(encoding="utf-8")
    made = script["rows"]()
    assert script["markdown"](script["HEAD"], made) in page
    held = [float(row[4].removesuffix(" %")) for row in made]
    assert min(held) >= 92.0
    assert sum(held) / len(held) >= 94.5


def test_what_is_not_certain_is_not_rounded_to_certainty() -> None:
    shown = [three_digits(share) for share in (0.0, 0.0001, 0.5, 0.9996, 1.0)]
    assert shown == ["0.000", "0.001", "0.500", "0.999", "1.000"]
