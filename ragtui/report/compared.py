"""The run of a report beside its baseline."""

from __future__ import annotations

import pandas as pd

from ragtui.analysis.comparison import Comparison, compare
from ragtui.analysis.slices import GROUPS, LENGTH
from ragtui.dataset.model import Run
from ragtui.errors import RagtuiError
from ragtui.report.facts import Facts
from ragtui.workspace.workspace import Lens


def compared(facts: Facts, baseline: str) -> Comparison:
    """Paired differences of a few metrics; of the primary one also by slice, where the set is not large.

    Raises:
        RagtuiError: the primary metric lies beyond the depth of one of the two.
    """
    for run in (baseline, facts.run):
        if facts.primary not in _table(facts, run)[1]:
            raise RagtuiError("report.no-primary", where=run, metric=facts.primary)
    key = next((key for key in facts.slice_keys if key not in (GROUPS, LENGTH)), "")
    by_slice = bool(key) and not facts.is_large
    ids = facts.table.frame.index
    return compare(
        _table(facts, baseline),
        _table(facts, facts.run),
        facts.primary,
        cluster=facts.workspace.clusters(ids),
        key=key,
        slices={value: ids[inside] for value, inside in facts.memberships(key)} if by_slice else {},
    )


def _table(facts: Facts, run: str) -> tuple[Run, pd.DataFrame]:
    k = facts.k
    names = [facts.primary, f"complete@{k}", f"hit@{k}", f"recall@{k}", f"mrr@{k}"]
    if facts.has_distractors:
        names.append(f"stale@{k}")
    result = facts.workspace.result(run, Lens(metrics=tuple(dict.fromkeys(names))))
    return facts.workspace.run(run), result.table
