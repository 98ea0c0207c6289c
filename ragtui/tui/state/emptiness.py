"""What is said where there is nothing to list."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.palette import Ink
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.query_list import QueryList
from ragtui.workspace import Workspace


def bench_command(workspace: Workspace) -> str:
    """The command that makes a first run of a set."""
    return f"ragtui bench {shlex.quote(str(workspace.set.path))} --retriever bm25"


def nothing_to_list(workspace: Workspace, listed: QueryList | None, width: int) -> list[Fact]:
    """Why the list is empty, and what to do about it."""
    if not workspace.runs:
        return [
            (),
            *_wrapped(t("tui.empty.no-runs"), width),
            *_wrapped(t("tui.empty.no-runs-command"), width, "dim"),
            (),
            *_wrapped(f"  {shown(bench_command(workspace))}", width, "accent"),
            (),
            *_wrapped(t("tui.empty.no-runs-copy"), width, "dim"),
        ]
    if listed is None or listed.total == 0:
        split = shown(str(workspace.split or "-"))
        return [(), *_wrapped(t("tui.empty.no-queries", split=split), width)]
    nearest = listed.nearest
    if nearest is None:
        return [
            (),
            *_wrapped(t("tui.empty.no-match"), width),
            *_wrapped(t("tui.empty.no-match-clear"), width, "dim"),
        ]
    near = t("tui.empty.no-match-nearest", filter=shown(nearest.text), n=nearest.count)
    return [
        (),
        *_wrapped(t("tui.empty.no-match"), width),
        *_wrapped(near, width),
        *_wrapped(t("tui.empty.no-match-clear"), width, "dim"),
    ]


def sentence_of(error: RagtuiError, width: int) -> list[Fact]:
    """What is wrong, where, and how to mend it."""
    place = shown(f"{error.where}: " if error.where else "")
    return [
        (),
        *_wrapped(place + shown_lines(error.what), width, "miss"),
        *_wrapped(shown_lines(error.mend), width, "dim"),
    ]


def too_small(width: int, height: int, inside: int) -> list[Fact]:
    """The sentence for a terminal in which nothing can be read."""
    return list(_wrapped(t("tui.empty.small", width=width, height=height), max(inside, 2)))


def _wrapped(text: str, width: int, ink: Ink = "text") -> Iterable[Fact]:
    return ((Piece(line, ink),) for line in cells.wrap(text, width))
