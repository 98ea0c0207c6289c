"""What of a judge's verdicts needs a person: those that failed, and those that gold contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ragtui.judging.plan import Asker
from ragtui.judging.selection import Selected

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

DISPUTE_COLUMNS = (
    "query_id",
    "chunk_id",
    "claim",
    "position",
    "status",
    "value",
    "label",
    "grade",
    "reason",
    "raw",
)
"""Columns of the table of disputes: `label` is what gold says on the scale of the judge, `grade` the grade
itself; both NaN where gold is silent. `position` is the rank, as text."""

_KEYS = ["query_id", "chunk_id", "text_hash"]


def disputes(workspace: Workspace, selected: Sequence[Selected], asker: Asker) -> pd.DataFrame:
    """Verdicts of the first asking that failed, then those that differ from gold, the furthest apart first.

    Of judges of references and statements only failures, for gold says nothing of these. Columns
    `DISPUTE_COLUMNS`; queries keep their order.
    """
    verdicts = workspace.judgments.verdicts(selected, asker)
    verdicts = verdicts[(verdicts["repeat"] == 0).to_numpy()]
    if asker.judge.unit == "context":
        labels = workspace.judgments.labels(selected, asker)[[*_KEYS, "label", "position"]]
        labels = labels.assign(grade=_grades(workspace, labels))
        found = verdicts.merge(labels, on=_KEYS, how="left", sort=False)
    else:
        found = verdicts.assign(label=np.nan, grade=np.nan, position="")
    value = found["value"].to_numpy(np.float64)
    label = found["label"].to_numpy(np.float64)
    has_failed = ~found["status"].isin(["ok", "skipped"]).to_numpy()
    apart = np.nan_to_num(np.abs(value - label))
    first = np.where(has_failed, np.inf, apart)
    order = np.argsort(-first, kind="stable")
    rows = order[first[order] > 0]
    return found.iloc[rows][list(DISPUTE_COLUMNS)].reset_index(drop=True)


def _grades(workspace: Workspace, labels: pd.DataFrame) -> list[float]:
    grades = workspace.judgments.grades()
    pairs = zip(labels["query_id"], labels["chunk_id"], strict=True)
    return [grades.get(query, {}).get(chunk, np.nan) for query, chunk in pairs]
