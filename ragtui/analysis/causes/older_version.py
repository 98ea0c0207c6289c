"""An older version of the same document stands above the evidence."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def older_version(case: Case) -> Suggestion | None:
    """Stale version: the first K hold it and not the evidence."""
    for need in case.missed:
        if need.older_above is not None:
            older = need.older_above
            values = (("older", older.chunk_id), ("rank", older.rank), ("chunk", need.chunk_id))
            return Suggestion("stale-version", "older-version", values)
    return None
