"""What `calibrate` prints for people: a histogram of each run, the threshold or why not, its costs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from ragtui.analysis.calibration.applied import Applied
from ragtui.analysis.calibration.calibrate import Calibration, Threshold, as_precise_as
from ragtui.analysis.calibration.fit import Reason
from ragtui.analysis.calibration.probability import Fitted, Probability
from ragtui.analysis.calibration.rates import NAMES, Rate, Rates
from ragtui.analysis.calibration.risk_coverage import RiskCoverage
from ragtui.analysis.calibration.rules import Rule
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER, Sample
from ragtui.cli.calibrate_histogram import histogram_lines
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.stats.auroc import DISJOINT_PAIRS, Auroc, three_digits
from ragtui.workspace import Workspace
from ragtui.workspace.calibrations import HELD_OUT

PIPED_WIDTH = 100
FEW = 30
"""No-answer queries below which an estimate says little."""


def show_calibrations(
    workspace: Workspace,
    found: Mapping[str, Calibration] | Mapping[str, Applied],
    *,
    bins: int,
    per_query: bool,
) -> None:
    """Print what was found to stdout, run by run."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    width = console.width if console.is_terminal else PIPED_WIDTH
    head = [inert(workspace.set.name)]
    if not workspace.set.chunks.empty:
        head.append(t("cli.eval.corpus", corpus=workspace.set.hashes.corpus[:6]))
    _show("   ".join(head))
    sealed = _sealed_test(workspace)
    for one in found.values():
        _show("")
        lines = (
            _of_calibration(one, bins, width)
            if isinstance(one, Calibration)
            else _of_applied(one, bins, width)
        )
        for line in lines:
            _show(line)
        if sealed and isinstance(one, Calibration) and not one.is_held_out:
            _show(t("calibrate.sealed", split=sealed))
        if per_query:
            for line in _queries(one):
                _show(line)


def _sealed_test(workspace: Workspace) -> str | None:
    """The sealed split that could be reported on."""
    sealed = workspace.set.settings.sealed
    return HELD_OUT if HELD_OUT in sealed and HELD_OUT in workspace.set.splits else None


def rule_text(rule: Rule) -> str:
    """`max-false-answers 5 %`, `cost 5:1`, `youden`."""
    if rule.alpha is not None:
        return f"{rule.name} {rule.alpha * 100:g} %"
    costs = getattr(rule, "costs", None)
    return f"{rule.name} {costs[0]:g}:{costs[1]:g}" if costs else rule.name


def _show(line: str) -> None:
    print(Text(inert(line)).plain)


def _of_calibration(one: Calibration, bins: int, width: int) -> Iterator[str]:
    yield _title(one.run, one.model)
    yield t(
        "calibrate.fitted-on",
        split=one.fit.split or "-",
        counts=_sizes(one.fit),
        score=str(one.aim.score),
        rule=rule_text(one.aim.rule),
        k=one.fit.k,
    )
    yield from _left_out(one.fit)
    for warning in one.warnings:
        yield f"{t('cli.severity.warning')}: {warning.text}"
    yield _auroc(one.auroc)
    fitted = one.fitted
    if fitted is None:
        yield from histogram_lines(one.fit, bins, width)
    else:
        mark = t("calibrate.from-here" if one.usable else "calibrate.would-be", threshold=fitted.written)
        yield from histogram_lines(one.fit, bins, width, fitted.value, mark)
    if fitted is not None and one.usable:
        yield t("calibrate.threshold", threshold=fitted.written, interval=_interval(fitted))
    else:
        yield t("calibrate.unusable", reason=one.why)
        if fitted is not None:
            yield t("calibrate.rejected", threshold=fitted.written, interval=_interval(fitted))
    if one.rates is not None:
        yield t(f"calibrate.over-{one.rates.method}", split=one.rates.split or "-", counts=_sizes(one.report))
        if one.is_held_out:
            yield from _left_out(one.report)
        yield from _rates(one.rates)
    elif fitted is not None and one.rates_reason is not None:
        yield one.rates_reason.text
    yield from _area(one.risk_coverage)
    yield from _probability(one.probability)


def _of_applied(one: Applied, bins: int, width: int) -> Iterator[str]:
    yield _title(one.run, one.model)
    yield t(
        "calibrate.applied",
        name=one.policy.name,
        score=str(one.policy.score),
        threshold=f"{one.policy.threshold:.6g}",
        rule=str(one.policy.table.get("rule", "-")),
    )
    for warning in one.warnings:
        yield f"{t('cli.severity.warning')}: {warning.text}"
    yield _auroc(one.auroc)
    mark = t("calibrate.from-here", threshold=f"{one.policy.threshold:.6g}")
    yield from histogram_lines(one.report, bins, width, one.policy.threshold, mark)
    yield t(f"calibrate.over-{one.rates.method}", split=one.report.split or "-", counts=_sizes(one.report))
    yield from _left_out(one.report)
    yield from _rates(one.rates)
    yield from _area(one.risk_coverage)


