"""`ragtui failures`: queries that fail, each with what a rule suggests and what people say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragtui.cli.options import JsonOption, PathArgument, SplitOption, StateOption, chosen_set
from ragtui.cli.output import say, show_json
from ragtui.cli.sealed import say_sealed
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.cli.failures_found import Found
    from ragtui.workspace import Workspace

Form = Literal["csv", "jsonl", "md"]


def failures(
    path: PathArgument = None,
    run: Annotated[str | None, typer.Option("--run", metavar="NAME", help=t("failures.run"))] = None,
    k: Annotated[
        int | None, typer.Option("--k", metavar="N", min=1, max=999_999_999, help=t("failures.k"))
    ] = None,
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="STAGE", help=t("cli.eval.stage-option"))
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("failures.where"))
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help=t("failures.sample"))
    ] = None,
    export: Annotated[Form | None, typer.Option("--export", help=t("failures.export"))] = None,
    bom: Annotated[bool, typer.Option("--bom", help=t("failures.bom"))] = False,
    take: Annotated[Path | None, typer.Option("--import", metavar="FILE", help=t("failures.import"))] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="CAUSE", help=t("failures.tag"))] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help=t("failures.note"))] = "",
    guard: Annotated[bool, typer.Option("--guard", help=t("failures.guard"))] = False,
    regression: Annotated[
        Path | None, typer.Option("--regression", metavar="FOLDER", help=t("failures.regression"))
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help=t("failures.undo"))] = False,
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", metavar="NAME", help=t("failures.reviewer"))
    ] = None,
    split: SplitOption = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """List failing queries with their causes, or keep what people say of them."""
    from ragtui.cli.failures_found import find
    from ragtui.workspace import Workspace

    workspace = Workspace.open(chosen_set(path), split=split, state=state)
    say_sealed(workspace.set, workspace.split)
    name = _the_run(workspace, run)
    if reviewer is not None:
        workspace.review_as(reviewer)
    _say_of_the_journal(workspace)
    if take is not None:
        from ragtui.workspace.review_sheet import read_written, take_in

        say(t("failures.taken", n=take_in(workspace, read_written(take))))
    if undo:
        say(t("failures.undone", n=len(workspace.review.undo())))
    found = find(workspace, name, k, stage, where=" ".join(where or ()), sample=sample)
    _say_of_the_run(found)
    if tag or note or guard:
        _keep(workspace, found, tag or [], note, guard=guard)
        found = find(workspace, name, k, stage, where=" ".join(where or ()), sample=sample, among=found.ids)
    if regression is not None:
        from ragtui.workspace.review_regression import write_regression_set

        n = write_regression_set(workspace, regression, found.k)
        say(t("failures.regression-written", n=n, folder=inert(str(regression))))
    _answer(found, export, bom=bom, json=json)


def _the_run(workspace: Workspace, wanted: str | None) -> str:
    """The run that was named, else the first, which is said where there are others."""
    if wanted is not None:
        return workspace.run(wanted).name
    if not workspace.runs:
        place = inert(str(workspace.set.path))
        raise RagtuiError("cli.eval.no-runs-to-make", where=place)
    if len(workspace.runs) > 1:
        say(t("failures.using-run", run=workspace.runs[0], known=", ".join(workspace.runs)))
    return workspace.runs[0]


def _say_of_the_journal(workspace: Workspace) -> None:
    """Lines of the journal that do not count."""
    journal = workspace.review.journal
    for kind, n in (("set-aside", journal.set_aside), ("newer", journal.newer)):
        if n:
            say(f"{t('cli.severity.warning')}: {inert(str(journal.path))}: {t(f'review.{kind}', n=n)}")


def _say_of_the_run(found: Found) -> None:
    """What of the run would mislead, such as a cut-off beyond its longest list."""
    from ragtui.analysis.overview import remarks

    for remark in remarks(found.workspace.table(found.run, found.k, found.stage)):
        is_deep_enough = remark.kind == "no-card" and dict(remark.values)["longest"] >= found.k
        if remark.severity == "warning" and not is_deep_enough:
            say(f"{t('cli.severity.warning')}: {inert(found.run)}: {remark.text}")


def _keep(workspace: Workspace, found: Found, causes: list[str], note: str, *, guard: bool) -> None:
    review = workspace.review
    if causes or note:
        review.tag(found.ids, causes, note, run=found.run, k=found.k)
    if guard:
        review.guard(found.ids, run=found.run, k=found.k)
    say(t("failures.kept", n=len(found.ids), file=inert(str(review.journal.path))))


def _answer(found: Found, export: Form | None, *, bom: bool, json: bool) -> None:
    if export is not None:
        import sys

        from ragtui.workspace.review_sheet import exported

        form = "excel" if bom and export == "csv" else export
        text = exported(found.shown, form, found.run, found.k, found.reviewers)
        sys.stdout.write(text)
    elif json:
        from ragtui.cli.failures_json import as_json

        show_json(as_json(found))
    else:
        from ragtui.cli.failures_text import show_failures

        show_failures(found)
