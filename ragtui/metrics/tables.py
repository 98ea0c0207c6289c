"""Gold and runs as people have them in a notebook, made into the tables that metrics are computed from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.model import Direction, RankedLists
from ragtui.errors import RagtuiError
from ragtui.messages import t

Gold = pd.DataFrame | Mapping[Any, Mapping[Any, float] | Iterable[Any]]
OneRun = pd.DataFrame | Mapping[Any, Mapping[Any, float] | Sequence[Any]]
Runs = OneRun | Mapping[str, OneRun]

ONLY_RUN = "run"


def gold_frame(gold: Gold) -> pd.DataFrame:
    """Gold as a table: ids as text, grade as float64, and annotator, group and role where given.

    A list of chunks instead of grades means grade 1 for each.

    Raises:
        RagtuiError: a missing column, an empty id, a grade that is no finite number, two grades of one pair
            by one annotator, or nothing judged.
    """
    frame = gold.copy() if isinstance(gold, pd.DataFrame) else _frame_of_mapping(gold)
    _refuse_missing_columns(frame, "gold", ("query_id", "chunk_id", "grade"))
    if frame.empty:
        raise RagtuiError("metrics.no-gold")
    for column in ("query_id", "chunk_id"):
        frame[column] = pd.Series(_ids(frame[column], "gold", column), index=frame.index, dtype=object)
    grades = _numbers(frame["grade"])
    unusable = np.flatnonzero(~np.isfinite(grades))
    if len(unusable):
        row = frame.iloc[int(unusable[0])]
        raise RagtuiError(
            "metrics.grade-not-a-number", query=row["query_id"], chunk=row["chunk_id"], grade=row["grade"]
        )
    frame["grade"] = grades
    _refuse_conflicts(frame)
    return frame


def runs_by_name(runs: Runs, direction: Direction) -> dict[str, RankedLists]:
    """Ranked lists of every run, best score first; one that comes without a name is called `run`.

    Raises:
        RagtuiError: a missing column, an empty id, a score that is NaN or no number, a value that is no list,
            or a run without any query.
    """
    named: Mapping[Any, Any] = runs if _are_named(runs) else {ONLY_RUN: runs}  # type: ignore[assignment]
    found: dict[str, RankedLists] = {}
    for name, run in named.items():
        lists = _Results.of(str(name), run).ranked(direction)
        if not len(lists.query_ids):
            raise RagtuiError("metrics.no-results", run=name)
        found[str(name)] = lists
    return found


def _are_named(runs: Any) -> bool:
    """Whether `runs` maps names to runs, rather than queries to results."""
    if isinstance(runs, pd.DataFrame):
        return False
    for value in runs.values():
        if isinstance(value, pd.DataFrame):
            return True
        if not isinstance(value, Mapping):
            return False
        for inner in value.values():
            return isinstance(inner, Mapping | Sequence) and not isinstance(inner, str)
    return False


@dataclass(frozen=True, eq=False)
class _Results:
    """Results of a run, one after another, as they came.

    Attributes:
        query_ids: (q,) object array of str, every query of the run, those without results too; may repeat.
        query: (m,) index into `query_ids`.
        chunks: (m,) object array of str.
        scores: (m,) float64, NaN where there is none.
        place: (m,) float64, orders the results of a query before their score does.
    """

    query_ids: npt.NDArray[np.object_]
    query: npt.NDArray[np.intp]
    chunks: npt.NDArray[np.object_]
    scores: npt.NDArray[np.float64]
    place: npt.NDArray[np.float64]

    @classmethod
    def of(cls, name: str, run: Any) -> _Results:
        return cls.of_frame(run) if isinstance(run, pd.DataFrame) else cls.of_mapping(name, run)

    @classmethod
    def of_frame(cls, run: pd.DataFrame) -> _Results:
        _refuse_missing_columns(run, "run", ("query_id", "chunk_id"))
        query, query_ids = pd.factorize(_ids(run["query_id"], "run", "query_id"))
        chunks = _ids(run["chunk_id"], "run", "chunk_id")
        scores = np.full(len(run), np.nan)
        if "score" in run:
            scores = _numbers(run["score"])
            _refuse_nan(np.isnan(scores), query_ids[query], chunks, run["score"])
        place = _numbers(run["rank"]) if "rank" in run else np.zeros(len(run))
        return cls(np.asarray(query_ids, dtype=object), query, chunks, scores, place)

    @classmethod
    def of_mapping(cls, name: str, run: Mapping[Any, Any]) -> _Results:
        chunks: list[Any] = []
        values: list[Any] = []
        for query_id, results in run.items():
            if not isinstance(results, Sequence | Mapping) or isinstance(results, str | bytes):
                raise RagtuiError("metrics.not-a-run", run=name, query=query_id, given=repr(results)[:60])
            chunks.extend(results)
            values.extend(results.values() if isinstance(results, Mapping) else [None] * len(results))
        lengths = [len(results) for results in run.values()]
        query = np.repeat(np.arange(len(run)), lengths)
        query_ids = _ids(list(run), "run", "query_id")
        ids = _ids(chunks, "run", "chunk_id")
        scores = _numbers(values)
        scored = np.repeat(np.array([isinstance(r, Mapping) for r in run.values()], dtype=bool), lengths)
        _refuse_nan(scored & np.isnan(scores), query_ids[query], ids, values)
        return cls(query_ids, query, ids, scores, np.zeros(len(ids)))

    def ranked(self, direction: Direction) -> RankedLists:
        """Lists of every query: by rank where there is one, then by score, else as they came."""
        row, query_ids = pd.factorize(self.query_ids)
        query = row[self.query]
        best_first = -self.scores if direction == "higher" else self.scores
        keys = [best_first, self.place, query] if self.place.any() else [best_first, query]
        order = np.lexsort(keys)
        code, vocabulary = pd.factorize(self.chunks)
        lengths = np.bincount(query, minlength=len(query_ids))
        return RankedLists(
            query_ids=np.asarray(query_ids, dtype=object),
            offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            codes=code[order].astype(np.int32),
            vocabulary=np.asarray(vocabulary, dtype=object),
            scores=self.scores[order],
        )


def _frame_of_mapping(gold: Mapping[Any, Any]) -> pd.DataFrame:
    rows = [
        (query, chunk, grade)
        for query, chunks in gold.items()
        for chunk, grade in (chunks.items() if isinstance(chunks, Mapping) else zip(chunks, repeat(1)))
    ]
    return pd.DataFrame(rows, columns=["query_id", "chunk_id", "grade"], dtype=object)


def _ids(values: Iterable[Any], table: str, column: str) -> npt.NDArray[np.object_]:
    """Ids as text; a number becomes its text."""
    items = list(values)
    ids = np.empty(len(items), dtype=object)
    ids[:] = items
    if pd.api.types.infer_dtype(ids, skipna=False) == "string":
        return ids
    empty = pd.isna(ids)
    for place, value in enumerate(items):
        if empty[place] or not isinstance(value, str | int | float | np.number):
            raise RagtuiError(
                "metrics.no-id", what=t(f"metrics.table.{table}"), column=column, given=repr(value)[:60]
            )
        ids[place] = str(value)
    return ids


def _numbers(values: Iterable[Any]) -> npt.NDArray[np.float64]:
    """Values as float64, NaN for what is no number."""
    items = list(values)
    try:
        return np.array(items, dtype=np.float64).reshape(len(items))
    except (TypeError, ValueError):
        return pd.to_numeric(pd.Series(items, dtype=object), errors="coerce").to_numpy(dtype=np.float64)


def _refuse_missing_columns(frame: pd.DataFrame, table: str, columns: Iterable[str]) -> None:
    for column in columns:
        if column not in frame:
            there = ", ".join(map(str, frame.columns)) or "-"
            raise RagtuiError(
                "metrics.missing-column", what=t(f"metrics.table.{table}"), column=column, columns=there
            )


def _refuse_nan(
    bad: npt.NDArray[np.bool_],
    query_ids: npt.NDArray[np.object_],
    chunks: npt.NDArray[np.object_],
    scores: Sequence[Any] | pd.Series[Any],
) -> None:
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise RagtuiError(
            "metrics.score-not-a-number",
            query=query_ids[first],
            chunk=chunks[first],
            score=list(scores)[first],
        )


def _refuse_conflicts(gold: pd.DataFrame) -> None:
    """A person gives a pair one grade; the same grade twice is harmless."""
    pair = ["query_id", "chunk_id", *(["annotator"] if "annotator" in gold else [])]
    once = gold.drop_duplicates([*pair, "grade"])
    again = once[once.duplicated(pair)]
    if len(again):
        first = again.iloc[0]
        same = once[(once["query_id"] == first["query_id"]) & (once["chunk_id"] == first["chunk_id"])]
        grades = ", ".join(f"{grade:g}" for grade in same["grade"])
        raise RagtuiError(
            "metrics.grade-conflict", query=first["query_id"], chunk=first["chunk_id"], grades=grades
        )
