"""All evidence groups were found but one."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def all_but_one(case: Case) -> Suggestion | None:
    """Partial evidence: what is missing is one part of several."""
    evidence = case.evidence
    if not case.missed or evidence.groups_found < 1 or evidence.groups_found != evidence.groups - 1:
        return None
    values = (
        ("got", evidence.groups_found),
        ("groups", evidence.groups),
        ("chunk", case.missed[0].chunk_id),
        ("k", evidence.k),
    )
    return Suggestion("partial-evidence", "all-but-one", values)
