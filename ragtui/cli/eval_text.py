"""The tables of `eval`, for people: metrics by run with interval and n, slices, queries."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragtui.analysis import order
from ragtui.analysis.export import plain
from ragtui.analysis.fields import header
from ragtui.analysis.overview import sentence
from ragtui.analysis.slices import SMALL, Slice
from ragtui.cli.evaluated import OUTCOME, EvaluatedRun, Question, remarks_by_text
from ragtui.dataset.faults import Fault
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.names import parse_name
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace

PIPED_WIDTH = 160
LABEL_CELLS, RUN_CELLS, N_CELLS, SLICE_CELLS, QUERY_CELLS = 24, 24, 6, 24, 40
GAP = "   "


def show_tables(
    workspace: Workspace, question: Question, runs: Mapping[str, EvaluatedRun], *, per_query: bool
) -> None:
    """Print what `eval` found to stdout."""
    console = _Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = _Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    for line in _head(workspace, question, runs, console.width):
        console.print(Text(inert(line)))
    if not any(len(found.table) for found in runs.values()):
        return
    shown = _shown(workspace, question, runs)
    few = _few(workspace, question, shown)
    _print_means(console, runs, shown)
    for line in [*_reasons(runs, shown), *_notes(workspace, runs)]:
        console.print(Text(inert(line), style="dim"))
    for key in question.by:
        for name, found in runs.items():
            console.print()
            console.print(Text(t("cli.eval.slices", key=header(key), run=inert(name)), style="bold"))
            for metrics in _batches(few, max(1, (console.width - 40) // SLICE_CELLS)):
                console.print(_slice_table(found.slices[key], metrics))
    if per_query:
        for name, found in runs.items():
            console.print()
            console.print(Text(inert(name), style="bold"))
            console.print(_query_table(found, few))


class _Console(Console):
    """Leaves it to the caller how to end when the reader has gone; rich would end with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _head(
    workspace: Workspace, question: Question, runs: Mapping[str, EvaluatedRun], width: int
) -> list[str]:
    """What the numbers stand on, in lines of at most `width` cells where one part does not fill more."""
    lens = question.lens
    level = workspace.level if lens.level is None else lens.level
    parts = [
        inert(workspace.set.name),
        t("cli.eval.split", split=inert(workspace.split or "-")),
        t("cli.eval.convention-used", convention=lens.convention),
        t("cli.eval.level", level=f"{level:g}"),
    ]
    if question.unit == "document":
        parts.append(t("cli.eval.documents"))
    if not workspace.set.chunks.empty:
        parts.append(t("cli.eval.corpus", corpus=workspace.set.hashes.corpus[:6]))
    lines = _packed(parts, width)
    if workspace.gold_version:
        gold = workspace.set.hashes.gold[:6]
        lines.append(t("cli.eval.gold-used", version=workspace.gold_version, gold=gold))
    if lens.stage is not None:
        lines.append(t("cli.eval.stage", stage=lens.stage))
    if question.where:
        lines.append(t("cli.eval.where", where=question.where))
    sentences = {name: sentence(found.table) for name, found in runs.items()}
    if len(set(sentences.values())) == 1:
        return [*lines, next(iter(sentences.values()))]
    return [*lines, *(f"{name}: {text}" for name, text in sentences.items())]


def _packed(parts: Sequence[str], width: int) -> list[str]:
    """Parts side by side, a new line begun before a part that would be broken."""
    lines = [parts[0]]
    for part in parts[1:]:
        if cell_len(lines[-1]) + len(GAP) + cell_len(part) <= width:
            lines[-1] += GAP + part
        else:
            lines.append(part)
    return lines


def _shown(workspace: Workspace, question: Question, runs: Mapping[str, EvaluatedRun]) -> list[str]:
    """Metrics to show: all that were asked for, else those at the cut-off with the primary one first."""
    names = list(dict.fromkeys(name for found in runs.values() for name in found.means))
    if question.lens.ks is not None or question.lens.metrics is not None:
        return names
    primary = workspace.set.settings.primary
    at_k = [name for name in names if "@" not in name or name.endswith(f"@{question.k}")]
    return list(dict.fromkeys([*(name for name in (primary,) if name in names), *at_k]))


def _few(workspace: Workspace, question: Question, shown: Sequence[str]) -> list[str]:
    """Metrics for wide tables: those that were asked for, else primary, complete and recall."""
    if question.lens.metrics is not None:
        return list(shown)
    wanted = (workspace.set.settings.primary, f"complete@{question.k}", f"recall@{question.k}")
    return [name for name in wanted if name in shown] or list(shown[:3])


