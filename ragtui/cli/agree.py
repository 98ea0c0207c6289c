"""`ragtui agree`: how far raters agree beyond chance, and where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ragtui.cli.options import JsonOption, SplitOption, StateOption, chosen_set, listed
from ragtui.cli.output import say, show_json
from ragtui.messages import t

SHOWN = 20


def agree(
    paths: Annotated[list[Path] | None, typer.Argument(help=t("agree.paths"), show_default=False)] = None,
    raters: Annotated[
        list[str] | None, typer.Option("--raters", metavar="COLUMN,COLUMN", help=t("agree.raters"))
    ] = None,
    pilot: Annotated[int | None, typer.Option("--pilot", min=1, metavar="N", help=t("agree.pilot"))] = None,
    pool: Annotated[int | None, typer.Option("--pool", min=1, metavar="K", help=t("agree.pool"))] = None,
    disputes: Annotated[bool, typer.Option("--disputes", help=t("agree.disputes"))] = False,
    export: Annotated[
        Literal["csv", "jsonl"] | None, typer.Option("--export", help=t("agree.export"))
    ] = None,
    bom: Annotated[bool, typer.Option("--bom", help=t("failures.bom"))] = False,
    take: Annotated[Path | None, typer.Option("--import", metavar="FILE", help=t("agree.import"))] = None,
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", metavar="NAME", help=t("failures.reviewer"))
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("agree.where"))
    ] = None,
    limit: Annotated[int, typer.Option("--disagreements", min=0, metavar="N", help=t("agree.limit"))] = SHOWN,
    split: SplitOption = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Agreement of the raters of a set, or of files."""
    from ragtui.cli.agree_sheets import Wishes, narrowed_to, say_how_to_settle, write_sheet
    from ragtui.cli.agreed import compared
    from ragtui.review.rated import read_rated

    given, workspace = paths or [], None
    wishes = Wishes(pilot, pool, disputes, export, " ".join(where or ()))
    if len(given) > 1 or (given and given[0].is_file()):
        wishes.refuse_for_files(take)
        tables = read_rated(given, listed("--raters", raters))
        names = [str(path) for path in given]
    else:
        from ragtui.workspace import Workspace
        from ragtui.workspace.review_agreement import rated_set

        workspace = Workspace.open(chosen_set(given[0] if given else None), split=split, state=state)
        if reviewer is not None:
            workspace.review_as(reviewer)
        if take is not None:
            from ragtui.workspace.review_sheets import take_in_grades

            say(t("failures.taken", n=take_in_grades(workspace, take)))
        if wishes.where:
            workspace = narrowed_to(workspace, wishes.where)
            workspace.review_as(reviewer or workspace.review.reviewer)
        if wishes.is_for_a_sheet:
            write_sheet(workspace, wishes, bom=bom)
            return
        tables, names = rated_set(workspace), [workspace.set.name]
    found = compared(names, tables, limit)
    if json:
        from ragtui.cli.agree_json import as_json

        show_json(as_json(found))
    else:
        from ragtui.cli.agree_text import show_agreement

        show_agreement(found)
        if workspace is not None:
            say_how_to_settle(workspace)
