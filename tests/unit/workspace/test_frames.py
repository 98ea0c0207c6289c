"""A workspace as data frames."""

from __future__ import annotations

from pathlib import Path

from ragtui import locations
from ragtui.workspace import Workspace


def test_the_example_as_frames(tmp_path: Path) -> None:
    workspace = Workspace.open(locations.example_set(), state=tmp_path)
    tables = workspace.frames()
    assert (len(tables.queries), len(tables.chunks)) == (120, 240)
    assert set(tables.gold["query_id"]) <= set(tables.queries["query_id"])
    first = tables.results.groupby(["run", "query_id"])["rank"].min()
    assert first.eq(1).all()
    for name in workspace.runs:
        expected = len(workspace.run(name).lists.codes)
        assert (tables.results["run"] == name).sum() == expected
