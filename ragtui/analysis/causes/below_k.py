"""The evidence is in the list, below K."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def below_k(case: Case) -> Suggestion | None:
    """Ranking: it was retrieved and did not come first."""
    ranked = [need for need in case.missed if need.rank is not None]
    if not ranked:
        return None
    need = min(ranked, key=lambda one: one.rank or 0)
    values = [("chunk", need.chunk_id), ("rank", need.rank), ("k", case.evidence.k)]
    if need.under_k is None:
        return Suggestion("ranking", "below-k", tuple(values))
    return Suggestion("ranking", "below-k-by", (*values, ("gap", f"{need.under_k:.3g}")))
