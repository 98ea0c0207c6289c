"""`ragtui [PATH]`: the terminal app."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from ragtui.cli.options import (
    DOCUMENT,
    CorpusOption,
    DocumentOption,
    GoldOption,
    PathArgument,
    QueriesOption,
    SplitOption,
    StateOption,
    chosen_set,
    named_files,
    runs_and_files,
)
from ragtui.errors import RagtuiError
from ragtui.messages import t


def open_app(
    path: PathArgument = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: Annotated[list[str] | None, typer.Option("--run", metavar="NAME", help=t("cli.open.run"))] = None,
    split: SplitOption = None,
    level: DocumentOption = None,
    state: StateOption = None,
) -> None:
    """Open the app on PATH, else on the set in this folder, else on the start page.

    Where only options are given they are about the bundled example, as with other verbs.
    """
    # What start-up makes stays. Looking for garbage in it costs a tenth of the time now, and later, with a
    # large set in memory, a pause between two keys: so it is set aside from collection.
    gc.disable()
    from ragtui.dataset.reading import is_set
    from ragtui.tui import app
    from ragtui.workspace import Workspace, recent

    names, files = runs_and_files(run)
    named = named_files(corpus, queries, gold if path is not None else None, files)
    workspace = None
    if path or gold or split or state or level or names or any(named.values()) or is_set(Path.cwd()):
        workspace = Workspace.open(
            chosen_set(path, gold), split=split, state=state, **named, level_document=level == DOCUMENT
        )
    if not has_terminal():
        raise RagtuiError("cli.open.no-terminal")
    if workspace is not None and not (gold or level or any(named.values())):
        # a set that needs options to be read cannot be opened again by its path alone
        recent.remember(workspace.set.path)
    gc.freeze()
    gc.enable()
    # what keys leave behind is small: looking through everything for it may be rarer than a pause is noticed
    gc.set_threshold(700, 10, 100)
    app.run(workspace, run=next(iter([*names, *files]), None))


def has_terminal() -> bool:
    """Whether the app can run: it reads keys from stdin and draws on stderr; stdout may be anything."""
    return sys.stdin.isatty() and sys.stderr.isatty()
