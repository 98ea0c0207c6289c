"""Choosing a threshold by a rule, or saying why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.rules import NEVER, Answered, Rule
from ragtui.analysis.calibration.sample import NO_ANSWER, Sample
from ragtui.messages import t
from ragtui.stats.one_sided import attainable, needed

_LACKING = {"no-no-answer", "no-answerable"}
_LEFT_OUT = {"missing", "failed"}
"""Why the run itself may be what lacks a kind of queries."""

_EQUAL = 1e-12
"""Merits that differ by less, as a share of them, differ by rounding alone."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not there: `kind` is a key below `calibration.reason`, `values` fill its text."""

    kind: str
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        return t(f"calibration.reason.{self.kind}", **dict(self.values))


@dataclass(frozen=True, eq=False)
class Candidates:
    """All thresholds that do different things to a sample, from the strictest to the laxest.

    Attributes:
        strength: (m,) distinct strengths, falling. A query without a score has none, and is never answered.
        answered: what each of them answers.
    """

    strength: npt.NDArray[np.float64]
    answered: Answered

    @classmethod
    def of(
        cls, strength: npt.NDArray[np.float64], is_no_answer: npt.NDArray[np.bool_], prior: float | None
    ) -> Candidates:
        """Candidates of n queries: (n,) strengths and whether each is a no-answer query."""
        levels, place = np.unique(-strength, return_inverse=True)
        no_answer = np.bincount(place[is_no_answer], minlength=len(levels))
        all_at = np.bincount(place, minlength=len(levels))
        scored = -levels > -np.inf
        return cls(
            -levels[scored],
            Answered(
                np.cumsum(all_at - no_answer)[scored],
                np.cumsum(no_answer)[scored],
                int((~is_no_answer).sum()),
                int(is_no_answer.sum()),
                prior,
            ),
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """A strength that is answered from, and the next lower one, which is refused; None where there is none.

    Any threshold between the two does the same to the sample.
    """

    strength: float
    below: float | None


def choose(
    strength: npt.NDArray[np.float64],
    is_no_answer: npt.NDArray[np.bool_],
    rule: Rule,
    prior: float | None = None,
) -> Chosen | Reason:
    """The best threshold by a rule: the strength of a query, so that what is answered is plain.

    Args:
        strength: (n,) more is better; minus infinity where a query has no score.
        is_no_answer: (n,).
        rule: which threshold is best; of equals the one that answers most is taken.
        prior: share of answerable queries where it will be used, for rules that weigh the two kinds.
    """
    n_no_answer = int(is_no_answer.sum())
    if not n_no_answer:
        return Reason("no-no-answer")
    if n_no_answer == len(is_no_answer):
        return Reason("no-answerable")
    if rule.alpha is not None and n_no_answer < (least := needed(rule.alpha)):
        return Reason(
            "too-few-no-answer",
            (
                ("n", n_no_answer),
                ("needed", least),
                ("missing", least - n_no_answer),
                ("alpha", _percent(rule.alpha)),
                ("attainable", _percent(attainable(n_no_answer))),
            ),
        )
    candidates = Candidates.of(strength, is_no_answer, prior)
    if not len(candidates.strength):
        return Reason("no-scores")
    merit = rule.merit(candidates.answered)
    highest = float(merit.max())
    if highest == NEVER:
        return Reason("refuses-all")
    best = int(np.flatnonzero(merit >= highest - _EQUAL * max(1.0, abs(highest)))[-1])
    if not candidates.answered.answerable[best]:
        return Reason("refuses-all")
    below = candidates.strength[best + 1] if best + 1 < len(candidates.strength) else None
    return Chosen(float(candidates.strength[best]), None if below is None else float(below))


def choose_for(sample: Sample, rule: Rule, prior: float | None = None) -> Chosen | Reason:
    """`choose` for a sample; where one kind is missing it says whether the run or the split lacks it."""
    chosen = choose(sample.strength, sample.kind == NO_ANSWER, rule, prior)
    if isinstance(chosen, Reason) and chosen.kind in _LACKING and _LEFT_OUT & set(sample.left_out):
        return Reason(f"{chosen.kind}-in-run")
    return chosen


def _percent(share: float) -> str:
    """`5`, `7.7`: rounded up, since it is a bound."""
    return f"{np.ceil(share * 1000 - 1e-9) / 10:.1f}".removesuffix(".0")
