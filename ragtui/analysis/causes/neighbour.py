"""The chunk right before or after the evidence was found instead of it."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def neighbour(case: Case) -> Suggestion | None:
    """Chunk boundary: the answer may span it. A neighbour that is needed itself says nothing."""
    needed = {need.chunk_id for need in case.evidence.needs}
    for need in case.missed:
        near = need.neighbour
        if near is not None and near.rank <= case.evidence.k and near.chunk_id not in needed:
            values = (("chunk", need.chunk_id), ("near", near.chunk_id), ("rank", near.rank))
            return Suggestion("chunk-boundary", "neighbour", values)
    return None
