"""What the query says of itself is what the evidence says and not what the first result says."""

from __future__ import annotations

import re

from ragtui.analysis.causes.model import Case, Suggestion
from ragtui.analysis.columns import fold

_ROLES = re.compile(r"role|permission|audience|acl|access|clearance|角色|权限|职级", re.IGNORECASE)


def metadata(case: Case) -> Suggestion | None:
    """Metadata filter, or permission and role: a filter on that key would have kept the evidence."""
    top = case.evidence.top
    if top is None or top.is_relevant:
        return None
    told = case.tells.get(top.chunk_id, {})
    for need in case.missed:
        for key, asked in case.asks.items():
            wanted, has = case.tells.get(need.chunk_id, {}).get(key, ""), told.get(key, "")
            if has and fold(wanted) == fold(asked) != fold(has):
                cause = "permission-role" if _ROLES.search(key) else "metadata-filter"
                values = (("key", key), ("asked", asked), ("has", has), ("chunk", top.chunk_id))
                return Suggestion(cause, "metadata", values)
    return None
