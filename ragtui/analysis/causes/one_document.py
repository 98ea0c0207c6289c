"""The first K are all of one document."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion, first_k

_FEWEST = 3


def one_document(case: Case) -> Suggestion | None:
    """Noise: one document crowds out the others, the one that holds the evidence among them."""
    k = case.evidence.k
    first = first_k(case.evidence)
    documents = {case.documents.get(chunk_id) for chunk_id in first}
    if len(first) < max(k, _FEWEST) or len(documents) != 1:
        return None
    document = documents.pop()
    elsewhere = any(case.documents.get(need.chunk_id, document) != document for need in case.missed)
    if document is None or not elsewhere:
        return None
    return Suggestion("noise", "one-document", (("k", k), ("document", document)))
