"""A report from a workspace: everything it says, computed and not yet worded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui import __version__
from ragtui.analysis.overview import remarks
from ragtui.analysis.targets import Target, target
from ragtui.metrics.names import parse_name
from ragtui.report.compared import compared
from ragtui.report.facts import Facts
from ragtui.report.failed import failed
from ragtui.report.figures import figures
from ragtui.report.limits import limits
from ragtui.report.model import Basis, Chosen, Report, SliceTable, WeakSlice
from ragtui.report.steps import next_steps
from ragtui.report.weak import Member, weak_slices
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens


def build_report(
    workspace: Workspace,
    *,
    run: str | None = None,
    baseline: str | None = None,
    time: str,
    path: str = "",
    where: str = "",
) -> Report:
    """Everything a report of a run says, with names of slices in the language now in use.

    Args:
        workspace: of the set, narrowed to the queries that `where` leaves.
        run: the run that it is about; None takes the only one, else the one with the highest mean of the
            primary metric.
        baseline: the run that it is compared with; None for no comparison.
        time: when it is made, ISO 8601.
        path: of the set, as commands name it.
        where: the filter in words, `""` for none.

    Raises:
        RagtuiError: there is no such run, or none at all.
    """
    chosen_run, chosen = _chosen(workspace, run, baseline)
    facts = Facts.of(workspace, chosen_run, baseline)
    basis = _basis(facts, chosen, time=time, path=path, where=where)
    weak, low = _weak(facts)
    comparison = None if baseline is None else compared(facts, baseline)
    worse = [] if comparison is None else [one.query_id for one in comparison.worse]
    targets = _targets(facts)
    return Report(
        basis=basis,
        figures=figures(facts, targets),
        targets=targets,
        weak=weak,
        low=low,
        steps=next_steps(facts, targets),
        limits=limits(facts, basis),
        metrics=facts.means,
        others={name: facts.few_means(name) for name in facts.other_runs},
        slices=tuple(_slice_tables(facts)),
        failures=failed(facts),
        no_answer=facts.no_answer,
        judges=facts.judges[0],
        judges_error=facts.judges[1],
        comparison=comparison,
        texts={query_id: str(facts.table.frame.at[query_id, "text"]) for query_id in worse},
        remarks=tuple(_remarks(facts)),
    )


def best_run(workspace: Workspace, but: str | None = None) -> str:
    """The run with the highest mean of the primary metric but for one; the first of equals."""
    means = {name: _mean(workspace, name) for name in workspace.runs if name != but}
    return max(means, key=means.__getitem__)


def _mean(workspace: Workspace, run: str) -> float:
    metric = Facts.of(workspace, run).primary
    result = workspace.result(run, Lens(metrics=(metric,)))
    values = result.table[metric].dropna() if metric in result.table else pd.Series(dtype=float)
    return float(values.mean()) if len(values) else -1.0


def _chosen(workspace: Workspace, run: str | None, baseline: str | None) -> tuple[str, Chosen]:
    if run is not None:
        return workspace.run(run).name, "named"
    left = [name for name in workspace.runs if name != baseline]
    if len(left) == 1:
        return left[0], "only"
    return best_run(workspace, baseline), "best"


def _basis(facts: Facts, chosen: Chosen, *, time: str, path: str, where: str) -> Basis:
    workspace, table = facts.workspace, facts.table
    hashes = workspace.set.hashes
    counts = table.at_any_k.queries_in_state
    scored, no_answer = counts.get("scored", 0), counts.get("no-answer", 0)
    card = table.run.card
    return Basis(
        set_name=workspace.set.name,
        path=path or str(workspace.set.path),
        run=facts.run,
        chosen=chosen,
        runs=tuple(workspace.runs),
        split=workspace.split,
        k=facts.k,
        primary=facts.primary,
        level=table.result.level,
        convention=table.result.convention,
        where=where,
        queries=len(table),
        scored=scored,
        no_answer=no_answer,
        other=len(table) - scored - no_answer,
        gold_version=workspace.gold_version,
        hashes={
            "corpus": None if workspace.set.chunks.empty else hashes.corpus,
            "queries": hashes.queries,
            "gold": hashes.gold,
        },
        card=None if card is None else dict(card.fields),
        time=time,
        version=__version__,
    )


def _targets(facts: Facts) -> tuple[Target, ...]:
    wanted = facts.workspace.set.settings.targets
    return tuple(_target(facts, name, value) for name, value in wanted.items())


def _target(facts: Facts, name: str, wanted: float) -> Target:
    """A figure of a judge that is not believed decides nothing."""
    written = parse_name(name)
    found = target(name, wanted, facts.estimate(name if written is None else str(written)))
    judge = facts.judge_of(name)
    return found if judge is None or judge.name.is_believed else replace(found, outcome="undecided")


def _weak(facts: Facts) -> tuple[tuple[WeakSlice, ...], tuple[WeakSlice, ...]]:
    frame = facts.table.frame
    scored = facts.scored
    complete = (frame["got"] >= frame["groups"]).to_numpy(dtype=bool)[scored]
    clusters = facts.workspace.clusters(frame.index[scored])
    return weak_slices(complete, _members(facts, scored), clustered=clusters is not None)


def _members(facts: Facts, scored: npt.NDArray[np.bool_]) -> Iterable[Member]:
    for key in facts.slice_keys:
        for value, inside in facts.memberships(key):
            yield key, value, inside[scored]


def _slice_tables(facts: Facts) -> Iterable[SliceTable]:
    for place, key in enumerate(facts.slice_keys):
        found = facts.slices(key, facts.few if place == 0 and not facts.is_large else facts.shares)
        if len(found) > 1:
            yield SliceTable(key, found)


def _remarks(facts: Facts) -> Iterable[tuple[str, str]]:
    for fault in facts.workspace.set.warnings:
        if fault.severity == "warning":
            yield fault.severity, f"{fault.where}: {fault.what}" if fault.where else fault.what
    for remark in remarks(facts.table):
        yield remark.severity, remark.text
