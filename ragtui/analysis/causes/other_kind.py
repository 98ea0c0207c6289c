"""The evidence was found by lexical retrieval only, or by dense retrieval only, and this run is the other."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, RunKind, Suggestion, mismatch_of

_OTHER: dict[RunKind, RunKind] = {"lexical": "dense", "dense": "lexical"}


def other_kind(case: Case) -> Suggestion | None:
    """A mismatch of words or of vectors: the runs of the other kind have it and none of this kind."""
    wanted = _OTHER.get(case.kind)
    if wanted is None or not case.is_deeper_than_k:
        return None
    for need in case.missed:
        having = {run: rank for run, rank in need.ranks.items() if rank is not None}
        if having and all(case.kinds.get(run) == wanted for run in having):
            run = min(having, key=lambda name: having[name])
            values = (("chunk", need.chunk_id), ("run", run), ("rank", having[run]))
            return Suggestion(mismatch_of(case.kind), f"only-{wanted}", values)
    return None
