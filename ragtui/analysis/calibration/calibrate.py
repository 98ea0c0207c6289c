"""The whole answer for one run: does its score separate, from where is it answered, at what cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cached_property
from typing import Any

from ragtui.analysis.calibration.crossfit import cross_fitted
from ragtui.analysis.calibration.fit import Reason, choose_for
from ragtui.analysis.calibration.probability import Probability, probability
from ragtui.analysis.calibration.rates import Method, Rates, rates_at, rates_of_counts
from ragtui.analysis.calibration.risk_coverage import RiskCoverage, risk_coverage
from ragtui.analysis.calibration.rules import Rule, Youden
from ragtui.analysis.calibration.sample import Sample
from ragtui.analysis.calibration.score_names import ScoreName
from ragtui.analysis.calibration.threshold_interval import ThresholdInterval, threshold_interval
from ragtui.stats.auroc import Auroc, auroc

MIN_AUROC = 0.7


@dataclass(frozen=True)
class Aim:
    """What is asked of a threshold; equal aims on one run give the same answer.

    Attributes:
        score: what is compared with the threshold.
        rule: how the threshold is chosen.
        k: evidence within the first K counts as found; None takes the cut-off the set starts with.
        min_auroc: without a lower end of AUROC of at least this no threshold is usable.
        prior: share of answerable queries where it will be used; None for that of the set.
        report: split to report on; None takes an unsealed `test`, else the split that is fitted on.
    """

    score: ScoreName = field(default_factory=ScoreName)
    rule: Rule = field(default_factory=Youden)
    k: int | None = None
    min_auroc: float = MIN_AUROC
    prior: float | None = None
    report: str | None = None


@dataclass(frozen=True, slots=True)
class Threshold:
    """From where a query is answered.

    Attributes:
        value: in the units of the run; a score of the fitted split. It is answered itself.
        below: the nearest score on the refused side; any value between the two does the same to the fitted
            split. None where nothing with a score is refused.
        interval: how far it moves from sample to sample.
        rule: name of the rule that chose it.
    """

    value: float
    below: float | None
    interval: ThresholdInterval
    rule: str

    @property
    def written(self) -> str:
        """The value in as few digits, four at least, as still do the same to the fitted split."""
        towards_refused = ROUND_CEILING if self.below is not None and self.below > self.value else ROUND_FLOOR
        exact = Decimal(self.value)
        places = 3 - exact.adjusted() if exact else 3
        for digits in range(max(0, places), max(0, places) + 20):
            rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding=towards_refused)
            if self.below is None or (rounded > Decimal(self.below)) == (self.value > self.below):
                return f"{rounded:f}"
        return repr(self.value)


def as_precise_as(written: str, low: float, high: float) -> tuple[str, str]:
    """Ends of an interval with as many decimals as a threshold was written with, rounded outwards."""
    last = Decimal(1).scaleb(min(0, int(Decimal(written).as_tuple().exponent)))
    ends = ((low, ROUND_FLOOR), (high, ROUND_CEILING))
    lower, upper = (f"{Decimal(end).quantize(last, rounding=rounding):f}" for end, rounding in ends)
    return lower, upper


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is known of the refusals of one run.

    Attributes:
        run: its name.
        model: what made its scores, as its card says; None without.
        aim: what was asked.
        fit: the queries that the threshold was chosen on.
        report: the queries that the rates are over; the same object where there are no others.
        auroc: of answerable over no-answer queries, on `fit`.
        fitted: the threshold that the rule picks, usable or not; None where it picks none.
        reasons: why no threshold is usable, the gravest first; none where `fitted` is.
    """

    run: str
    model: str | None
    aim: Aim
    fit: Sample
    report: Sample
    auroc: Auroc
    fitted: Threshold | None
    reasons: tuple[Reason, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        return self.threshold is not None

    @property
    def threshold(self) -> Threshold | None:
        """The threshold that may be shipped; None where there is none, and `reasons` say why."""
        return None if self.reasons else self.fitted

    @property
    def reason(self) -> Reason | None:
        """The gravest of the reasons."""
        return self.reasons[0] if self.reasons else None

    @property
    def why(self) -> str:
        """All reasons in words."""
        return "; ".join(reason.text for reason in self.reasons)

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """What the figures take for granted and the set does not grant: independent no-answer queries."""
        return (Reason("clusters"),) if self.fit.has_alike or self.report.has_alike else ()

    @property
    def is_held_out(self) -> bool:
        """Whether the rates are over queries that the threshold was not chosen on."""
        return self.report is not self.fit

    @cached_property
    def rates(self) -> Rates | None:
        """Rates over `report`: held out, else cross-fitted; None where no threshold was fitted."""
        if self.fitted is None:
            return None
        if self.is_held_out:
            return rates_at(self.report, self.fitted.value, "held-out")
        estimates = self._estimates
        return estimates if isinstance(estimates, Rates) else None

    @cached_property
    def rates_reason(self) -> Reason | None:
        """Why there are no `rates`; None where there are."""
        if self.fitted is None:
            return self.reasons[-1]
        return None if self.is_held_out or isinstance(self._estimates, Rates) else self._estimates

    @cached_property
    def rates_on_fit(self) -> Rates | None:
        """Rates over the queries that the threshold was chosen on, which flatter; None without one."""
        return None if self.fitted is None else rates_at(self.fit, self.fitted.value, "fitted")

    def rates_live(self, threshold: float) -> Rates:
        """Rates over `report` of any threshold, by three binary searches; `fitted` where it was chosen there.

        Intervals are Wilson's, also where queries have clusters.
        """
        method: Method = "held-out" if self.is_held_out else "fitted"
        return rates_of_counts(self.report.counts_at(threshold), self.report.split, method)

    @cached_property
    def risk_coverage(self) -> RiskCoverage:
        """Of `report`."""
        return risk_coverage(self.report)

    @cached_property
    def probability(self) -> Probability | Reason:
        return probability(self.fit, self.report, self.aim.prior)

    @cached_property
    def _estimates(self) -> Rates | Reason:
        return cross_fitted(self.fit, self.aim.rule, self.aim.prior)


def calibrate(
    run: str,
    aim: Aim,
    fit: Sample,
    report: Sample,
    *,
    model: str | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Calibration:
    """Choose a threshold on `fit`, and decide whether it is usable.

    Args:
        run: name of the run that both samples are of.
        aim: what is asked.
        fit: queries to choose on.
        report: queries to report on; the same object as `fit` where there are no others.
        model: what made the scores.
        facts: fields of the run card that scores depend on.
    """
    separation = auroc(fit.answerable, fit.no_answer)
    chosen = choose_for(fit, aim.rule, aim.prior)
    fitted: Threshold | None = None
    reasons = _too_low(separation, aim.min_auroc)
    if isinstance(chosen, Reason):
        reasons = (*reasons, chosen)
    else:
        fitted = Threshold(
            value=fit.sign * chosen.strength,
            below=None if chosen.below is None else fit.sign * chosen.below,
            interval=threshold_interval(fit, aim.rule, aim.prior),
            rule=aim.rule.name,
        )
    return Calibration(run, model, aim, fit, report, separation, fitted, reasons, facts or {})


def _too_low(found: Auroc, least: float) -> tuple[Reason, ...]:
    """Why an AUROC does not do: it is too low, or too few queries show that it is not."""
    if found.value is None or found.low is None or found.low >= least:
        return ()
    values = (("low", f"{found.low:.3f}"), ("least", f"{least:g}"))
    return (Reason("auroc" if found.value < least else "auroc-unsure", values),)
