"""What `failures` prints for people: causes by count, then the queries, untagged first."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragtui.analysis.causes.catalogue import Cause
from ragtui.cli.eval_text import PIPED_WIDTH
from ragtui.cli.failures_found import Found
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.workspace.review_failures import Failure

INDENT = "    "


def show_failures(found: Found) -> None:
    """Print to stdout."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    causes = {cause.name: cause for cause in found.workspace.review.causes}
    for line in _head(found):
        console.print(Text(inert(line)))
    if found.counts:
        console.print()
        console.print(_counts(found, causes))
    if found.shown:
        console.print()
    for failure in sorted(found.shown, key=lambda one: bool(one.causes)):
        console.print(Text(inert(_title(failure)), no_wrap=True, overflow="ellipsis"))
        for line in _below(failure):
            for part in Text(inert(line), style="dim").wrap(console, max(20, console.width - len(INDENT))):
                console.print(Text(INDENT) + part)


def _head(found: Found) -> list[str]:
    parts = [found.workspace.set.name, found.run, f"K {found.k}"]
    if found.stage is not None:
        parts.append(t("cli.eval.stage", stage=found.stage))
    if found.where:
        parts.append(t("cli.eval.where", where=found.where))
    tagged = sum(bool(failure.causes) for failure in found.failing)
    n = len(found.failing)
    lines = ["   ".join(parts), t("failures.sum", n=n, scored=found.scored, k=found.k, tagged=tagged)]
    if found.seed is not None:
        lines.append(t("failures.sampled", n=len(found.shown), of=n, seed=found.seed))
    return lines


def _counts(found: Found, causes: dict[str, Cause]) -> Table:
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column(t("analysis.field.cause"))
    table.add_column("")
    for name in ("given", "suggested"):
        table.add_column(t(f"failures.column.{name}"), justify="right")
    for count in found.counts:
        cause = causes.get(count.cause)
        title = "" if cause is None else cause.title()
        table.add_row(inert(count.cause), inert(title), str(count.given), str(count.suggested))
    return table


def _title(failure: Failure) -> str:
    mark = failure.mark or " "
    rank = "-" if failure.first_rank is None else str(failure.first_rank)
    said = ", ".join(failure.causes)
    if not said and failure.suggested is not None:
        said = t("causes.suggested", title=failure.suggested.cause)
    got = f"{failure.got}/{failure.groups}"
    return f"{mark} {failure.query_id}   {got}   {t('analysis.field.rank')} {rank}   {said}   {failure.text}"


def _below(failure: Failure) -> list[str]:
    lines = []
    if failure.run_state != "ok":
        lines.append(t(f"failures.run-state.{failure.run_state}", error=failure.error))
    if failure.suggested is not None:
        lines += [failure.suggested.evidence(), f"-> {failure.suggested.remedy()}"]
    for reviewer, tag in failure.tags.items():
        lines.append(f"{reviewer}: {', '.join(tag.causes)}{f'  {tag.note}' if tag.note else ''}")
    if failure.guarded is not None:
        lines.append(t("failures.guarded", state=failure.guarded.text))
    return lines
