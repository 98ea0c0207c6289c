"""The progress of judging on stderr: how far, how fast, how long still, what it costs, what failed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ragtui.judging.progress import Progress, Watch
from ragtui.messages import t


@contextmanager
def judging_bar() -> Iterator[Watch]:
    """A bar, only where a person sees it; the block gets what is to be told of every step."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    facts = TextColumn("{task.fields[facts]}", markup=False)
    columns = (BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn(), facts)
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, facts="")
        yield lambda progress: bar.update(
            task, completed=progress.done, total=progress.total, facts=facts_of(progress)
        )


def facts_of(progress: Progress) -> str:
    """Rate, spend, cached and failed in a few words."""
    parts = [t("cli.judge.calls", n=progress.calls)]
    if progress.rate is not None:
        parts.append(t("cli.judge.rate", rate=f"{progress.rate:.1f}"))
    parts.append(money(progress.cost))
    if progress.cached:
        parts.append(t("cli.judge.cached", n=progress.cached))
    if progress.failed:
        parts.append(t("cli.judge.failed", n=progress.failed))
    return "  ".join(parts)


def money(cost: float | None) -> str:
    """US dollars; for an unknown cost it says so, and never 0."""
    return t("cli.judge.cost-unknown") if cost is None else t("cli.judge.cost", cost=f"{cost:.4f}")
