"""The notebook door: gold and runs as they are at hand in, tables out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.model import Direction
from ragtui.errors import RagtuiError
from ragtui.metrics.dictionaries import GradedChunks, ScoredChunks
from ragtui.metrics.evaluate import DEFAULT_KS, Missing, RunResult
from ragtui.metrics.evaluate import evaluate as evaluate_run
from ragtui.metrics.found import Convention, Results
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed
from ragtui.metrics.tables import Gold, OneRun, Runs, gold_table, named_runs, ranked_lists


def evaluate(
    gold: Gold,
    runs: Runs,
    metrics: Sequence[str] | None = None,
    *,
    k: int | Sequence[int] = DEFAULT_KS,
    level: float = 1.0,
    convention: Convention = "ragtui",
    missing: Missing = "zero",
    direction: Direction = "higher",
) -> pd.DataFrame:
    """Mean of every metric for every run.

    Args:
        gold: `{query: {chunk: grade}}`, or `{query: [chunk, …]}` for grade 1 each, or a table with the
            columns query_id, chunk_id, grade, and optionally annotator, group and role.
        runs: one run, or `{name: run}`. A run is `{query: {chunk: score}}`, best score first whatever the
            order, or `{query: [chunk, …]}` in order of rank, or a table with the columns query_id, chunk_id,
            and optionally rank or score, which give the order.
        metrics: names such as `ndcg@10`; one without K is taken at every `k`, for trec on the whole list.
            None for all.
        k: cut-off, or several.
        level: a grade from here on is relevant.
        convention: `ragtui`, or `trec` for the numbers of trec_eval.
        missing: `zero` counts judged queries that a run lacks as 0, `intersection` leaves them out.
        direction: whether the better score is the `higher` or the `lower` one.

    Returns:
        One row per run, one float64 column per metric, NaN where there is no query to measure. `attrs` holds
        convention and level, and for each run its counts and remarks.

    Raises:
        RagtuiError: input that gives no right number, with how to mend it.
    """
    results = _results(gold, runs, metrics, k, level, convention, missing, direction)
    means = [result.table[result.metrics].mean() for result in results.values()]
    table = pd.DataFrame(means, index=pd.Index(list(results), dtype=object, name="run"), dtype=np.float64)
    table.attrs = _said_of(results, convention, level)
    return table


def per_query(
    gold: Gold,
    runs: Runs,
    metrics: Sequence[str] | None = None,
    *,
    k: int | Sequence[int] = DEFAULT_KS,
    level: float = 1.0,
    convention: Convention = "ragtui",
    missing: Missing = "zero",
    direction: Direction = "higher",
) -> pd.DataFrame:
    """The values that `evaluate` takes the means of: one row per run and scored query.

    Arguments, `attrs` and errors are those of `evaluate`; the columns are those of `RunResult.table`.
    """
    results = _results(gold, runs, metrics, k, level, convention, missing, direction)
    table = pd.concat({name: result.table for name, result in results.items()}, names=["run", "query_id"])
    table.attrs = _said_of(results, convention, level)
    return table


def _results(
    gold: Gold,
    runs: Runs,
    metrics: Sequence[str] | None,
    k: int | Sequence[int],
    level: float,
    convention: Convention,
    missing: Missing,
    direction: Direction,
) -> dict[str, RunResult]:
    results: dict[str, RunResult] = {}
    for name, found in _beside(gold, named_runs(runs), direction):
        of_gold, of_run = found.gold.query_index, found.query_index
        _refuse_strangers(name, of_run, of_gold)
        results[name] = evaluate_run(
            np.asarray(of_gold.union(of_run, sort=False), dtype=object),
            found,
            metrics=metrics,
            ks=(k,) if isinstance(k, int) else tuple(k),
            level=level,
            convention=convention,
            missing=missing,
            direction=direction,
        )
    return results


def _beside(gold: Gold, runs: Mapping[str, OneRun], direction: Direction) -> Iterator[tuple[str, Results]]:
    """Each run beside gold: dictionaries as they stand, whatever else as lists and a table."""
    graded = GradedChunks.of(gold)
    table: GoldTable | None = None if graded is not None else gold_table(gold)
    for name, run in runs.items():
        quick = ScoredChunks.of(run, graded) if graded is not None else None
        if quick is not None:
            yield name, quick
            continue
        lists = ranked_lists(name, run, direction)
        table = table or gold_table(gold)
        yield name, Listed(lists, table)


def _refuse_strangers(name: str, of_run: Iterable[str], of_gold: Iterable[str]) -> None:
    if set(of_gold).isdisjoint(of_run):
        raise RagtuiError("metrics.no-shared-query", run=name, of_run=_first(of_run), of_gold=_first(of_gold))


def _first(ids: Iterable[str]) -> str:
    return ", ".join(list(ids)[:3])


def _said_of(
    results: dict[str, RunResult], convention: Convention, level: float
) -> dict[Hashable | None, Any]:
    return {
        "convention": convention,
        "level": level,
        "counts": {name: asdict(result.counts) for name, result in results.items()},
        "notes": {name: [note.text for note in result.notes] for name, result in results.items()},
    }
