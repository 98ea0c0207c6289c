"""A judge and gold disagree about a chunk in the first K."""

from __future__ import annotations

from ragtui.analysis.causes.model import Case, Suggestion


def judge_differs(case: Case) -> Suggestion | None:
    """Gold missing: the judge finds useful what has no relevant grade. Gold wrong: the other way round."""
    if case.judged is None or not case.missed:
        return None
    verdicts = case.judged.chunks
    cards = [
        card for card in case.evidence.retrieved if card.rank is not None and card.rank <= case.evidence.k
    ]
    for card in cards:
        verdict = verdicts.get(card.chunk_id)
        if verdict is not None and verdict.is_useful and not card.is_relevant:
            rule = "judge-finds" if card.label is None else "judge-finds-graded"
            grade = "" if card.label is None else f"{card.label.grade:g}"
            values = (("chunk", card.chunk_id), ("rank", card.rank), ("grade", grade))
            return Suggestion("gold-missing", rule, values)
    for card in cards:
        verdict = verdicts.get(card.chunk_id)
        if verdict is not None and verdict.is_useful is False and card.is_relevant and card.label is not None:
            values = (("chunk", card.chunk_id), ("rank", card.rank), ("grade", f"{card.label.grade:g}"))
            return Suggestion("gold-wrong", "judge-refuses", values)
    return None
