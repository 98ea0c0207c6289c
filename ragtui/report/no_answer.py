"""What a report says of queries without an answer: whether scores tell them, and what a threshold costs."""

from __future__ import annotations

from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.histogram import histogram
from ragtui.analysis.calibration.rates import Rate, Rates
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER, Sample
from ragtui.errors import RagtuiError
from ragtui.report.model import Bins, NoAnswer, Refusals
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace

BINS = 32
RATES = ("false_answer", "false_refusal", "coverage", "risk")


def no_answer(workspace: Workspace, run: str) -> NoAnswer | None:
    """Refusals of a run with the rule that `ragtui calibrate` takes; None where no query lacks an answer."""
    answerable = workspace.set.queries["answerable"].reindex(workspace.query_ids)
    if not any(value is False for value in answerable):
        return None
    try:
        found = workspace.calibration(run)
    except RagtuiError as error:
        return NoAnswer(error=error.what)
    return _of(found)


def _of(found: Calibration) -> NoAnswer:
    threshold = found.threshold
    between = None if threshold is None else threshold.interval
    auroc, fit = found.auroc, found.fit
    refusals = Refusals(
        score=str(found.aim.score),
        rule=found.aim.rule.name,
        fit_split=fit.split,
        report_split=found.report.split,
        found=fit.n_of(FOUND),
        missed=fit.n_of(MISSED),
        no_answer=fit.n_of(NO_ANSWER),
        auroc=Estimate(
            auroc.value, auroc.low, auroc.high, auroc.positives + auroc.negatives, auroc.method, _why(found)
        ),
        threshold=None if threshold is None else threshold.value,
        written="" if threshold is None else threshold.written,
        low=None if between is None else between.low,
        high=None if between is None else between.high,
        reason=found.why,
        rates=_rates(found.rates),
        method="" if found.rates is None else found.rates.method,
        at_most=None if found.rates is None else found.rates.at_most,
        rates_reason="" if found.rates_reason is None else found.rates_reason.text,
        bins=_bins(fit),
        direction=fit.direction,
    )
    return NoAnswer(refusals=refusals)


def _why(found: Calibration) -> str:
    return "" if found.auroc.value is not None else "no-queries"


def _rates(rates: Rates | None) -> dict[str, tuple[Estimate, int]]:
    """Each rate with its count."""
    if rates is None:
        return {}
    named: dict[str, Rate] = {name: getattr(rates, name) for name in RATES}
    return {
        name: (Estimate(rate.value, rate.low, rate.high, rate.n, rates.method), rate.count)
        for name, rate in named.items()
    }


def _bins(sample: Sample) -> Bins:
    counted = histogram(sample, BINS)
    return Bins(
        edges=tuple(counted.edges.tolist()),
        found=tuple(counted.found.tolist()),
        missed=tuple(counted.missed.tolist()),
        no_answer=tuple(counted.no_answer.tolist()),
        without=counted.without,
    )
