"""What `eval` found of each run, before it becomes text or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ragtui.analysis.facts import Facts
from ragtui.analysis.overview import Remark, remarks
from ragtui.analysis.query_table import QueryTable, build_query_table
from ragtui.analysis.slices import Slice, slices
from ragtui.analysis.where import Nearest, is_outcome, nearest_matching, require
from ragtui.analysis.where_parser import cutoffs
from ragtui.errors import RagtuiError
from ragtui.metrics.notes import Note
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens

OUTCOME = "outcome-filter"


@dataclass(frozen=True)
class Question:
    """What was asked of every run.

    Attributes:
        lens: how numbers are made.
        k: cut-off of marks and of metrics without one.
        by: slice keys.
        where: a filter; `""` for none.
        unit: what gold and lists name, and so what is counted.
    """

    lens: Lens
    k: int
    by: tuple[str, ...] = ()
    where: str = ""
    unit: Literal["chunk", "document"] = "chunk"


@dataclass(frozen=True)
class EvaluatedRun:
    """One run under a question.

    Attributes:
        table: of the queries that satisfy the filter.
        means: by metric. Under a filter on an outcome they are None, for a mean over chosen outcomes says
            nothing.
        slices: by key.
        remarks: what is worth saying, warnings first.
        nearest: for a filter that matches nothing, a smaller one that does.
    """

    table: QueryTable
    means: Mapping[str, Estimate]
    slices: Mapping[str, tuple[Slice, ...]]
    remarks: tuple[Note | Remark, ...]
    nearest: Nearest | None = None


def evaluate_run(workspace: Workspace, run: str, question: Question) -> EvaluatedRun:
    """Answer a question for one run.

    Raises:
        BadFilter: the filter is wrong.
        RagtuiError: an unknown metric, slice key or stage.
    """
    over_outcome, nearest = False, None
    if question.where:
        where = require(question.where, facts_for(workspace, run, question))
        over_outcome = is_outcome(where)
        matching = where.mask()
        nearest = None if matching.any() else nearest_matching(where)
        workspace = workspace.only(where.facts.table.query_ids[matching])
    table = _table(workspace, run, question.lens, question.k)
    means = workspace.summary(run, question.lens)
    by = {key: slices(table, key, cluster=workspace.clusters(table.frame.index)) for key in question.by}
    said = remarks(table)
    if over_outcome:
        said = table.result.notes  # what is remarked of shares would only mirror the filter
        means = {name: _unsaid(estimate) for name, estimate in means.items()}
        by = {key: tuple(map(_unsaid_slice, found)) for key, found in by.items()}
    return EvaluatedRun(table, means, by, said, nearest)


def remarks_by_text(
    runs: Mapping[str, EvaluatedRun], severity: Literal["warning", "note"]
) -> dict[str, list[str]]:
    """Names of the runs of which each remark is said: what holds for several runs is said once."""
    names: dict[str, list[str]] = {}
    for name, found in runs.items():
        for remark in found.remarks:
            if remark.severity == severity:
                names.setdefault(remark.text, []).append(name)
    return names


def _table(workspace: Workspace, run: str, lens: Lens, k: int) -> QueryTable:
    return build_query_table(
        workspace.set,
        workspace.run(run),
        workspace.result(run, lens),
        k,
        query_ids=workspace.query_ids,
        stage=lens.stage,
    )


def facts_for(workspace: Workspace, run: str, question: Question) -> Facts:
    """What the filter may ask: all metrics, at the cut-offs of the question and at those the filter names."""
    asked = question.lens
    ks = tuple(sorted({*(asked.ks or workspace.set.settings.k), question.k, *cutoffs(question.where)}))
    lens = Lens(asked.convention, asked.missing, asked.stage, asked.level, ks)
    others = workspace.runs if "run" in question.where.casefold() or "运行" in question.where else [run]
    tables = {
        name: workspace.with_verdicts(_table(workspace, name, lens, question.k))
        for name in others
        if workspace.run(name).stage(lens.stage) is not None
    }
    marked = frozenset(workspace.load_view().marks)
    try:
        guarded, causes = workspace.review.guarded, workspace.review.causes_by_query
    except RagtuiError:  # most filters ask nothing of the journal, and `cause:` says that there are none
        return Facts(tables[run], tables, marked)
    return Facts(tables[run], tables, marked, guarded, causes)


def _unsaid(estimate: Estimate) -> Estimate:
    return Estimate(None, None, None, estimate.n, reason=estimate.reason if estimate.n == 0 else OUTCOME)


def _unsaid_slice(found: Slice) -> Slice:
    metrics = {name: _unsaid(estimate) for name, estimate in found.metrics.items()}
    return Slice(found.value, found.n, found.small, metrics)
