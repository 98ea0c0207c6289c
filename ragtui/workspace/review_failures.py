"""Queries that fail, each with what was missed, what a rule suggests and what people say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ragtui.analysis.causes.model import Suggestion
from ragtui.analysis.columns import shown
from ragtui.analysis.evidence_model import RunState
from ragtui.analysis.order import worst_first
from ragtui.errors import RagtuiError
from ragtui.review.events import Guard, Tag
from ragtui.review.guarded import Guarded, guarded_state
from ragtui.stats.bootstrap import SEED

if TYPE_CHECKING:
    from ragtui.analysis.query_table import QueryTable
    from ragtui.workspace.review import Review
    from ragtui.workspace.workspace import Workspace

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class Failure:
    """One query that fails under a run.

    Attributes:
        type: of the query, `""` where unsaid.
        mark: `x` nothing of the evidence in the first K, `~` part of it, `""` all of it and the answer wrong.
        got, groups: evidence groups found, and needed.
        first_rank: of the first relevant chunk; None without one.
        missed: chunks of the groups of which nothing was found.
        suggested: what a rule suggests first; None where none does.
        run_state: `lacks` where the run has no list for the query, `failed` where the system failed on it.
        error: what the system said then.
        tags: by reviewer; those with a cause or a note.
        guarded: how it stands as a guarded query; None where it is none.
    """

    query_id: str
    text: str
    type: str
    mark: str
    got: int
    groups: int
    first_rank: int | None
    missed: tuple[str, ...]
    suggested: Suggestion | None
    run_state: RunState
    error: str
    tags: Mapping[str, Tag]
    guarded: Guarded | None

    @property
    def causes(self) -> tuple[str, ...]:
        """What people gave, each once."""
        return tuple(dict.fromkeys(cause for tag in self.tags.values() for cause in tag.causes))


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many of some failures people gave a cause, and to how many untagged ones a rule suggests it."""

    cause: str
    given: int
    suggested: int


def failures(
    workspace: Workspace,
    run: str,
    k: int,
    stage: str | None = None,
    *,
    among: Collection[str] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> tuple[Failure, ...]:
    """Queries that fail under a run, worst first.

    Args:
        workspace: the set.
        run: name of the run.
        k: cut-off.
        stage: of the run; None for the final list.
        among: ids to look at; None for all of the split.
        watch: is told how many are looked at, of how many.

    Raises:
        RagtuiError: the cut-off lies beyond the depth of the run, so that nobody knows what fails.
    """
    depth = workspace.run(run).depth_of(stage)
    if depth is not None and k > depth:
        raise RagtuiError("review.beyond-depth", run=run, k=k, depth=depth)
    review, table = workspace.review, workspace.table(run, k, stage)
    guards = guarded_queries(workspace, k, stage)
    wanted = set(review.failing(run, k, stage))
    if among is not None:
        wanted &= set(among)
    metric = f"{workspace.set.settings.primary.split('@')[0]}@{k}"
    ids = table.query_ids
    rows = [int(row) for row in worst_first(table, metric) if ids[row] in wanted]
    found = []
    for row in rows:
        found.append(_failure(review, table, row, guards.get(ids[row])))
        if watch is not None:
            watch(len(found), len(rows))
    return tuple(found)


def sampled(found: Sequence[Drawn], n: int, seed: int = SEED) -> tuple[Drawn, ...]:
    """`n` of them drawn at random, in their order; all where there are no more."""
    if n >= len(found):
        return tuple(found)
    drawn = np.random.default_rng(seed).choice(len(found), size=n, replace=False)
    return tuple(found[place] for place in sorted(drawn.tolist()))


def count_causes(found: Sequence[Failure]) -> tuple[CauseCount, ...]:
    """Causes with how often each was given and suggested, frequent ones first."""
    given = Counter(cause for failure in found for cause in failure.causes)
    suggested = Counter(
        failure.suggested.cause for failure in found if failure.suggested is not None and not failure.causes
    )
    names = sorted({*given, *suggested}, key=lambda name: (-given[name], -suggested[name], name))
    return tuple(CauseCount(name, given[name], suggested[name]) for name in names)


def guarded_queries(workspace: Workspace, k: int, stage: str | None = None) -> Mapping[str, Guarded]:
    """How each guarded query stands, by id; guarded by anyone."""
    guards: dict[str, Guard] = {}
    for place, _, guard in workspace.review.journal.state.all_standing(Guard):
        if guard.on:
            guards.setdefault(place.query_id, guard)
    if not guards:
        return {}
    runs = by_age(workspace)
    failing: dict[str, frozenset[str]] = {}

    def passes(query_id: str, run: str) -> bool | None:
        table = workspace.table(run, k, stage)
        row = table.row_of(query_id)
        if row is None or table.frame["state"].iat[row] != "scored":
            return None
        if run not in failing:
            failing[run] = frozenset(workspace.review.failing(run, k, stage))
        return query_id not in failing[run]

    return {
        query_id: guarded_state(guard, runs, lambda run, query_id=query_id: passes(query_id, run))  # type: ignore[misc]
        for query_id, guard in guards.items()
    }


def by_age(workspace: Workspace) -> list[str]:
    """Names of the runs, oldest first by the time of their cards; as they stand where one has none."""
    times = {name: _time(workspace, name) for name in workspace.runs}
    if any(time is None for time in times.values()):
        return workspace.runs
    return sorted(workspace.runs, key=lambda name: times[name] or datetime.min.replace(tzinfo=UTC))


def _time(workspace: Workspace, run: str) -> datetime | None:
    card = workspace.run(run).card
    try:
        time = datetime.fromisoformat(str(card.fields["time"])) if card is not None else None
    except (KeyError, ValueError):
        return None
    return time if time is None or time.tzinfo is not None else time.replace(tzinfo=UTC)


def _failure(review: Review, table: QueryTable, row: int, guarded: Guarded | None) -> Failure:
    query_id = str(table.query_ids[row])
    facts = table.frame.iloc[row]
    seen = review.looked_at(table.run.name, query_id, table.k, table.stage)
    rank = facts["first_rank"]
    return Failure(
        query_id=query_id,
        text=str(facts["text"]),
        type=shown(facts["type"]),
        mark=str(facts["mark"]),
        got=max(0, int(facts["got"])),
        groups=int(facts["groups"]),
        first_rank=None if np.isnan(rank) else int(rank),
        missed=seen.missed,
        suggested=seen.suggestions[0] if seen.suggestions else None,
        run_state=seen.run_state,
        error=seen.error,
        tags={who: tag for who, tag in review.tags(query_id).items() if tag.causes or tag.note},
        guarded=guarded,
    )