def _print_means(console: Console, runs: Mapping[str, EvaluatedRun], shown: Sequence[str]) -> None:
    """Means of as many runs side by side as fit. Without a single mean the reasons say all there is."""
    console.print()
    estimates = [found.means[metric] for found in runs.values() for metric in shown if metric in found.means]
    if all(estimate.mean is None for estimate in estimates):
        return
    alike = all(len(_sizes(runs, metric)) == 1 for metric in shown)
    room = max(1, (console.width - LABEL_CELLS) // (RUN_CELLS if alike else RUN_CELLS + N_CELLS))
    for place, names in enumerate(_batches(list(runs), room)):
        if place:
            console.print()
        console.print(_metrics_table({name: runs[name] for name in names}, shown, alike=alike))


def _sizes(runs: Mapping[str, EvaluatedRun], metric: str) -> list[str]:
    """How many queries a metric is over, once where all runs have as many."""
    sizes = (str(found.means[metric].n) if metric in found.means else "-" for found in runs.values())
    return list(dict.fromkeys(sizes))


def _metrics_table(runs: Mapping[str, EvaluatedRun], shown: Sequence[str], *, alike: bool) -> Table:
    """One row per metric; each run has an n of its own where they are not alike."""
    titles = [inert(run) for run in runs]
    if alike:
        table = _table(t("cli.eval.metric"), *titles, "n")
    else:
        table = _table(t("cli.eval.metric"), *(title for run in titles for title in (run, "n")))
    for metric in shown:
        cells: list[Text] = []
        for name, found in runs.items():
            cells.append(_cell(found.means.get(metric), metric))
            if not alike:
                cells.append(Text(_sizes({name: found}, metric)[0], style="dim"))
        if alike:
            cells.append(Text(_sizes(runs, metric)[0], style="dim"))
        table.add_row(Text(metric), *cells)
    return table


def _reasons(runs: Mapping[str, EvaluatedRun], shown: Sequence[str]) -> list[str]:
    """Why a mean is not there: each reason once, with its metrics, and its runs where not all."""
    lacking: dict[str, dict[str, list[str]]] = {}
    for name, found in runs.items():
        for metric in shown:
            estimate = found.means.get(metric)
            if estimate is not None and estimate.mean is None:
                lacking.setdefault(_reason(estimate), {}).setdefault(name, []).append(metric)
    lines = []
    for reason, of_runs in lacking.items():
        metrics = list(dict.fromkeys(metric for names in of_runs.values() for metric in names))
        whose = "" if len(of_runs) == len(runs) else f"{', '.join(of_runs)}: "
        which = t("cli.eval.all-metrics") if len(metrics) == len(shown) > 1 else ", ".join(metrics)
        lines.append(f"- {whose}{reason}: {which}")
    return lines


def _notes(workspace: Workspace, runs: Mapping[str, EvaluatedRun]) -> list[str]:
    """What was merged, dropped or tied, and ids that are not known: it changes no meaning, but is counted."""
    notes = [
        f"{fault.where}: {fault.what}" if fault.where else fault.what
        for fault in workspace.set.warnings
        if fault.severity == "note" and not _says_that_all_is_known(fault)
    ]
    notes += [f"{', '.join(names)}: {text}" for text, names in remarks_by_text(runs, "note").items()]
    return [f"{t('cli.severity.note')}: {text}" for text in notes]


def _says_that_all_is_known(fault: Fault) -> bool:
    values = dict(fault.values)
    return fault.kind == "known-chunks" and values["known"] == values["of"]


def _slice_table(parts: Sequence[Slice], metrics: Sequence[str]) -> Table:
    table = _table(t("cli.eval.value"), "n", *metrics)
    for part in parts:
        style = "dim" if part.small else ""
        n = f"{part.n} (<{SMALL})" if part.small else str(part.n)
        cells = [_cell(part.metrics.get(metric), metric, style) for metric in metrics]
        value = Text(inert(part.value), style=style)
        value.truncate(QUERY_CELLS, overflow="ellipsis")
        table.add_row(value, Text(n, style=style), *cells)
    return table


def _query_table(found: EvaluatedRun, metrics: Sequence[str]) -> Table:
    titles = (header("id"), header("query"), t("cli.eval.gold-by-rank"), header("got"), header("rank"))
    table = _table("", *titles, *metrics)
    rows = order.worst_first(found.table, metrics[0] if metrics else "")
    for row in rows:
        facts = found.table.frame.iloc[int(row)]
        query = Text(inert(str(facts["text"])))
        query.truncate(QUERY_CELLS, overflow="ellipsis")
        got = f"{facts['got']}/{facts['groups']}" if facts["groups"] and facts["got"] >= 0 else "-"
        numbers = [plain(facts[name]) if name in facts else None for name in ("first_rank", *metrics)]
        table.add_row(
            Text(facts["mark"]),
            Text(inert(str(found.table.query_ids[row]))),
            query,
            Text(found.table.strip(int(row))),
            Text(got),
            Text("-" if numbers[0] is None else f"{numbers[0]:.0f}"),
            *(Text(_number(number, metric)) for metric, number in zip(metrics, numbers[1:], strict=True)),
        )
    return table


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for title in titles:
        table.add_column(Text(title), no_wrap=True)
    return table


def _cell(estimate: Estimate | None, metric: str, style: str = "") -> Text:
    """`0.583 [0.412, 0.702]`; a reason in place of an interval that is not there; `-` without a mean."""
    if estimate is None or estimate.mean is None:
        return Text("-", style="dim")
    low, mean, high = (_number(value, metric) for value in (estimate.low, estimate.mean, estimate.high))
    interval = _reason(estimate) if estimate.low is None else f"[{low}, {high}]"
    return Text(f"{mean} {interval}", style=style)


def _number(value: float | None, metric: str) -> str:
    """Three decimals for shares; one for metrics that have no upper end, such as tokens."""
    if value is None:
        return "-"
    name = parse_name(metric)
    is_share = name is None or METRICS[name.metric].highest is not None
    return f"{value:.3f}" if is_share else f"{value:.1f}"


def _reason(estimate: Estimate) -> str:
    if estimate.reason == OUTCOME:
        return t("cli.eval.no-mean")
    for area in ("stats", "metrics"):
        try:
            return t(f"{area}.reason.{estimate.reason}", n=estimate.n)
        except KeyError:
            continue
    return estimate.reason


def _batches(names: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (names[start : start + size] for start in range(0, len(names), size))
