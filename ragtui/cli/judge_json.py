"""The JSON of `judge`; its shapes are `schemas/judge.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ragtui.analysis.export import plain
from ragtui.cli.judged import Judged
from ragtui.judging.card_json import estimate_as_json
from ragtui.judging.interpret import reason_text
from ragtui.judging.plan import Asker, Plan, Work
from ragtui.judging.progress import Progress
from ragtui.judging.scores import JudgedScore
from ragtui.judging.selection import Selected


def plan_json(judged: Judged, plan: Plan) -> dict[str, Any]:
    """What judging would take."""
    return {
        **named(plan.asker, judged),
        "plan": {
            "calls": plan.calls,
            "known": plan.known,
            "cached": len(plan.cached),
            "without_call": len(plan.free),
            "tokens_in": plan.tokens_in,
            "tokens_out": plan.tokens_out,
            "cost": plan.cost,
            "window": plan.window,
            "too_long": [_place(work) for work in plan.too_long],
        },
        "counts": states(judged.selected),
    }


def result_json(judged: Judged, progress: Progress) -> dict[str, Any]:
    """What judges said, without NaN."""
    scores = judged.scores
    card = judged.workspace.judgments.card(judged.asker)
    return {
        **named(judged.asker, judged),
        "kappa": None if card is None else estimate_as_json(card.kappa),
        "calls": progress.calls,
        "cached": progress.cached,
        "failed": progress.failed,
        "cost": progress.cost,
        "state": progress.state,
        "why": progress.why or None,
        "scores": {name: _score(score) for name, score in judged.means.items()},
        "counts": dict(scores.counts),
        "failures": dict(scores.failures),
        "per_query": _per_query(scores.per_query, list(scores.scores), judged.verdicts),
    }


def states(selected: Sequence[Selected]) -> dict[str, int]:
    """How many queries are in each state."""
    counts: dict[str, int] = {}
    for query in selected:
        counts[query.state] = counts.get(query.state, 0) + 1
    return counts


def verdict_rows(verdicts: pd.DataFrame) -> list[dict[str, Any]]:
    """Verdicts as plain values, all columns."""
    return [{str(name): plain(value) for name, value in row.items()} for row in verdicts.to_dict("records")]


def named(asker: Asker, judged: Judged) -> dict[str, Any]:
    """Who was asked, and about what."""
    return {
        "judge": asker.judge.name,
        "version": asker.judge.version,
        "model": asker.model or None,
        "run": judged.aim.run,
        "k": judged.aim.k,
        "stage": judged.stage,
        "where": judged.aim.where or None,
    }


def _place(work: Work) -> dict[str, Any]:
    return {
        "query_id": work.item.query_id,
        "chunk_id": work.item.chunk_id or None,
        "tokens": work.tokens,
    }


def _score(score: JudgedScore) -> dict[str, Any]:
    estimate = score.estimate
    return {
        "mean": plain(estimate.mean),
        "low": plain(estimate.low),
        "high": plain(estimate.high),
        "n": estimate.n,
        "of": score.of,
        "lowest": plain(score.lowest),
        "highest": plain(score.highest),
        "method": estimate.method or None,
        "reason": estimate.reason or None,
    }


def _per_query(per_query: pd.DataFrame, names: Sequence[str], verdicts: pd.DataFrame) -> list[dict[str, Any]]:
    said: Mapping[Any, list[dict[str, Any]]] = {
        query_id: [_verdict(row) for row in rows.to_dict("records")]
        for query_id, rows in verdicts.groupby("query_id", sort=False)
    }
    columns = ["state", *names]
    return [
        {
            "query_id": query_id,
            **{name: plain(value) for name, value in zip(columns, values, strict=True)},
            "verdicts": said.get(query_id, []),
        }
        for query_id, values in zip(
            per_query.index, per_query[columns].itertuples(index=False, name=None), strict=True
        )
    ]


def _verdict(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        **{name: plain(row[name]) for name in ("chunk_id", "claim", "value", "status")},
        "reason": reason_text(row["status"], row["reason"]),
        "cached": bool(row["cached"]),
    }
