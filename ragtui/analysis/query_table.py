"""One row per query of a split, for one run: what the query screen, filters, slices and exports read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.chunk_pairs import ChunkPairs
from ragtui.analysis.columns import Columns
from ragtui.analysis.judged import JUDGED_COLUMNS, Judged
from ragtui.analysis.strips import RANKS, Strips
from ragtui.dataset.ids import objects
from ragtui.dataset.model import EvaluationSet, RankedLists, Run
from ragtui.metrics.evaluate import RunResult

State = Literal["scored", "no-answer", "no-gold", "unjudged", "left-out"]

FACT_COLUMNS = (
    "text",
    "state",
    "mark",
    "first_rank",
    "stale_rank",
    "got",
    "groups",
    "missing",
    "failed",
    "top1",
    "returned",
    *JUDGED_COLUMNS,
)
"""Columns that are no metadata; a metadata key of the same name is kept as `metadata.<key>`."""

MISS, PARTIAL, COMPLETE = "x", "~", ""


@dataclass(frozen=True, eq=False)
class AtAnyK:
    """What tables of one run have in common at whatever cut-off; each part is made once, when asked for.

    Attributes:
        frame: columns of the query table, of which `mark` and `got` are not to be read here.
        result: of the run, without rows.
        lists: as in the table.
        gold: the rows of the set's gold that are of these queries and of their split.
        gold_rows: (g,) row of the query in the table, for each row of gold.
        scored: (n,) row of each query in the table of the result, and in its matrix; -1 where it has none.
    """

    frame: pd.DataFrame
    result: RunResult
    lists: RankedLists
    gold: pd.DataFrame
    gold_rows: npt.NDArray[np.int64]
    scored: npt.NDArray[np.int64]

    @cached_property
    def columns(self) -> Columns:
        return Columns(self.frame.drop(columns=["mark", "got"]))

    @cached_property
    def queries_in_state(self) -> dict[str, int]:
        """How many queries are in each state that occurs."""
        return {str(state): int(n) for state, n in self.frame["state"].value_counts().items()}

    @cached_property
    def strips(self) -> Strips:
        ids = np.asarray(self.frame.index, dtype=object)
        return Strips(ids, self.result.matrix, self.scored, self.gold, self.lists)

    @cached_property
    def needed(self) -> ChunkPairs:
        relevant = _relevant(self.gold, self.result.level)
        rows = self.gold_rows[relevant]
        codes, ids = pd.factorize(self.gold["chunk_id"].to_numpy(dtype=object)[relevant])
        return ChunkPairs.of(rows, np.arange(len(rows) + 1), codes, ids)

    @cached_property
    def retrieved(self) -> ChunkPairs:
        lists = self.lists
        rows = _rows_in(self.frame.index, pd.Index(lists.query_ids, dtype=object))
        return ChunkPairs.of(rows, lists.offsets, lists.codes, lists.vocabulary)


@dataclass(frozen=True, eq=False)
class QueryTable:
    """All that is known of every query of a split under one run at one cut-off.

    Attributes:
        evaluation: the set.
        run: the run.
        k: cut-off of `mark`, `got` and of metric names without one.
        stage: the stage that was read, None for the final list.
        frame: index query_id (str, order of the set). Columns: `text`; all metadata of the queries; `state`
            (`scored`; `no-answer`; `no-gold` where gold has no relevant grade; `unjudged` where it has none
            at all; `left-out` where an intersection of runs drops a query that this run lacks); `mark` (`x`
            none of the evidence in the first K, `~` part of it, `""` all of it or nothing to find);
            `first_rank` and `stale_rank` (float, NaN without one); `got` and `groups` (int: evidence groups
            found in the first K, and needed; `got` is -1 where K lies beyond the depth of the run);
            `missing` (the run lacks the query); `failed` (it reports an error); `top1` (score of the first
            result, NaN without); `returned` (int: results, repeats left out where the query is scored); and
            the metrics of the result, NaN where a query is not scored. Texts are objects, None where unsaid.
        at_any_k: what does not depend on the cut-off.
        judged: what judges say at this cut-off; None where nobody has judged. Its scores are columns of the
            frame too.
    """

    evaluation: EvaluationSet
    run: Run
    k: int
    stage: str | None
    frame: pd.DataFrame
    at_any_k: AtAnyK
    judged: Judged | None = None

    def at(self, k: int) -> QueryTable:
        """The same table at another cut-off, of which no verdicts are known."""
        if k == self.k:
            return self
        evidence = _evidence(self.frame, self.at_any_k.scored >= 0, k)
        frame = self.frame.drop(columns=list(self.judged.scores)) if self.judged is not None else self.frame
        return replace(self, k=k, frame=frame.assign(**_objects_kept(evidence, frame.index)), judged=None)

    def with_verdicts(self, judged: Judged) -> QueryTable:
        """The same table with what judges say."""
        scores = {
            name: pd.Series(values, index=self.frame.index, dtype=np.float64)
            for name, values in judged.scores.items()
        }
        return replace(self, frame=self.frame.assign(**scores), judged=judged)

    def prepare_search(self) -> None:
        """Make now what the first search for a word, an id or a needed chunk would otherwise wait for."""
        for column in (self.columns["text"], self.columns["query_id"], self.needed.chunks):
            column.holding(str.isspace)

    @property
    def result(self) -> RunResult:
        """What the metrics of the run were computed with and what was met; its rows stand in the frame."""
        return self.at_any_k.result

    @property
    def lists(self) -> RankedLists:
        """The lists that were read: of the stage, or the final ones."""
        return self.at_any_k.lists

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def query_ids(self) -> npt.NDArray[np.object_]:
        return np.asarray(self.frame.index, dtype=object)

    @property
    def metric_names(self) -> list[str]:
        """Metrics in the table, such as `ndcg@5`, in order of the catalogue."""
        return self.result.metrics

    @property
    def metadata_names(self) -> list[str]:
        """Columns that come from the set, in its order."""
        known = {*FACT_COLUMNS, *self.result.table.columns}
        return [name for name in self.frame.columns if name not in known]

    @property
    def columns(self) -> Columns:
        """Text, id, state and metadata, coded for filters, slices and sorting."""
        return self.at_any_k.columns

    def row_of(self, query_id: str) -> int | None:
        """Row of a query, None where it is not in the table."""
        try:
            row = self.frame.index.get_loc(query_id)
        except KeyError:
            return None
        return row if isinstance(row, int) else None

    def strip(self, row: int, ranks: int = RANKS) -> str:
        """Gold grade at each of the first ranks of a row, such as `.3.3?|.1...`; see `Strips.strip`."""
        return self.at_any_k.strips.strip(row, self.k, ranks)

    @property
    def needed(self) -> ChunkPairs:
        """Relevant gold, one pair per judgment."""
        return self.at_any_k.needed

    @property
    def retrieved(self) -> ChunkPairs:
        """Results of the run."""
        return self.at_any_k.retrieved


def build_query_table(
    evaluation: EvaluationSet,
    run: Run,
    result: RunResult,
    k: int,
    *,
    query_ids: Sequence[str] | npt.NDArray[np.object_] | None = None,
    stage: str | None = None,
) -> QueryTable:
    """Join queries, metadata, ranked lists and metrics of one run.

    Args:
        evaluation: the set.
        run: one of its runs.
        result: metrics of that run, over the same stage.
        k: cut-off for `mark` and `got`.
        query_ids: queries of the split, in order; None for all of the set.
        stage: the stage that `result` is of.
    """
    queries = evaluation.queries
    if query_ids is None:
        query_ids = queries.index.to_numpy(dtype=object)
    elif not np.array_equal(queries.index.to_numpy(dtype=object), query_ids):
        queries = queries.loc[pd.Index(query_ids, dtype=object)]
    index = pd.Index(query_ids, dtype=object, name="query_id")
    scored = _rows_in(result.table.index, index)
    lists = run.stage(stage) or run.lists
    gold, gold_rows = _gold_of(evaluation, index)
    metrics = {str(name): _spread(result.table[name], scored) for name in result.table.columns}
    columns: dict[str, Any] = {"text": queries["text"].array}
    columns |= _metadata(queries, taken={*FACT_COLUMNS, *metrics})
    is_relevant = _relevant(gold, result.level)
    columns["state"] = _states(queries["answerable"], scored >= 0, gold_rows, gold_rows[is_relevant])
    columns |= _evidence(metrics, scored >= 0, k)
    columns |= _listed(lists, index, metrics["returned"])
    columns["failed"] = index.isin(list(run.errors))
    columns |= {name: values for name, values in metrics.items() if name not in columns}
    frame = pd.DataFrame(_objects_kept(columns, index), index=index, copy=False)
    common = AtAnyK(frame, result.without_rows(), lists, gold, gold_rows, scored)
    return QueryTable(evaluation, run, k, stage, frame, common)


def _objects_kept(columns: Mapping[str, Any], index: pd.Index[Any]) -> dict[str, pd.Series[Any]]:
    """Columns as they are: pandas would make a new text of every text among objects."""
    return {
        name: pd.Series(values, index=index, dtype=values.dtype, copy=False)
        for name, values in columns.items()
    }


def _gold_of(evaluation: EvaluationSet, index: pd.Index[Any]) -> tuple[pd.DataFrame, npt.NDArray[np.int64]]:
    """Gold of these queries, with the row of each; a query that several splits judge counts in its own."""
    gold, codes = evaluation.gold, evaluation.gold_codes
    rows = _rows_in(index, pd.Index(objects(codes.query_ids), dtype=object))[codes.query]
    wanted = rows >= 0
    if len(set(evaluation.splits) | set(gold["split"].unique())) > 1:
        own = evaluation.query_split.reindex(index).to_numpy(dtype=object)
        wanted &= gold["split"].to_numpy(dtype=object) == own[rows]
    return (gold, rows) if wanted.all() else (gold.loc[wanted], rows[wanted])


def _metadata(queries: pd.DataFrame, taken: set[str]) -> dict[str, Any]:
    names = [str(name) for name in queries.columns if name != "text"]
    return {f"metadata.{name}" if name in taken else name: queries[name].to_numpy() for name in names}


def _states(
    answerable: pd.Series[Any],
    is_scored: npt.NDArray[np.bool_],
    judged_rows: npt.NDArray[np.int64],
    relevant_rows: npt.NDArray[np.int64],
) -> npt.NDArray[np.object_]:
    is_unanswerable = np.fromiter((value is False for value in answerable), bool, len(answerable))
    judged, relevant = np.zeros((2, len(answerable)), dtype=bool)
    judged[judged_rows] = True
    relevant[relevant_rows] = True
    states = np.array(["scored", "no-answer", "left-out", "no-gold", "unjudged"], dtype=object)
    found: npt.NDArray[np.object_] = states[
        np.select([is_scored, is_unanswerable, relevant, judged], [0, 1, 2, 3], 4)
    ]
    return found


def _evidence(
    columns: Mapping[str, Any] | pd.DataFrame, is_scored: npt.NDArray[np.bool_], k: int
) -> dict[str, Any]:
    groups = np.nan_to_num(np.asarray(columns["groups"])).astype(np.int64)
    name = f"got@{k}"
    if name in columns:
        got = np.nan_to_num(np.asarray(columns[name])).astype(np.int64)
    else:
        got = np.where(is_scored, -1, 0)
    mark = np.full(len(is_scored), COMPLETE, dtype=object)
    mark[(got > 0) & (got < groups)] = PARTIAL
    mark[(got == 0) & (groups > 0)] = MISS
    return {"mark": mark, "got": got, "groups": groups}


def _listed(lists: RankedLists, index: pd.Index[Any], cleaned: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Whether the run has a list for each query, how long it is, and the score of its first result."""
    at = _rows_in(pd.Index(lists.query_ids, dtype=object), index)
    lengths = np.append(lists.lengths, 0)[at]
    first = np.append(lists.offsets[:-1], 0)[at]
    top1 = np.where(lengths > 0, np.append(lists.scores, np.nan)[first], np.nan)
    returned = np.where(np.isnan(cleaned), lengths, cleaned).astype(np.int64)
    return {"missing": at < 0, "top1": top1, "returned": returned}


def _relevant(gold: pd.DataFrame, level: float) -> npt.NDArray[np.bool_]:
    return ((gold["grade"] >= level) & (gold["role"] != "distractor")).to_numpy(dtype=bool)


def _rows_in(source: pd.Index[Any], wanted: pd.Index[Any]) -> npt.NDArray[np.int64]:
    """Row of each of `wanted` in `source`, -1 where it is absent."""
    return np.asarray(source.get_indexer(wanted), dtype=np.int64)


def _spread(column: pd.Series[Any], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Values of `column` at `rows`, NaN where the row is -1."""
    return np.append(column.to_numpy(dtype=np.float64), np.nan)[rows]
