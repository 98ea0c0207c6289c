"""The JSON of `eval`; its shape is `schemas/eval.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragtui.analysis.export import plain
from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.slices import Slice
from ragtui.cli.evaluated import EvaluatedRun, Question
from ragtui.dataset.faults import Fault
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace

COUNTS = (
    "queries",
    "scored",
    "no_answer",
    "no_relevant_gold",
    "missing",
    "failed",
    "unjudged",
    "duplicates",
    "ties",
)


def as_json(
    workspace: Workspace, question: Question, runs: Mapping[str, EvaluatedRun], *, per_query: bool
) -> dict[str, Any]:
    """All that `eval` found, without NaN."""
    hashes = workspace.set.hashes
    level = workspace.level if question.lens.level is None else question.lens.level
    return {
        "set": workspace.set.name,
        "hashes": {"corpus": hashes.corpus, "queries": hashes.queries, "gold": hashes.gold},
        "gold_version": workspace.gold_version,
        "convention": question.lens.convention,
        "level": level,
        "unit": question.unit,
        "split": workspace.split,
        "stage": question.lens.stage,
        "where": question.where or None,
        "runs": {name: _run(found, per_query=per_query) for name, found in runs.items()},
        "warnings": [*map(_read, workspace.set.warnings), *_said(runs)],
    }


def _run(found: EvaluatedRun, *, per_query: bool) -> dict[str, Any]:
    result = found.table.result
    whole: dict[str, Any] = {
        "depth": result.depth,
        "metrics": _metrics(found.means),
        "counts": {name: getattr(result.counts, name) for name in COUNTS},
        "slices": {key: {part.value: _slice(part) for part in parts} for key, parts in found.slices.items()},
    }
    return whole | ({"per_query": _per_query(found.table)} if per_query else {})


def _metrics(means: Mapping[str, Estimate]) -> dict[str, Any]:
    return {
        name: {
            "mean": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "n": estimate.n,
            "method": estimate.method or None,
            "reason": estimate.reason or None,
        }
        for name, estimate in means.items()
    }


def _slice(part: Slice) -> dict[str, Any]:
    return {"n": part.n, "small": part.small, "metrics": _metrics(part.metrics)}


def _per_query(table: QueryTable) -> list[dict[str, Any]]:
    scored = table.frame[(table.frame["state"] == "scored").to_numpy(dtype=bool)]
    columns = {name: scored[name].tolist() for name in ("first_rank", *table.metric_names)}
    return [
        {"query_id": query_id, **{name: plain(values[i]) for name, values in columns.items()}}
        for i, query_id in enumerate(scored.index)
    ]


def _read(fault: Fault) -> dict[str, Any]:
    return {
        "run": None,
        "kind": fault.kind,
        "severity": fault.severity,
        "what": fault.what,
        "where": fault.where,
    }


def _said(runs: Mapping[str, EvaluatedRun]) -> list[dict[str, Any]]:
    return [
        {"run": name, "kind": remark.kind, "severity": remark.severity, "what": remark.text, "where": ""}
        for name, found in runs.items()
        for remark in found.remarks
    ]
