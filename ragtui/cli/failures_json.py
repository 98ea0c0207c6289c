"""The JSON of `failures`; its shape is `schemas/failures.json`."""

from __future__ import annotations

from typing import Any

from ragtui.cli.failures_found import Found
from ragtui.workspace.review_failures import Failure


def as_json(found: Found) -> dict[str, Any]:
    """All that `failures` found."""
    return {
        "set": found.workspace.set.name,
        "split": found.workspace.split,
        "run": found.run,
        "k": found.k,
        "stage": found.stage,
        "where": found.where or None,
        "scored": found.scored,
        "failing": len(found.failing),
        "tagged": sum(bool(failure.causes) for failure in found.failing),
        "seed": found.seed,
        "causes": [
            {"cause": count.cause, "given": count.given, "suggested": count.suggested}
            for count in found.counts
        ],
        "failures": [_failure(failure) for failure in found.shown],
    }


def _failure(failure: Failure) -> dict[str, Any]:
    suggested, guarded = failure.suggested, failure.guarded
    return {
        "query_id": failure.query_id,
        "text": failure.text,
        "type": failure.type or None,
        "mark": failure.mark,
        "got": failure.got,
        "groups": failure.groups,
        "first_rank": failure.first_rank,
        "missed": list(failure.missed),
        "run_state": failure.run_state,
        "error": failure.error or None,
        "suggested": None
        if suggested is None
        else {
            "cause": suggested.cause,
            "rule": suggested.rule,
            "evidence": suggested.evidence(),
            "remedy": suggested.remedy(),
        },
        "tags": [
            {"reviewer": reviewer, "causes": list(tag.causes), "note": tag.note or None}
            for reviewer, tag in failure.tags.items()
        ],
        "guarded": None if guarded is None else {"state": guarded.state, "run": guarded.run or None},
    }
