"""`ragtui [PATH]`: the terminal app."""

from __future__ import annotations

from pathlib import Path

import typer

from ragtui.cli.options import chosen_set


def open_app(
    path: Path | None = typer.Argument(None, help="A set: a folder, or a file of qrels or gold."),
    run: str | None = typer.Option(None, "--run", help="Run to look at first."),
    state: Path | None = typer.Option(None, "--state", help="Folder for the view and decisions of this set."),
) -> None:
    """Open the app on PATH, else on the set in this folder, else on the bundled example."""
    from ragtui.tui import app
    from ragtui.workspace import Workspace

    workspace = Workspace.open(chosen_set(path), state=state)
    app.run(workspace, run=run)
