"""The evidence is in no run at any rank."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion, mismatch_of


def in_no_run(case: Case) -> Suggestion | None:
    """Wording of the query where retrievers of different kinds fail, else a mismatch of the one kind."""
    if not case.is_deeper_than_k:
        return None
    for need in case.missed:
        if any(rank is not None for rank in need.ranks.values()):
            continue
        kinds = {case.kinds.get(run, "other") for run in need.ranks}
        one_kind = len(kinds) == 1 and kinds != {"other"}
        cause = mismatch_of(case.kind) if one_kind else "query-wording"
        words = " ".join(need.shared_words[:5])
        rule = "in-no-run-sharing" if words else "in-no-run"
        values = (
            ("chunk", need.chunk_id),
            ("n", len(need.ranks)),
            ("depth", case.down_to),
            ("words", words),
        )
        return Suggestion(cause, rule, values)
    return None
