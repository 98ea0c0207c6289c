"""The run of a report beside its baseline."""

from __future__ import annotations

from ragtui.analysis.comparison import Comparison, compare
from ragtui.analysis.slices import GROUPS, LENGTH
from ragtui.errors import RagtuiError
from ragtui.report.facts import Facts


def compared(facts: Facts, baseline: str) -> Comparison:
    """Paired differences of a few metrics; of the primary one also by slice, where the set is not large.

    Raises:
        RagtuiError: the primary metric lies beyond the depth of one of the two.
    """
    for run in (baseline, facts.run):
        if facts.primary not in facts.compared(run):
            raise RagtuiError("report.no-primary", where=run, metric=facts.primary)
    key = next((key for key in facts.slice_keys if key not in (GROUPS, LENGTH)), "")
    by_slice = bool(key) and not facts.is_large
    ids, workspace = facts.table.frame.index, facts.workspace
    return compare(
        (workspace.run(baseline), facts.compared(baseline)),
        (workspace.run(facts.run), facts.compared(facts.run)),
        facts.primary,
        cluster=workspace.clusters(ids),
        key=key,
        slices={value: ids[inside] for value, inside in facts.memberships(key)} if by_slice else {},
        estimates=facts.differences,
    )
