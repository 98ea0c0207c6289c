"""The JSON of `calibrate`; its shape is `schemas/calibrate.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragtui.analysis.calibration.applied import Applied
from ragtui.analysis.calibration.calibrate import Aim, Calibration
from ragtui.analysis.calibration.fit import Reason
from ragtui.analysis.calibration.histogram import histogram
from ragtui.analysis.calibration.policy_file import rates_table
from ragtui.analysis.calibration.probability import Fitted, Probability
from ragtui.analysis.calibration.risk_coverage import RiskCoverage
from ragtui.analysis.calibration.rules import Rule
from ragtui.analysis.calibration.sample import FOUND, KINDS, MISSED, NO_ANSWER, Sample
from ragtui.analysis.export import plain
from ragtui.stats.auroc import Auroc
from ragtui.workspace import Workspace

POINTS = 200
"""Points of a curve of risk over coverage."""


def as_json(
    workspace: Workspace,
    aim: Aim,
    found: Mapping[str, Calibration] | Mapping[str, Applied],
    *,
    bins: int,
    per_query: bool,
) -> dict[str, Any]:
    """All that `calibrate` found, without NaN."""
    hashes = workspace.set.hashes
    return {
        "set": workspace.set.name,
        "hashes": {"corpus": hashes.corpus, "queries": hashes.queries, "gold": hashes.gold},
        "rule": _rule(aim.rule),
        "min_auroc": aim.min_auroc,
        "prior": aim.prior,
        "runs": {
            name: _calibration(one, bins, per_query=per_query)
            if isinstance(one, Calibration)
            else _applied(one, bins, per_query=per_query)
            for name, one in found.items()
        },
    }


def _rule(rule: Rule) -> dict[str, Any]:
    costs = getattr(rule, "costs", None)
    return {"name": rule.name, "alpha": rule.alpha, "costs": None if costs is None else list(costs)}


def _calibration(one: Calibration, bins: int, *, per_query: bool) -> dict[str, Any]:
    fitted = None
    if one.fitted is not None:
        interval = one.fitted.interval
        fitted = {
            "value": one.fitted.value,
            "low": interval.low,
            "high": interval.high,
            "rule": one.fitted.rule,
            "same_from": one.fitted.below,
            "resamples": interval.resamples,
            "without": interval.without,
            "reason": interval.reason or None,
        }
    whole: dict[str, Any] = {
        "model": one.model,
        "score": str(one.aim.score),
        "direction": one.fit.run_direction,
        "k": one.fit.k,
        "fitted_on": one.fit.split,
        "n": _sizes(one.fit),
        "left_out": dict(one.fit.left_out),
        "auroc": _auroc(one.auroc),
        "usable": one.usable,
        "reason": _reason(one.reason),
        "reasons": [_reason(reason) for reason in one.reasons],
        "threshold": fitted if one.usable else None,
        "rejected": None if one.usable else fitted,
        "rates": None if one.rates is None else rates_table(one.rates),
        "rates_reason": _reason(one.rates_reason),
        "rates_on_fit": None if one.rates_on_fit is None else rates_table(one.rates_on_fit),
        "report": {"split": one.report.split, "n": _sizes(one.report), "left_out": dict(one.report.left_out)},
        "histogram": _histogram(one.fit, bins),
        "risk_coverage": _curve(one.risk_coverage),
        "probability": _probability(one.probability),
        "applied": None,
        "warnings": [_reason(warning) for warning in one.warnings],
    }
    threshold = None if one.fitted is None else one.fitted.value
    return whole | ({"per_query": _per_query(one.report, threshold)} if per_query else {})


def _applied(one: Applied, bins: int, *, per_query: bool) -> dict[str, Any]:
    table = one.policy.table
    whole: dict[str, Any] = {
        "model": one.model,
        "score": str(one.policy.score),
        "direction": one.report.run_direction,
        "k": one.report.k,
        "fitted_on": (table.get("fitted_on") or {}).get("split"),
        "n": _sizes(one.report),
        "left_out": dict(one.report.left_out),
        "auroc": _auroc(one.auroc),
        "usable": True,
        "reason": None,
        "reasons": [],
        "threshold": {
            "value": one.policy.threshold,
            "low": table.get("low"),
            "high": table.get("high"),
            "rule": str(table.get("rule", "")),
            "same_from": None,
            "resamples": None,
            "without": None,
            "reason": None,
        },
        "rejected": None,
        "rates": rates_table(one.rates),
        "rates_reason": None,
        "rates_on_fit": None,
        "report": {"split": one.report.split, "n": _sizes(one.report), "left_out": dict(one.report.left_out)},
        "histogram": _histogram(one.report, bins),
        "risk_coverage": _curve(one.risk_coverage),
        "probability": None,
        "applied": one.policy.name,
        "warnings": [_reason(warning) for warning in one.warnings],
    }
    return whole | ({"per_query": _per_query(one.report, one.policy.threshold)} if per_query else {})


def _sizes(sample: Sample) -> dict[str, int]:
    return {
        "found": sample.n_of(FOUND),
        "missed": sample.n_of(MISSED),
        "no_answer": sample.n_of(NO_ANSWER),
    }


def _auroc(found: Auroc) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "method": found.method or None}


def _reason(reason: Reason | None) -> dict[str, Any] | None:
    if reason is None:
        return None
    return {"kind": reason.kind, "text": reason.text, "values": dict(reason.values)}


def _histogram(sample: Sample, bins: int) -> dict[str, Any]:
    counted = histogram(sample, bins)
    return {
        "edges": counted.edges.tolist(),
        "found": counted.found.tolist(),
        "missed": counted.missed.tolist(),
        "no_answer": counted.no_answer.tolist(),
        "without_score": dict(zip(("found", "missed", "no_answer"), counted.without, strict=True)),
    }


def _curve(curve: RiskCoverage) -> dict[str, Any]:
    thin = curve.thinned(POINTS)
    points = zip(thin.threshold.tolist(), thin.coverage.tolist(), thin.risk.tolist(), strict=True)
    return {
        "area": curve.area,
        "best": curve.best,
        "chance": curve.chance,
        "points": [{"threshold": at, "coverage": cover, "risk": risk} for at, cover, risk in points],
    }


def _probability(found: Probability | Reason) -> dict[str, Any]:
    if isinstance(found, Reason):
        return {"reason": _reason(found)}
    return {
        "reason": None,
        "split": found.split,
        "method": "held-out" if found.held_out else "cross-fitted",
        "prior": found.prior,
        "platt": _fitted(found.platt),
        "isotonic": _fitted(found.isotonic),
    }


def _fitted(curve: Fitted) -> dict[str, Any]:
    measured = curve.reliability
    parameters = {
        name: list(value) if isinstance(value, tuple) else value for name, value in curve.parameters.items()
    }
    return {
        "parameters": parameters,
        "ece": measured.ece,
        "brier": measured.brier,
        "bins": [
            {
                "low": part.low,
                "high": part.high,
                "n": part.n,
                "predicted": part.predicted,
                "answerable": {
                    "value": part.answerable,
                    "low": part.answerable_low,
                    "high": part.answerable_high,
                },
            }
            for part in measured.bins
        ],
    }


def _per_query(sample: Sample, threshold: float | None) -> list[dict[str, Any]]:
    answers = None if threshold is None else sample.answers(threshold).tolist()
    return [
        {
            "query_id": str(query_id),
            "kind": KINDS[kind],
            "score": plain(value),
            "answered": None if answers is None else answers[i],
        }
        for i, (query_id, kind, value) in enumerate(
            zip(sample.query_ids, sample.kind.tolist(), sample.values.tolist(), strict=True)
        )
    ]
