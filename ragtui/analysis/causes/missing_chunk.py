"""Gold names a chunk that the corpus does not hold."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def missing_chunk(case: Case) -> Suggestion | None:
    """No evidence: what is needed cannot be retrieved, because it is not there."""
    if not case.documents:
        return None  # no corpus, so nothing is known of what it holds
    for need in case.missed:
        if need.text is None and not any(need.ranks.values()):
            return Suggestion("no-evidence", "missing-chunk", (("chunk", need.chunk_id),))
    return None
