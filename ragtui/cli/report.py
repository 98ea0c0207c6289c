"""`ragtui report`: one page for an owner and the details for engineers, as Markdown or as one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragtui import atomic, messages
from ragtui.cli.options import (
    CorpusOption,
    GoldOption,
    JsonOption,
    PathArgument,
    QueriesOption,
    SplitOption,
    StateOption,
    chosen_set,
    named_files,
    runs_and_files,
)
from ragtui.cli.output import say, say_faults, show_json
from ragtui.cli.sealed import say_sealed
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import Language, t

if TYPE_CHECKING:
    from ragtui.report.model import Report
    from ragtui.report.page import Page
    from ragtui.workspace import Workspace

Format = Literal["md", "html"]
_BY_SUFFIX: dict[str, Format] = {".html": "html", ".htm": "html"}


def report(
    path: PathArgument = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="NAME", help=t("report.option.run"))
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="RUN", help=t("report.option.baseline"))
    ] = None,
    format_: Annotated[Format | None, typer.Option("--format", help=t("report.option.format"))] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=t("report.option.output"))
    ] = None,
    language: Annotated[Language | None, typer.Option("--language", help=t("report.option.language"))] = None,
    split: SplitOption = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("report.option.where"))
    ] = None,
    gold_version: Annotated[
        str | None, typer.Option("--gold-version", metavar="N|latest", help=t("report.option.gold-version"))
    ] = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Write a report of a run."""
    from ragtui.cli.eval_gold import with_gold
    from ragtui.cli.report_json import report_json
    from ragtui.report.words.page_of import compose
    from ragtui.workspace import Workspace

    names, files = runs_and_files(run)
    the_set = chosen_set(path, gold)
    workspace = Workspace.open(
        the_set,
        split=split,
        state=state,
        **named_files(corpus, queries, gold if path is not None else None, files),
    )
    wanted_gold = [] if gold_version is None else [gold_version]
    workspace, _ = with_gold(workspace, wanted_gold, of_documents=False)
    say_faults(fault for fault in workspace.set.warnings if fault.severity == "warning")
    say_sealed(workspace.set, workspace.split)
    with _in_language(language or messages.language()):
        found = _report(workspace, str(the_set), [*names, *files], baseline, " ".join(where or ()))
        if json:
            show_json(report_json(found))
            return
        written = _rendered(compose(found, messages.language()), format_ or _format_of(output))
    _write(written, output)


@contextmanager
def _in_language(language: Language) -> Iterator[None]:
    """Texts of the report in its own language; what is said beside it stays in that of the person."""
    before = messages.language()
    messages.use(language)
    try:
        yield
    finally:
        messages.use(before)


def _report(workspace: Workspace, path: str, runs: list[str], baseline: str | None, where: str) -> Report:
    from datetime import UTC, datetime

    from ragtui.report.build import build_report

    run = _run(workspace, runs, baseline)
    narrowed = workspace if not where else _only(workspace, run, where)
    time = datetime.now(UTC).isoformat(timespec="seconds")
    return build_report(narrowed, run=run, baseline=baseline, time=time, path=path, where=where)


def _run(workspace: Workspace, wanted: list[str], baseline: str | None) -> str | None:
    """The run that the report is about; None leaves the choice to the report.

    Raises:
        RagtuiError: there is none, none of that name, several were named, or it would be its own baseline.
    """
    place = inert(str(workspace.set.path))
    if not workspace.runs:
        raise RagtuiError("report.no-runs", where=place, path=place)
    if len(wanted) > 1:
        raise RagtuiError("report.one-run", where="--run", given=inert(", ".join(wanted)))
    run = workspace.run(wanted[0]).name if wanted else None
    if baseline is not None and workspace.run(baseline).name == run:
        raise RagtuiError("report.own-baseline", where="--baseline", run=inert(baseline))
    if baseline is not None and len(workspace.runs) == 1:
        raise RagtuiError("report.own-baseline", where="--baseline", run=inert(baseline))
    return run


def _only(workspace: Workspace, run: str | None, where: str) -> Workspace:
    """The workspace with the queries that satisfy the filter.

    Raises:
        BadFilter: the filter is wrong.
        RagtuiError: it asks for an outcome, or no query satisfies it.
    """
    from ragtui.cli.judged import Aim, narrowed
    from ragtui.report.build import best_run

    aim = Aim(run or best_run(workspace), workspace.set.settings.start_k, where=where)
    found, over_outcome = narrowed(workspace, aim)
    if over_outcome:
        raise RagtuiError("report.outcome-filter", where="--where", given=inert(where))
    if not len(found.query_ids):
        raise RagtuiError("report.no-match", where="--where", given=inert(where))
    return found


def _format_of(output: Path | None) -> Format:
    return "md" if output is None else _BY_SUFFIX.get(output.suffix.lower(), "md")


def _rendered(page: Page, format_: Format) -> str:
    if format_ == "md":
        from ragtui.report.render.markdown import markdown

        return markdown(page)
    from ragtui.report.render.html import html

    return html(page)


def _write(written: str, output: Path | None) -> None:
    """To the file, else to stdout.

    Raises:
        RagtuiError: the file cannot be written.
    """
    if output is None:
        sys.stdout.write(written)
        return
    try:
        atomic.write_text(output, written)
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("cli.cannot-write", where=inert(str(output)), why=why) from error
    say(t("report.written", file=inert(str(output))))
