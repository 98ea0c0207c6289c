"""What is said of single queries is what the metrics count: two ways to one figure, over whole sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ragtui.workspace import Workspace

K = 5


def compare(workspace: Workspace, runs: Sequence[str]) -> int:
    """Compare evidence with the query table for every query of runs; how many were compared."""
    compared = 0
    for run in runs:
        table = workspace.table(run, K).frame
        rows = table[["state", "got", "groups", "first_rank"]].to_dict("index")
        for query in workspace.query_ids:
            evidence = workspace.evidence(run, str(query), K)
            row = rows[query]
            ranks = [need.rank for need in evidence.needs if need.rank is not None]
            first = min(ranks, default=None)
            assert evidence.state == row["state"].replace("unjudged", "no-gold"), query
            if row["state"] == "scored":
                assert (evidence.groups_found, evidence.groups) == (row["got"], row["groups"]), query
                assert first == (None if math.isnan(row["first_rank"]) else int(row["first_rank"])), query
            compared += 1
    return compared


def test_the_example_set(checkout: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(checkout / "datasets" / "travel-policy-zh", state=tmp_path)
    # 120 queries under three runs: groups, distractors, no-answer queries
    assert compare(workspace, workspace.runs) == 360


def test_a_public_set_with_several_groups_a_query(shared: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(shared / "data" / "rgb", state=tmp_path)
    assert compare(workspace, workspace.runs[:1]) == 210
