"""Which runs a verb is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragtui.errors import RagtuiError
from ragtui.inert import inert

if TYPE_CHECKING:
    from ragtui.workspace import Workspace


def chosen_runs(workspace: Workspace, wanted: list[str]) -> list[str]:
    """The runs that were named, else all.

    Raises:
        RagtuiError: there is none, or not that one.
    """
    if not workspace.runs:
        place = inert(str(workspace.set.path))
        if wanted:
            raise RagtuiError("cli.eval.no-such-file", where=place, run=inert(wanted[0]))
        can_bench = workspace.set.path.is_dir() and not workspace.set.chunks.empty
        raise RagtuiError(f"cli.eval.no-runs{'' if can_bench else '-to-make'}", where=place, path=place)
    for name in wanted:
        workspace.run(name)
    return list(dict.fromkeys(wanted)) or workspace.runs
