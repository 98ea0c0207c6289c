"""`ragtui agree`: how far raters agree beyond chance, and where they do not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragtui.cli.options import JsonOption, SplitOption, StateOption, chosen_set, listed
from ragtui.cli.output import say, show_json
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.workspace import Workspace

SHOWN = 20


def agree(
    paths: Annotated[list[Path] | None, typer.Argument(help=t("agree.paths"), show_default=False)] = None,
    raters: Annotated[
        list[str] | None, typer.Option("--raters", metavar="COLUMN,COLUMN", help=t("agree.raters"))
    ] = None,
    pilot: Annotated[int | None, typer.Option("--pilot", min=1, metavar="N", help=t("agree.pilot"))] = None,
    export: Annotated[
        Literal["csv", "jsonl"] | None, typer.Option("--export", help=t("agree.export"))
    ] = None,
    bom: Annotated[bool, typer.Option("--bom", help=t("failures.bom"))] = False,
    take: Annotated[Path | None, typer.Option("--import", metavar="FILE", help=t("agree.import"))] = None,
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", metavar="NAME", help=t("failures.reviewer"))
    ] = None,
    limit: Annotated[int, typer.Option("--disagreements", min=0, metavar="N", help=t("agree.limit"))] = SHOWN,
    split: SplitOption = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Agreement of the raters of a set, or of files."""
    from ragtui.cli.agreed import compared
    from ragtui.review.rated import read_rated

    given = paths or []
    if len(given) > 1 or (given and given[0].is_file()):
        tables = read_rated(given, listed("--raters", raters))
        names = [str(path) for path in given]
    else:
        from ragtui.workspace import Workspace
        from ragtui.workspace.review_agreement import rated_set

        workspace = Workspace.open(chosen_set(given[0] if given else None), split=split, state=state)
        if reviewer is not None:
            workspace.review_as(reviewer)
        if take is not None:
            from ragtui.workspace.review_agreement import take_in_grades

            say(t("failures.taken", n=take_in_grades(workspace, take)))
        if pilot is not None or export is not None:
            _write_sheet(workspace, pilot, export or "csv", bom=bom)
            return
        tables, names = rated_set(workspace), [workspace.set.name]
    found = compared(names, tables, limit)
    if json:
        from ragtui.cli.agree_json import as_json

        show_json(as_json(found))
    else:
        from ragtui.cli.agree_text import show_agreement

        show_agreement(found)


def _write_sheet(workspace: Workspace, pilot: int | None, form: str, *, bom: bool) -> None:
    from ragtui.analysis.export import as_csv, as_excel_csv, as_jsonl
    from ragtui.review.blind import Item
    from ragtui.workspace.review_agreement import pilot_sheet, rated_grades, sheet

    if pilot is not None:
        rows = pilot_sheet(workspace, pilot)
    else:
        rated = rated_grades(workspace)
        raters = list(dict.fromkeys([*rated.raters, workspace.review.reviewer]))
        rows = sheet(workspace, [Item(*item) for item in rated.items], raters)
    if form == "jsonl":
        sys.stdout.write(as_jsonl(rows))
    else:
        sys.stdout.write(as_excel_csv(rows) if bom else as_csv(rows))
