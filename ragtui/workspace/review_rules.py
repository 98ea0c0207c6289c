"""What rules of causes find out about the queries of a set, each query once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ragtui.analysis.causes.cases import case_of, run_kind
from ragtui.analysis.causes.model import RunKind, Suggestion
from ragtui.analysis.causes.rules import suggestions
from ragtui.analysis.evidence_model import RunState
from ragtui.dataset.model import Run

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What rules found out about a query.

    Attributes:
        suggestions: the one to show first.
        missed: chunks of the evidence groups of which nothing is in the first K.
        run_state: `lacks` where the run has no list for the query, `failed` where the system failed on it.
        error: what the system said then.
    """

    suggestions: tuple[Suggestion, ...]
    missed: tuple[str, ...]
    run_state: RunState
    error: str


class RulesOfCauses:
    """Looks at queries when they are asked for, and remembers what was found."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: dict[tuple[str, int, str | None, str], LookedAt] = {}

    def look(self, run: str, query_id: str, k: int, stage: str | None) -> LookedAt:
        """What there is to find out about a query of a run."""
        key = (run, k, stage, query_id)
        if key not in self._seen:
            workspace = self._workspace
            evidence = workspace.evidence(run, query_id, k, stage)
            judged = workspace.judged_table(run, k, stage).judged
            about = None if judged is None else judged.about(query_id)
            case = case_of(workspace.set, evidence, kinds=self._kinds, judged=about)
            missed = tuple(need.chunk_id for need in evidence.missed)
            self._seen[key] = LookedAt(suggestions(case), missed, evidence.run_state, evidence.error)
        return self._seen[key]

    def forget(self) -> None:
        """Look anew when next asked, such as after judging."""
        self._seen = {}

    @cached_property
    def _kinds(self) -> Mapping[str, RunKind]:
        return {name: run_kind(run) for name, run in self._workspace.set.runs.items()}


def wrong_answers(run: Run) -> frozenset[str]:
    """Queries whose answer is said to be wrong."""
    if run.answers is None or "answer_correct" not in run.answers:
        return frozenset()
    correct = run.answers["answer_correct"]
    return frozenset(
        str(query_id) for query_id in correct.index[correct.eq(False).fillna(False).to_numpy(bool)]
    )
