"""All evidence was found, the answer is wrong, and two versions of one thing were in the prompt."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def evidence_conflict(case: Case) -> Suggestion | None:
    """The model had to choose between two versions."""
    if case.missed or case.answer_correct is not False or case.versions_in_prompt is None:
        return None
    older, newer = case.versions_in_prompt
    return Suggestion("evidence-conflict", "evidence-conflict", (("older", older), ("newer", newer)))
