"""The regression set: the guarded queries of a set as a set of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.selection import without_queries
from ragtui.dataset.writing import write_native
from ragtui.errors import RagtuiError
from ragtui.workspace.review_failures import guarded_queries

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

STATE = "guarded"
"""Metadata of each query: how it stands, and in which run, such as `fixed e5-small`."""


def write_regression_set(workspace: Workspace, folder: Path, k: int) -> int:
    """Write the guarded queries with their gold, the whole corpus and all runs; gives how many there are.

    The gold is that of the workspace, corrected where it is.

    Raises:
        RagtuiError: no query is guarded.
        CannotWrite: `folder` is not empty, or the place cannot be written.
    """
    states = guarded_queries(workspace, k)
    said = {query_id: " ".join((one.state, one.run)).strip() for query_id, one in states.items()}
    if not said:
        raise RagtuiError("review.nothing-guarded")
    write_native(_narrowed(workspace.set, said), folder)
    return len(said)


def _narrowed(evaluation: EvaluationSet, said: dict[str, str]) -> EvaluationSet:
    kept = evaluation.queries.index.isin(list(said))
    queries = evaluation.queries[kept].copy()
    queries[STATE] = pd.Series([said[one] for one in queries.index], index=queries.index, dtype=object)
    others = frozenset(map(str, evaluation.queries.index[~kept]))
    return replace(
        evaluation,
        queries=queries,
        gold=evaluation.gold[evaluation.gold["query_id"].isin(list(said)).to_numpy()].reset_index(drop=True),
        query_split=evaluation.query_split[kept],
        runs={name: _run(run, others) for name, run in evaluation.runs.items()},
        given_hashes=None,
    )


def _run(run: Run, others: frozenset[str]) -> Run:
    """The run without the queries that are not guarded."""
    latency, answers, routes = run.latency_ms, run.answers, run.routes
    return replace(
        run,
        lists=without_queries(run.lists, others),
        stages={name: without_queries(lists, others) for name, lists in run.stages.items()},
        latency_ms=None if latency is None else latency[~latency.index.isin(list(others))],
        answers=None if answers is None else answers[~answers.index.isin(list(others))],
        routes=None if routes is None else routes[~routes["query_id"].isin(list(others))],
        errors={query_id: text for query_id, text in run.errors.items() if query_id not in others},
    )
