"""The evidence is not in this run's list, and another run has it."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion, mismatch_of


def other_run(case: Case) -> Suggestion | None:
    """A mismatch of words or of vectors, by the kind of this run."""
    if not case.is_deeper_than_k:
        return None
    for need in case.missed:
        having = {run: rank for run, rank in need.ranks.items() if rank is not None}
        if need.rank is None and having:
            run = min(having, key=lambda name: having[name])
            values = (
                ("chunk", need.chunk_id),
                ("run", run),
                ("rank", having[run]),
                ("depth", case.down_to),
            )
            return Suggestion(mismatch_of(case.kind), "other-run", values)
    return None
