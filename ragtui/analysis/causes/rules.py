"""All rules in the order in which they are believed: the first whose evidence is there is suggested.

What makes all further search idle comes first (the evidence does not exist, or it was all there), then what
says why something else was found instead, then how far the evidence was from being found.
"""

from __future__ import annotations

from ragtui.analysis.causes.all_but_one import all_but_one
from ragtui.analysis.causes.below_k import below_k
from ragtui.analysis.causes.evidence_conflict import evidence_conflict
from ragtui.analysis.causes.in_no_run import in_no_run
from ragtui.analysis.causes.judge_differs import judge_differs
from ragtui.analysis.causes.metadata import metadata
from ragtui.analysis.causes.missing_chunk import missing_chunk
from ragtui.analysis.causes.model import Case, Rule, Suggestion
from ragtui.analysis.causes.neighbour import neighbour
from ragtui.analysis.causes.older_version import older_version
from ragtui.analysis.causes.one_document import one_document
from ragtui.analysis.causes.other_kind import other_kind
from ragtui.analysis.causes.other_run import other_run
from ragtui.analysis.causes.wrong_answer import wrong_answer

RULES: tuple[Rule, ...] = (
    missing_chunk,
    evidence_conflict,
    wrong_answer,
    older_version,
    neighbour,
    metadata,
    judge_differs,
    all_but_one,
    one_document,
    below_k,
    other_kind,
    other_run,
    in_no_run,
)


def suggestions(case: Case) -> tuple[Suggestion, ...]:
    """What the rules suggest for a query, the one to show first; each cause once, with its best evidence.

    Nothing where the query is not scored, or the run has no list for it: then there is nothing to explain by.
    """
    if case.evidence.state != "scored" or case.evidence.run_state != "ok":
        return ()
    found: dict[str, Suggestion] = {}
    for rule in RULES:
        suggestion = rule(case)
        if suggestion is not None:
            found.setdefault(suggestion.cause, suggestion)
    return tuple(found.values())
