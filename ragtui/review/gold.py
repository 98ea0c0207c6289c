"""Versions of gold: the files, and what people corrected since, correction by correction.

Version 0 is what the files say. Every event that changes gold (a correction, a decision between raters, and
undo and redo of these) makes the next version, in the order of the journal, so that a number means the same
for ever. Gold files are never rewritten.

A corrected pair has one row for each reviewer whose correction stands, in place of what the files say of it;
where raters settled on a grade, their decision stands alone. Rows of several reviewers are merged by metrics
as those of several annotators are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.model import GOLD_COLUMNS, EvaluationSet
from ragtui.review.events import Decision, Event, Grade
from ragtui.review.state import ReviewState

Pair = tuple[str, str]
"""Query and chunk."""


@dataclass(frozen=True, slots=True)
class GoldVersion:
    """What made one version of gold.

    Attributes:
        number: from 1.
        time, reviewer: when, and by whom.
        act: `grade`, `decision`, `undo` or `redo`.
        query_id, chunk_id: what was graded.
        grade: that was given; None where one was taken back or undone.
        in_sight: runs whose results the reviewer could see.
    """

    number: int
    time: str
    reviewer: str
    act: str
    query_id: str
    chunk_id: str
    grade: float | None
    in_sight: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """One row of corrected gold; `group` is `""` where the group stays what it was."""

    annotator: str
    grade: float
    reason: str = ""
    group: str = ""


def gold_versions(state: ReviewState) -> tuple[GoldVersion, ...]:
    """What made each version after that of the files, in order."""
    return tuple(_version(number, event) for number, event in enumerate(state.gold_events, 1))


def corrections(state: ReviewState, version: int) -> Mapping[Pair, tuple[Correction, ...]]:
    """What stands in place of the files in a version, by pair."""
    then = state.gold_at(version)
    found: dict[Pair, list[Correction]] = {}
    for place, event, grade in then.all_standing(Grade):
        if grade.grade is not None:
            correction = Correction(event.reviewer, grade.grade, grade.reason, grade.group)
            found.setdefault((place.query_id, place.chunk_id), []).append(correction)
    order = {event.id: number for number, event in enumerate(then.gold_events)}
    settled: dict[Pair, tuple[int, Correction]] = {}
    for place, event, decision in then.all_standing(Decision):
        pair, number = (place.query_id, place.chunk_id), order[event.id]
        if decision.grade is not None and number >= settled.get(pair, (-1,))[0]:
            settled[pair] = number, Correction(event.reviewer, decision.grade, decision.reason)
    whole = {pair: tuple(rows) for pair, rows in found.items()}
    return whole | {pair: (correction,) for pair, (_, correction) in settled.items()}


def runs_in_sight(state: ReviewState, version: int) -> frozenset[str]:
    """Runs that reviewers could see when they gave what stands in a version: such gold may favour them."""
    then = state.gold_at(version)
    seen = [grade.in_sight for _, _, grade in then.all_standing(Grade) if grade.grade is not None]
    seen += [
        decision.in_sight for _, _, decision in then.all_standing(Decision) if decision.grade is not None
    ]
    return frozenset(run for runs in seen for run in runs)


def corrected(
    evaluation: EvaluationSet, changes: Mapping[Pair, tuple[Correction, ...]], split: str | None
) -> EvaluationSet:
    """The set with corrected gold.

    A pair keeps its place, split, group and role, but a relevant chunk is no distractor any more. A query
    that was said to have no answer has one once a chunk is relevant for it. Corrections of queries that the
    set does not have are left out.

    Args:
        evaluation: the set as its files say.
        changes: rows by pair, see `corrections`.
        split: of queries that are in none.
    """
    known = set(evaluation.queries.index)
    changes = {pair: rows for pair, rows in changes.items() if pair[0] in known}
    if not changes:
        return evaluation
    gold = _corrected_rows(evaluation, changes, split)
    level = evaluation.settings.level
    relevant = {pair[0] for pair, rows in changes.items() if any(row.grade >= level for row in rows)}
    answerable = evaluation.queries["answerable"]
    said_not = [query_id for query_id in answerable.index[answerable.isin([False])] if query_id in relevant]
    queries = evaluation.queries
    if said_not:
        queries = queries.copy()
        queries["answerable"] = answerable.where(~answerable.index.isin(said_not), True)
    return replace(evaluation, gold=gold, queries=queries, given_hashes=None)


def _corrected_rows(
    evaluation: EvaluationSet, changes: Mapping[Pair, tuple[Correction, ...]], split: str | None
) -> pd.DataFrame:
    gold, level = evaluation.gold, evaluation.settings.level
    pairs = list(zip(gold["query_id"], gold["chunk_id"], strict=True))
    is_changed = np.fromiter((pair in changes for pair in pairs), dtype=bool, count=len(pairs))
    first: dict[Pair, tuple[int, dict[str, Any]]] = {}
    for row in np.flatnonzero(is_changed).tolist():
        said = {str(name): value for name, value in gold.iloc[row].items()}
        first.setdefault(pairs[row], (row, said))
    made: list[dict[str, Any]] = []
    places: list[int] = []
    for pair, rows in changes.items():
        place, said = first.get(pair, (len(gold), {"split": _split(evaluation, pair[0], split)}))
        for one in rows:
            keeps_role = one.grade < level
            made.append(
                {
                    "query_id": pair[0],
                    "chunk_id": pair[1],
                    "grade": one.grade,
                    "reason": one.reason,
                    "annotator": one.annotator,
                    "group": one.group or said.get("group"),
                    "role": said.get("role") if keeps_role else None,
                    "split": said["split"],
                }
            )
            places.append(place)
    added = pd.DataFrame(made, columns=list(GOLD_COLUMNS)).astype(gold.dtypes.to_dict())
    kept = gold.loc[~is_changed]
    order = np.argsort(np.concatenate([np.flatnonzero(~is_changed), places]), kind="stable")
    both = pd.concat([kept, added], ignore_index=True).iloc[order].reset_index(drop=True)
    for name in ("group", "role"):
        both[name] = both[name].astype(object).where(both[name].notna(), None)
    return both


def _split(evaluation: EvaluationSet, query_id: str, otherwise: str | None) -> str | None:
    split = evaluation.query_split.get(query_id)
    return split if isinstance(split, str) else otherwise


def _version(number: int, event: Event) -> GoldVersion:
    what = event.what
    return GoldVersion(
        number,
        event.time,
        event.reviewer,
        what.kind,
        what.query_id,
        getattr(what, "chunk_id", ""),
        what.grade if isinstance(what, Grade | Decision) else None,
        what.in_sight if isinstance(what, Grade | Decision) else (),
    )
