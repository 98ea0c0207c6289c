"""What `judge` prints for people: the plan, the scores with coverage and range, what failed."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragtui.cli.eval_text import PIPED_WIDTH
from ragtui.cli.judge_bar import money
from ragtui.cli.judge_json import states
from ragtui.cli.judged import Judged
from ragtui.inert import inert
from ragtui.judging.plan import Plan
from ragtui.judging.progress import Progress
from ragtui.judging.scores import JudgedScore
from ragtui.messages import t
from ragtui.workspace.judged_table import judge_name

TOO_LONG_SHOWN = 5


def plan_lines(judged: Judged, plan: Plan) -> list[str]:
    """What judging would take, a line each."""
    lines = [
        f"{full_name(judged)}   {_what(judged)}",
        t("cli.judge.plan-calls", n=plan.calls, known=plan.known, cached=len(plan.cached)),
    ]
    if plan.free:
        lines.append(t("cli.judge.plan-free", n=len(plan.free)))
    if plan.calls:
        tokens = t("cli.judge.plan-tokens", into=plan.tokens_in, out=plan.tokens_out)
        lines.append(f"{tokens}   {money(plan.cost)}")
    if plan.too_long:
        lines.append(t("cli.judge.plan-too-long", n=len(plan.too_long), window=plan.window))
        lines += [
            f"  {inert(work.item.query_id)} {inert(work.item.chunk_id)}"
            for work in plan.too_long[:TOO_LONG_SHOWN]
        ]
    return [*lines, *_left_out(states(judged.selected))]


def show_result(judged: Judged, progress: Progress) -> None:
    """Print scores to stdout."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    standing = judge_name(judged.workspace, judged.asker).standing
    console.print(Text("   ".join(part for part in (full_name(judged), standing, _what(judged)) if part)))
    table = Table(box=None, pad_edge=False, show_edge=False)
    headings = ("metric", "value", "interval", "queries", "range")
    for name in headings:
        table.add_column(t(f"cli.judge.column.{name}"), justify="left" if name == "metric" else "right")
    for name, score in judged.means.items():
        table.add_row(name, *_cells(score))
    console.print(table)
    for line in _below(judged, progress):
        console.print(Text(inert(line), style="dim"))


def full_name(judged: Judged) -> str:
    """Judge, version and model: how a judge is always named."""
    judge = judged.asker.judge
    model = f" {inert(judged.asker.model)}" if judged.asker.model else ""
    return f"{judge.name} {judge.version}{model}"


def _what(judged: Judged) -> str:
    key = "cli.judge.what" if judged.stage is None else "cli.judge.what-stage"
    return t(key, run=inert(judged.aim.run), k=judged.aim.k, stage=inert(judged.stage or ""))


def _cells(score: JudgedScore) -> tuple[str, str, str, str]:
    estimate = score.estimate
    value = "–" if estimate.mean is None else f"{estimate.mean:.3f}"
    moves = score.lowest != score.highest
    return (
        value,
        _between(estimate.low, estimate.high),
        f"{estimate.n}/{score.of}",
        _between(score.lowest, score.highest) if moves else "",
    )


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.3f}–{high:.3f}"


def _below(judged: Judged, progress: Progress) -> list[str]:
    scores = judged.scores
    lines = []
    if judged.asker.model:
        took = t("cli.judge.took", n=progress.calls, cached=progress.cached)
        lines.append(f"{took}   {money(progress.cost)}" if progress.calls else took)
    lines += _left_out(states(judged.selected))
    counts = {name: scores.counts.get(name, 0) for name in ("partly", "failed", "unjudged", "skipped")}
    lines += [t(f"cli.judge.state.{name}", n=n) for name, n in counts.items() if n]
    if scores.failures:
        kinds = [f"{t(f'cli.judge.status.{name}')} {n}" for name, n in sorted(scores.failures.items())]
        lines.append(t("cli.judge.failures", kinds=", ".join(kinds)))
    if judged.over_outcome:
        lines.append(t("cli.eval.no-mean"))
    return lines


def _left_out(counts: dict[str, int]) -> list[str]:
    names = ("nothing-retrieved", "no-answer", "no-reference")
    return [t(f"cli.judge.state.{name}", n=counts[name]) for name in names if counts.get(name)]
