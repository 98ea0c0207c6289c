"""The rules by which a threshold is chosen. Each gives every threshold a merit, and the best one is taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.stats.one_sided import allowed

DEFAULT_ALPHA = 0.05
DEFAULT_COSTS = (1.0, 1.0)

NEVER = -np.inf

_Counts = npt.NDArray[np.integer[Any]]
_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Answered:
    """How many queries each of m thresholds answers, from the strictest to the laxest; or b such rows.

    Attributes:
        answerable: (m,) or (b, m) answerable queries that are answered.
        no_answer: the same of no-answer queries.
        answerable_in_all: all there are: an integer, or (b, 1).
        no_answer_in_all: the same of no-answer queries.
        prior: share of answerable queries where the threshold will be used; None for that of the sample.
    """

    answerable: _Counts
    no_answer: _Counts
    answerable_in_all: int | _Counts
    no_answer_in_all: int | _Counts
    prior: float | None = None

    @property
    def false_answer(self) -> _Numbers:
        """Share of the no-answer queries that are answered."""
        return np.asarray(self.no_answer / self.no_answer_in_all)

    @property
    def answered(self) -> _Numbers:
        """Share of the answerable queries that are answered."""
        return np.asarray(self.answerable / self.answerable_in_all)

    @property
    def answerable_share(self) -> float | _Numbers:
        """The prior, else the share in the sample."""
        if self.prior is not None:
            return self.prior
        return self.answerable_in_all / np.asarray(self.answerable_in_all + self.no_answer_in_all)


class Rule(Protocol):
    """How a threshold is chosen."""

    @property
    def name(self) -> str:
        """As it is written on the command line."""

    @property
    def alpha(self) -> float | None:
        """The bound on false answers that has to be met; None for a rule without one."""

    def merit(self, answered: Answered) -> _Numbers:
        """How good each threshold is, minus infinity where the rule forbids it."""


@dataclass(frozen=True, slots=True)
class Youden:
    """Most answered among the answerable less most answered among the no-answer queries (Youden 1950)."""

    name: str = "youden"
    alpha: None = None

    def merit(self, answered: Answered) -> _Numbers:
        return answered.answered - answered.false_answer


@dataclass(frozen=True, slots=True)
class RefusalF1:
    """The best F1 of refusing, where a no-answer query that is refused is a hit.

    It depends on the share of answerable queries.
    """

    name: str = "f1"
    alpha: None = None

    def merit(self, answered: Answered) -> _Numbers:
        share = answered.answerable_share
        # F1 = 2 · hits ÷ (refused + no-answer), all as shares of the queries
        hits = (1 - share) - ((1 - share) / answered.no_answer_in_all) * answered.no_answer
        refused = hits + share - (share / answered.answerable_in_all) * answered.answerable
        return np.asarray(2 * hits / (refused + (1 - share)))


@dataclass(frozen=True, slots=True)
class Cost:
    """The least cost per query, of false answers and of false refusals.

    Answering nothing at all is not among the thresholds; where that is cheaper, none is allowed.
    """

    costs: tuple[float, float] = DEFAULT_COSTS
    name: str = "cost"
    alpha: None = None

    def merit(self, answered: Answered) -> _Numbers:
        false_answer, false_refusal = self.costs
        share = answered.answerable_share
        # less than the cost of refusing everything
        gain = (share * false_refusal / answered.answerable_in_all) * answered.answerable
        gain = gain - ((1 - share) * false_answer / answered.no_answer_in_all) * answered.no_answer
        return np.where(gain > 0, gain, NEVER)


@dataclass(frozen=True, slots=True)
class MaxFalseAnswers:
    """The lowest threshold whose one-sided 95 % Clopper–Pearson bound on false answers is at most `alpha`."""

    alpha: float = DEFAULT_ALPHA
    name: str = "max-false-answers"

    def merit(self, answered: Answered) -> _Numbers:
        sizes = np.asarray(answered.no_answer_in_all)
        most = np.array([allowed(int(n), self.alpha) for n in sizes.ravel()]).reshape(sizes.shape)
        return np.where(answered.no_answer <= most, answered.answerable + answered.no_answer, NEVER).astype(
            np.float64
        )


def _youden(alpha: float | None, costs: tuple[float, float] | None) -> Rule:
    _refuse_unused(alpha=alpha, costs=costs)
    return Youden()


def _f1(alpha: float | None, costs: tuple[float, float] | None) -> Rule:
    _refuse_unused(alpha=alpha, costs=costs)
    return RefusalF1()


def _cost(alpha: float | None, costs: tuple[float, float] | None) -> Rule:
    _refuse_unused(alpha=alpha)
    chosen = DEFAULT_COSTS if costs is None else costs
    if not all(np.isfinite(cost) and cost > 0 for cost in chosen):
        raise RagtuiError("calibration.bad-costs", given=":".join(f"{cost:g}" for cost in chosen))
    return Cost(chosen)


def _max_false_answers(alpha: float | None, costs: tuple[float, float] | None) -> Rule:
    _refuse_unused(costs=costs)
    chosen = DEFAULT_ALPHA if alpha is None else alpha
    if not 0 < chosen < 1:
        raise RagtuiError("calibration.bad-alpha", given=f"{chosen:g}")
    return MaxFalseAnswers(chosen)


RULES: Mapping[str, Callable[[float | None, tuple[float, float] | None], Rule]] = {
    "youden": _youden,
    "f1": _f1,
    "cost": _cost,
    "max-false-answers": _max_false_answers,
}
"""By name; what each does stands in the messages `calibration.rule.<name>`."""


def rule_of(
    name: str | None = None, *, alpha: float | None = None, costs: tuple[float, float] | None = None
) -> Rule:
    """The rule of that name; without a name the one that what is given belongs to, else Youden's.

    Args:
        name: of `RULES`.
        alpha: for `max-false-answers`, in (0, 1).
        costs: for `cost`, of a false answer and of a false refusal.

    Raises:
        RagtuiError: there is no such rule, it does not take what is given, or a number is out of range.
    """
    if name is None:
        name = "max-false-answers" if alpha is not None else "cost" if costs is not None else "youden"
    if name not in RULES:
        raise RagtuiError("calibration.no-such-rule", given=name, known=", ".join(RULES))
    return RULES[name](alpha, costs)


def share_of(text: str) -> float:
    """A share of false answers as people write it: `0.05`, `5%` or `5 %`.

    Raises:
        RagtuiError: it is none between 0 and 1.
    """
    figure = text.strip()
    in_percent = figure.endswith(("%", "％"))
    try:
        share = float(figure[:-1]) / 100 if in_percent else float(figure)
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise RagtuiError("calibration.bad-alpha", given=inert(text))
    return share


def _refuse_unused(**given: object) -> None:
    for option, value in given.items():
        if value is not None:
            raise RagtuiError("calibration.unused-option", option=f"--{option}", rule=_OWNER[option])


_OWNER = {"alpha": "max-false-answers", "costs": "cost"}
