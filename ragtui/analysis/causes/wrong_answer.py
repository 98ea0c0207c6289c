"""All evidence was found and the answer is wrong all the same."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def wrong_answer(case: Case) -> Suggestion | None:
    """Generation: where it is known, the evidence was in the prompt too."""
    evidence = case.evidence
    if case.missed or not evidence.needs or case.answer_correct is not False:
        return None
    if case.prompt is None:
        return Suggestion("generation", "wrong-answer", (("k", evidence.k), ("n", evidence.groups)))
    given = [need.chunk_id for need in evidence.needs if need.chunk_id in case.prompt]
    if not given:
        return Suggestion("ranking", "not-in-prompt", (("chunk", evidence.needs[0].chunk_id),))
    return Suggestion("generation", "wrong-answer-prompt", (("chunk", given[0]),))
