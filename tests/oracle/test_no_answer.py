"""No-answer figures of two public sets, against figures that were computed beside them by other code."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragtui.analysis.calibration.calibrate import Aim, Calibration
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER
from ragtui.workspace import Workspace

RUNS = [
    ("rgb", "bm25"),
    ("rgb", "tfidf_cosine"),
    ("squad2_cs224n", "bm25"),
    ("squad2_cs224n", "tfidf_chargram"),
    ("squad2_cs224n", "tfidf_cosine"),
]


@pytest.fixture(params=RUNS, ids="-".join)
def figures(
    request: pytest.FixtureRequest, shared: Path, tmp_path: Path
) -> tuple[Calibration, dict[str, Any]]:
    name, run = request.param
    workspace = Workspace.open(shared / "data" / name, state=tmp_path)
    expected = json.loads((shared / "data" / name / "EXPECTED_no_answer.json").read_text(encoding="utf-8"))
    return workspace.calibration(run), expected[run]


def test_expected_figures_are_reproduced(figures: tuple[Calibration, dict[str, Any]]) -> None:
    found, expected = figures
    fit = found.fit
    assert fit.n_of(FOUND) + fit.n_of(MISSED) == expected["answerable"]
    assert fit.n_of(NO_ANSWER) == expected["no_answer"]
    assert found.auroc.value == pytest.approx(expected["auc"], abs=5e-5)
    assert np.median(fit.answerable) == pytest.approx(expected["median_answerable"], abs=5e-5)
    assert np.median(fit.no_answer) == pytest.approx(expected["median_no_answer"], abs=5e-5)
    assert found.fitted is not None
    assert found.fitted.value == pytest.approx(expected["best_threshold_balanced_acc"], abs=5e-5)
    on_fit = found.rates_on_fit
    assert on_fit is not None
    assert on_fit.false_refusal.value is not None
    assert on_fit.false_answer.value is not None
    assert 1 - on_fit.false_refusal.value == pytest.approx(expected["answered_rate_at_best"], abs=5e-5)
    assert 1 - on_fit.false_answer.value == pytest.approx(expected["refused_rate_at_best"], abs=5e-5)


def test_the_honest_answer_is_that_no_threshold_is_usable(
    figures: tuple[Calibration, dict[str, Any]],
) -> None:
    found, _ = figures
    assert not found.usable
    assert found.threshold is None
    assert found.reason is not None
    assert found.reason.kind == "auroc"
    assert found.auroc.low is not None
    assert found.auroc.low < 0.7


@pytest.fixture(scope="module")
def tech_notes(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace.open(checkout / "datasets" / "tech-notes", state=tmp_path_factory.mktemp("state"))


def test_models_of_tech_notes_have_thresholds_of_their_own(tech_notes: Workspace) -> None:
    """No two intervals meet: cosines of two models, and BM25, have nothing in common."""
    found = [tech_notes.calibration(run, Aim(report="test")) for run in tech_notes.runs]
    intervals = sorted(
        (one.fitted.interval.low, one.fitted.interval.high) for one in found if one.fitted is not None
    )
    assert len(intervals) == 3
    for (_, high), (low, _) in pairwise(intervals):
        assert high is not None
        assert low is not None
        assert high < low


def test_held_out_figures_of_tech_notes_stand_with_their_bounds(tech_notes: Workspace) -> None:
    for run in tech_notes.runs:
        rates = tech_notes.calibration(run, Aim(report="test")).rates
        assert rates is not None
        assert (rates.split, rates.method, rates.false_answer.n, rates.coverage.n) == (
            "test",
            "held-out",
            18,
            72,
        )
        assert rates.at_most is not None
        assert rates.false_answer.value is not None
        assert rates.at_most > rates.false_answer.value


def test_a_sealed_split_is_not_looked_at_by_the_way(tech_notes: Workspace) -> None:
    found = tech_notes.calibration("bm25")
    assert found.report is found.fit
    assert found.fit.split == "dev"
    assert found.rates is not None
    assert found.rates.method == "cross-fitted"
