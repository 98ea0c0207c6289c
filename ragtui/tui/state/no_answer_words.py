"""What is said of the run in use on screen 4: its threshold or why it has none, what the cursor does."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.analysis.calibration.calibrate import MIN_AUROC, Calibration, Threshold
from ragtui.analysis.calibration.histogram import Histogram
from ragtui.analysis.calibration.rates import Rate, Rates
from ragtui.analysis.calibration.rules import Rule
from ragtui.analysis.calibration.sample import NO_ANSWER, Sample
from ragtui.messages import t
from ragtui.stats.one_sided import attainable
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.figures import score_text
from ragtui.tui.state.no_answer import without_zero, written
from ragtui.tui.state.no_answer_panel import Panel
from ragtui.tui.state.pieces import Fact, Piece, flow

FEW = 30
"""No-answer queries below which their rates say little."""

RATES = ("coverage", "false_answer", "false_refusal", "risk")
GAP = 2
HINTS = {"auroc", "auroc-unsure", "too-few-no-answer"}
"""Reasons for which the catalogue knows what may help."""


def facts(
    panel: Panel, rule: Rule, histogram: Histogram | None, size: tuple[int, int], *, sealed: bool
) -> list[Fact]:
    """Lines for a box of so many cells and lines, the most important first.

    Args:
        panel: the run.
        rule: what picks its threshold.
        histogram: the bins that are drawn; None where there are none.
        size: cells and lines; blank lines leave where there are too few.
        sealed: there is a test split that only an express wish reports on.
    """
    width, height = size
    sample, calibration, cursor = panel.sample, panel.calibration, panel.cursor
    if panel.error is not None or sample is None or cursor is None:
        return []
    few = _few(sample, width)
    lines: list[Fact] = [] if sample.n_of(NO_ANSWER) else few
    if calibration is None:
        return [*lines, (Piece(t("no_answer.calibrating"), "dim"),)]
    lines += threshold_lines(calibration, rule, width)
    if panel.moved is not None:
        lines += flow([_moved(panel, calibration)], width)
    lines.append(())
    lines += _table(panel, calibration, cursor, width)
    lines += few if sample.n_of(NO_ANSWER) else []
    lines.append(())
    if histogram is not None:
        lines += flow([_bin(histogram, cursor)], width)
    lines += flow([_splits(calibration, sealed=sealed)], width)
    lines += [line for reason in calibration.warnings for line in _wrapped(reason.text, width, "partial")]
    lines += _notes(sample, width)
    lines += _hint(calibration, width)
    return lines if len(lines) <= height else [line for line in lines if line]


def threshold_lines(calibration: Calibration, rule: Rule, width: int) -> list[Fact]:
    """The threshold with its interval and rule, or that none is usable and why."""
    chosen: Fact = (Piece(t("no_answer.rule"), "dim"), Piece(f" {rule_words(rule)}"))
    least = calibration.aim.min_auroc
    if least != MIN_AUROC:
        bar = t("no_answer.usable-from", least=without_zero(f"{least:g}"))
        chosen = (*chosen, Piece(f"  {bar}", "dim"))
    threshold = calibration.threshold
    if threshold is None:
        said = (Piece(t("no_answer.unusable"), "miss", bold=True), Piece(f"  {shown(calibration.why)}"))
        return flow([said, *_fitted(calibration), chosen], width)
    value = (
        Piece(f"{t('no_answer.threshold')} "),
        Piece(written(threshold.value, calibration.fit, calibration.report), "accent", bold=True),
    )
    return flow([value, *_interval(threshold), chosen], width)


def _fitted(calibration: Calibration) -> Iterator[Fact]:
    """What the rule would pick, where that must not be used."""
    if calibration.fitted is not None:
        said = t(
            "no_answer.would-pick",
            value=written(calibration.fitted.value, calibration.fit, calibration.report),
        )
        yield (Piece(said, "dim"),)


def _interval(threshold: Threshold) -> Iterator[Fact]:
    interval = threshold.interval
    if interval.low is not None and interval.high is not None:
        low, high = (score_text(value) for value in (interval.low, interval.high))
        yield (Piece(t("no_answer.threshold-interval", low=low, high=high), "dim"),)


def rule_words(rule: Rule) -> str:
    """A rule with its numbers, short enough for a line."""
    if rule.alpha is not None:
        return t("no_answer.rule-name.max-false-answers", alpha=_number(rule.alpha * 100))
    costs = getattr(rule, "costs", None)
    if costs is not None:
        return t("no_answer.rule-name.cost", false_answer=_number(costs[0]), false_refusal=_number(costs[1]))
    return t(f"no_answer.rule-name.{rule.name}")


def _number(value: float) -> str:
    return f"{value:g}"


def _moved(panel: Panel, calibration: Calibration) -> Fact:
    key = "moved" if calibration.fitted is not None else "moved-alone"
    return (Piece(t(f"no_answer.{key}", value=panel.written), "accent"),)


# rates


def _table(panel: Panel, calibration: Calibration, cursor: float, width: int) -> list[Fact]:
    """What the cursor does, and beside it the estimate for the rule where that is another."""
    live = calibration.rates_live(cursor)
    beside = _beside(panel, calibration)
    names = {name: t(f"no_answer.rate.{name}") for name in RATES}
    first = max(map(cells.width, names.values())) + GAP
    columns = [_cells_of(live, name) for name in RATES]
    counts, shares, ends = (max(cells.width(row[n]) for row in columns) for n in range(3))
    head = method_words(live)
    body = counts + GAP + shares + GAP + ends
    other = method_words(beside) if beside is not None else ""
    has_room = beside is not None and first + max(body, cells.width(head)) + GAP + cells.width(other) <= width
    middle = max(body, cells.width(head)) + GAP
    lines: list[Fact] = [(Piece(" " * first), Piece(cells.pad(head, middle), "dim"), Piece(other, "dim"))]
    if not has_room:
        lines = [(Piece(" " * first), Piece(head, "dim"))]
    for name, row in zip(RATES, columns, strict=True):
        line: list[Piece] = [
            Piece(cells.pad(names[name], first)),
            Piece(cells.pad(row[0], counts, "right")),
            Piece(" " * GAP),
            Piece(cells.pad(row[1], shares, "right"), _ink(name, getattr(live, name)), bold=True),
            Piece(" " * GAP),
            Piece(cells.pad(row[2], middle - body + ends), "dim"),
        ]
        if has_room and beside is not None:
            line.append(Piece(percent(getattr(beside, name))))
        lines.append(tuple(line))
    if beside is not None and not has_room:
        lines += flow([_in_a_line(beside)], width)
    return lines


def _beside(panel: Panel, calibration: Calibration) -> Rates | None:
    """The honest estimate for the rule, where what the cursor shows is not that."""
    rates = calibration.rates
    if rates is None or (calibration.is_held_out and panel.moved is None):
        return None
    return rates


def method_words(rates: Rates) -> str:
    """Which queries rates are over, seen from the threshold."""
    return t(f"no_answer.method.{rates.method}", split=shown(rates.split or "-"))


def _cells_of(rates: Rates, name: str) -> tuple[str, str, str]:
    rate: Rate = getattr(rates, name)
    count = t("no_answer.of", count=rate.count, n=rate.n)
    if name == "false_answer" and rates.at_most is not None:
        return count, percent(rate), t("no_answer.at-most", bound=_rounded_up(rates.at_most))
    if rate.low is None or rate.high is None:
        return count, percent(rate), ""
    ends = t("no_answer.percent-interval", low=_tenths(rate.low), high=_tenths(rate.high))
    return count, percent(rate), ends


def _in_a_line(rates: Rates) -> Fact:
    """The same in words one after another, for a narrow screen."""
    pieces: list[Piece] = [Piece(f"{method_words(rates)}:", "dim")]
    for name in RATES:
        pieces.append(Piece(f"  {t(f'no_answer.rate.{name}')} ", "dim"))
        pieces.append(Piece(percent(getattr(rates, name))))
    return tuple(pieces)


def _ink(name: str, rate: Rate) -> Ink:
    return "miss" if name == "false_answer" and rate.count else "text"


def percent(rate: Rate) -> str:
    """A rate in per cent, with one decimal."""
    return "-" if rate.value is None else f"{_tenths(rate.value)} %"


def _tenths(share: float) -> str:
    return f"{share * 100:.1f}"


def _rounded_up(bound: float) -> str:
    """A bound is rounded away from what it promises."""
    return f"{-(-bound * 1000 // 1) / 10:.1f}"


# what else


def _bin(histogram: Histogram, cursor: float) -> Fact:
    """What stands in the bin at which the cursor is."""
    at = histogram.bin_of(cursor)
    low, high = (_axis_figure(histogram, edge) for edge in histogram.edges[at : at + 2].tolist())
    said = t(
        "no_answer.bin",
        low=low,
        high=high,
        found=int(histogram.found[at]),
        missed=int(histogram.missed[at]),
        no_answer=int(histogram.no_answer[at]),
    )
    return (Piece(said, "dim"),)


def _axis_figure(histogram: Histogram, value: float) -> str:
    step = float(histogram.edges[1] - histogram.edges[0])
    digits = next((n for n in range(12) if step >= 10.0**-n), 12)
    return without_zero(f"{value:.{digits + 1}f}")


def _splits(calibration: Calibration, *, sealed: bool) -> Fact:
    """Which split was fitted on, and which one is shown."""
    fit, report = calibration.fit, calibration.report
    if calibration.is_held_out:
        said = t(
            "no_answer.splits", fit=shown(fit.split or "-"), report=shown(report.split or "-"), n=len(fit)
        )
    else:
        said = t("no_answer.one-split", split=shown(fit.split or "-"), n=len(fit))
    sealing = f"  {t('no_answer.sealed')}" if sealed else ""
    return (Piece(said + sealing, "dim"),)


def _hint(calibration: Calibration, width: int) -> list[Fact]:
    """What may help where no threshold is usable."""
    kinds = [reason.kind for reason in calibration.reasons]
    hints = [t(f"no_answer.hint.{kind}") for kind in kinds if kind in HINTS]
    return [line for hint in hints for line in _wrapped(hint, width, "dim")]


def _few(sample: Sample, width: int) -> list[Fact]:
    """That there are too few no-answer queries, and what that means."""
    n = sample.n_of(NO_ANSWER)
    if not n:
        said = t("no_answer.empty.none", split=shown(sample.split or "-"))
        mend = t("no_answer.empty.none-mend")
        return [*_wrapped(said, width, "partial"), *_wrapped(mend, width, "dim")]
    if n < FEW:
        said = t("no_answer.empty.few", n=n, step=_tenths(1 / n), bound=_rounded_up(attainable(n)), least=FEW)
        return _wrapped(said, width, "partial")
    return []


def _notes(sample: Sample, width: int) -> list[Fact]:
    """Queries that are not in the histogram, and lists that are short."""
    found: list[Fact] = []
    without = int((~(sample.strength > float("-inf"))).sum())
    if without:
        found.append((Piece(t("no_answer.without", n=without), "dim"),))
    for why, n in sample.left_out.items():
        found.append((Piece(t(f"no_answer.left-out.{why}", n=n), "dim"),))
    if sample.short > without:
        found.append((Piece(t("no_answer.short", n=sample.short, score=str(sample.score)), "dim"),))
    return flow(found, width)


def _wrapped(text: str, width: int, ink: Ink) -> list[Fact]:
    return [(Piece(line, ink),) for line in cells.wrap(text, width)]