def _title(run: str, model: str | None) -> str:
    return f"{run}   {t('calibrate.no-model') if model is None else model}"


def _sizes(sample: Sample) -> str:
    kinds = (("found", FOUND), ("missed", MISSED), ("no-answer", NO_ANSWER))
    return " + ".join(f"{sample.n_of(kind)} {t(f'calibration.kind.{name}')}" for name, kind in kinds)


def _left_out(sample: Sample) -> Iterator[str]:
    """Queries that are not counted, and few no-answer queries: said where it is so."""
    for reason, n in sample.left_out.items():
        yield f"{t('cli.severity.warning')}: {t(f'calibrate.left-out-{reason}', n=n)}"
    if sample.short:
        said = t("calibrate.short-lists", n=sample.short, score=str(sample.score))
        yield f"{t('cli.severity.note')}: {said}"
    if 0 < sample.n_of(NO_ANSWER) < FEW:
        yield f"{t('cli.severity.note')}: {t('calibrate.few', n=sample.n_of(NO_ANSWER))}"


def _auroc(found: Auroc) -> str:
    if found.value is None or found.low is None or found.high is None:
        return f"AUROC {t('calibrate.undefined')}"
    exact = f"   {t('calibrate.disjoint-pairs')}" if found.method == DISJOINT_PAIRS else ""
    value, low, high = map(three_digits, (found.value, found.low, found.high))
    return f"AUROC {value} [{low}, {high}]{exact}"


def _interval(threshold: Threshold) -> str:
    interval = threshold.interval
    if interval.low is None or interval.high is None:
        return t(f"calibrate.interval-{interval.reason}")
    ends = f"[{', '.join(as_precise_as(threshold.written, interval.low, interval.high))}]"
    if not interval.without:
        return ends
    return f"{ends} {t('calibrate.interval-without', n=interval.without, of=interval.resamples)}"


def _rates(rates: Rates) -> Iterator[str]:
    names = [t(f"calibrate.rate.{name}") for name in NAMES]
    label = max(map(_width, names))
    for name, text in zip(NAMES, names, strict=True):
        line = f"  {text}{' ' * (label - _width(text))}  {_rate(getattr(rates, name))}"
        if name == "false_answer" and rates.at_most is not None:
            line += f"   {t('calibrate.at-most', bound=f'{rates.at_most * 100:.1f}')}"
        yield line


def _rate(rate: Rate) -> str:
    if rate.value is None:
        return t("calibrate.undefined")
    interval = f" [{rate.low:.3f}, {rate.high:.3f}]" if rate.low is not None else ""
    return f"{rate.value:.3f}{interval}   {t('calibrate.count', count=rate.count, n=rate.n)}"


def _area(curve: RiskCoverage) -> Iterator[str]:
    if curve.area is not None:
        values = {name: f"{getattr(curve, name):.3f}" for name in ("area", "best", "chance")}
        yield t("calibrate.area", **values)


def _probability(found: Probability | Reason) -> Iterator[str]:
    if isinstance(found, Reason):
        yield found.text
        return
    over = "held-out" if found.held_out else "cross-fitted"
    curves: tuple[tuple[str, Fitted], ...] = (("platt", found.platt), ("isotonic", found.isotonic))
    parts = [
        t(
            "calibrate.curve",
            name=t(f"calibrate.{name}"),
            ece=f"{curve.reliability.ece:.3f}",
            brier=f"{curve.reliability.brier:.3f}",
        )
        for name, curve in curves
    ]
    yield t("calibrate.probability", over=t(f"calibrate.{over}"), parts="; ".join(parts))


def _queries(one: Calibration | Applied) -> Iterator[str]:
    """Queries that the threshold treats wrongly, the farthest from it first."""
    if isinstance(one, Applied):
        threshold: float | None = one.policy.threshold
    else:
        threshold = None if one.fitted is None else one.fitted.value
    if threshold is None:
        return
    for wrong in one.report.wrong_side(threshold):
        score = "-" if wrong.score is None else f"{wrong.score:.6g}"
        yield f"  {inert(wrong.query_id)}   {score}   {t(f'calibration.side.{wrong.side}')}"


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
