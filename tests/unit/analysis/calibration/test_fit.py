"""Thresholds by rule, against a search that tries every score one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from ragtui.analysis.calibration.fit import Chosen, Reason, choose_for
from ragtui.analysis.calibration.rules import Cost, MaxFalseAnswers, RefusalF1, Rule, Youden, rule_of
from ragtui.analysis.calibration.sample import NO_ANSWER, Sample
from ragtui.errors import RagtuiError
from ragtui.stats.intervals import clopper_pearson
from tests.unit.analysis.calibration.made import Pair, normal_sample, pairs, sample_of


def youden(answered: np.ndarray, no_answer: np.ndarray) -> float:
    return float(answered[~no_answer].mean() - answered[no_answer].mean())


def refusal_f1(answered: np.ndarray, no_answer: np.ndarray) -> float:
    """Refused no-answer queries are hits; refused answerable and answered no-answer ones are wrong."""
    hits = int((~answered & no_answer).sum())
    wrong = int((~answered & ~no_answer).sum()) + int((answered & no_answer).sum())
    return 2 * hits / (2 * hits + wrong)


def saved(answered: np.ndarray, no_answer: np.ndarray) -> float:
    """What is saved of the cost of refusing everything; a false answer costs three false refusals."""
    return float(answered[~no_answer].sum() - 3 * answered[no_answer].sum())


def answered_within_bound(answered: np.ndarray, no_answer: np.ndarray) -> float:
    n = int(no_answer.sum())
    bound = clopper_pearson(int(answered[no_answer].sum()), n, 0.9)[1]
    return float(answered.sum()) if bound <= 0.5 else -math.inf


MERITS: list[tuple[Rule, Callable[[np.ndarray, np.ndarray], float]]] = [
    (Youden(), youden),
    (RefusalF1(), refusal_f1),
    (Cost((3.0, 1.0)), saved),
    (MaxFalseAnswers(0.5), answered_within_bound),
]


@pytest.mark.parametrize(("rule", "merit"), MERITS, ids=[rule.name for rule, _ in MERITS])
@given(drawn=pairs, direction=st.sampled_from(["higher", "lower"]))
def test_no_threshold_is_better(
    rule: Rule, merit: Callable[[np.ndarray, np.ndarray], float], drawn: list[Pair], direction: str
) -> None:
    sample = sample_of(drawn, "lower" if direction == "lower" else "higher")
    no_answer = sample.kind == NO_ANSWER
    chosen = choose_for(sample, rule)
    if isinstance(chosen, Reason):
        if chosen.kind in ("no-no-answer", "no-answerable", "too-few-no-answer", "no-scores"):
            return
        assert chosen.kind == "refuses-all"
        values = np.unique(sample.values[~np.isnan(sample.values)]).tolist()
        best = max(merit(sample.answers(t), no_answer) for t in values)
        useful = [merit(sample.answers(t), no_answer) for t in scores_with_answers(sample)]
        worth_nothing = 1e-9 if rule.name == "cost" else -math.inf
        assert all(value < best or value <= worth_nothing for value in useful)
        return
    threshold = sample.sign * chosen.strength
    tried = [
        merit(sample.answers(float(t)), no_answer) for t in np.unique(sample.values[~np.isnan(sample.values)])
    ]
    assert merit(sample.answers(threshold), no_answer) == pytest.approx(max(tried))
    assert threshold in sample.values


def scores_with_answers(sample: Sample) -> list[float]:
    """Scores that, as thresholds, answer an answerable query."""
    values = np.unique(sample.values[~np.isnan(sample.values)]).tolist()
    return [t for t in values if sample.answers(t)[sample.kind != NO_ANSWER].any()]


def test_f1_is_that_of_scikit_learn() -> None:
    sample = normal_sample(40, 10, 30, apart=1.0)
    no_answer = sample.kind == NO_ANSWER
    for threshold in sample.values.tolist():
        answered = sample.answers(threshold)
        assert refusal_f1(answered, no_answer) == pytest.approx(f1_score(no_answer, ~answered))


@given(drawn=pairs)
def test_any_threshold_above_the_next_lower_score_does_the_same(drawn: list[Pair]) -> None:
    sample = sample_of(drawn)
    chosen = choose_for(sample, Youden())
    if isinstance(chosen, Chosen) and chosen.below is not None:
        between = (chosen.strength + chosen.below) / 2
        assert (sample.answers(between) == sample.answers(chosen.strength)).all()
        assert (sample.answers(chosen.below) != sample.answers(chosen.strength)).any()


def test_of_equals_the_one_that_answers_most_is_taken() -> None:
    """Answerable 4 and 2, no-answer 3 and 1: J is ½ from 4 on and from 2 on."""
    sample = sample_of([(4.0, 0), (3.0, 2), (2.0, 0), (1.0, 2)])
    chosen = choose_for(sample, Youden())
    assert isinstance(chosen, Chosen)
    assert (chosen.strength, chosen.below) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("drawn", "kind"),
    [
        ([(1.0, 0)], "no-no-answer"),
        ([(1.0, 2)], "no-answerable"),
        ([(None, 0), (None, 2)], "no-scores"),
        ([(1.0, 0)] + [(2.0, 2)] * 60, "refuses-all"),
    ],
    ids=["no-no-answer", "no-answerable", "no-scores", "refuses-all"],
)
def test_reasons(drawn: list[Pair], kind: str) -> None:
    found = choose_for(sample_of(drawn), MaxFalseAnswers(0.05) if kind == "refuses-all" else Youden())
    assert isinstance(found, Reason)
    assert found.kind == kind
    assert found.text


def test_an_empty_list_is_refused_by_every_threshold() -> None:
    sample = sample_of([(None, 0), (1.0, 0), (0.0, 2), (None, 2)])
    assert sample.answers(-1e300).tolist() == [False, True, True, False]
    assert sample.counts_at(-math.inf).answered == 2


def test_a_prior_moves_the_rules_that_weigh_the_kinds() -> None:
    sample = normal_sample(200, 0, 200, apart=1.5)

    def at(rule: Rule, prior: float) -> float:
        chosen = choose_for(sample, rule, prior)
        assert isinstance(chosen, Chosen)
        return chosen.strength

    weighing: list[Rule] = [Cost((1.0, 1.0)), RefusalF1()]
    not_weighing: list[Rule] = [Youden(), MaxFalseAnswers(0.1)]
    assert all(at(rule, 0.95) < at(rule, 0.3) for rule in weighing)
    assert all(at(rule, 0.95) == at(rule, 0.3) for rule in not_weighing)


def test_what_is_given_names_the_rule() -> None:
    assert rule_of() == Youden()
    assert rule_of(alpha=0.1) == MaxFalseAnswers(0.1)
    assert rule_of(costs=(5.0, 1.0)) == Cost((5.0, 1.0))
    assert rule_of("max-false-answers") == MaxFalseAnswers(0.05)
    for wrong in ({"name": "f1", "alpha": 0.1}, {"name": "youden", "costs": (1.0, 1.0)}, {"alpha": 0.0}):
        with pytest.raises(RagtuiError):
            rule_of(**wrong)


class TestTheGuarantee:
    """2,000 samples for each n and alpha, as the page tabulates them."""

    @pytest.fixture(scope="class")
    def script(self, checkout: Path) -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(checkout / "benchmarks")
            return run_path(str(checkout / "benchmarks" / "calibration_guarantee.py"))

    @pytest.mark.parametrize(("n", "alpha"), [(59, 0.05), (100, 0.05), (100, 0.1), (30, 0.1)], ids=str)
    def test_the_true_rate_is_kept_as_often_as_the_binomial_guarantees(
        self, script: dict[str, Any], n: int, alpha: float
    ) -> None:
        holds, bare, refused = script["kept"](n, alpha, 2_000)
        guaranteed = script["guaranteed"](n, alpha)
        error = math.sqrt(guaranteed * (1 - guaranteed) / 2_000)
        assert guaranteed >= 0.95
        assert holds / 2_000 >= guaranteed - 3 * error
        assert bare / 2_000 < guaranteed - 3 * error, "the rule without the bound has to fail the same test"
        assert refused == 0

    @pytest.mark.parametrize(("n", "alpha"), [(58, 0.05), (28, 0.1), (13, 0.2), (1, 0.5)], ids=str)
    def test_below_the_needed_n_every_sample_refuses(
        self, script: dict[str, Any], n: int, alpha: float
    ) -> None:
        assert script["kept"](n, alpha, 2_000)[2] == 2_000

    def test_the_page_says_what_is_found(self, script: dict[str, Any], checkout: Path) -> None:
        page = (checkout / "docs" / "no-answer.md").read_text(encoding="utf-8")
        assert script["table"]() in page
