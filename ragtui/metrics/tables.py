"""Gold and runs as people have them in a notebook, made into the tables that metrics are computed from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from ragtui.dataset.ids import ID, Ids, ids_of, joined, objects, taken, text_column
from ragtui.dataset.list_order import offsets_of, put_in_order, reordered
from ragtui.dataset.model import Direction, RankedLists
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.metrics.gold import GoldTable

Gold = pd.DataFrame | Mapping[Any, Mapping[Any, float] | Iterable[Any]]
OneRun = pd.DataFrame | Mapping[Any, Mapping[Any, float] | Sequence[Any]]
Runs = OneRun | Mapping[str, OneRun]

ONLY_RUN = "run"


def gold_frame(gold: Gold) -> pd.DataFrame:
    """Gold as a table: ids as text, grade as float64, and annotator, group and role where given.

    A list of chunks instead of grades means grade 1 for each.

    Raises:
        RagtuiError: a missing column, an empty id, a grade that is no finite number, or nothing judged.
    """
    return _gold_of_table(gold) if isinstance(gold, pd.DataFrame) else _gold_of_mapping(gold)


def gold_table(gold: Gold) -> GoldTable:
    """Gold as metrics need it.

    Raises:
        RagtuiError: what `gold_frame` refuses, or two grades of one pair by one annotator.
    """
    frame = gold_frame(gold)
    table = GoldTable.from_frame(frame)
    if len(table.grade) < len(frame):
        refuse_conflicts(frame)
    return table


def named_runs(runs: Runs) -> Mapping[str, OneRun]:
    """Runs by name; one that comes without a name is called `run`."""
    named: Mapping[Any, Any] = runs if _are_named(runs) else {ONLY_RUN: runs}  # type: ignore[assignment]
    return {str(name): run for name, run in named.items()}


def ranked_lists(name: str, run: OneRun, direction: Direction) -> RankedLists:
    """Ranked lists of a run, best score first.

    Raises:
        RagtuiError: a missing column, an empty id, a score that is NaN or no number, a value that is no list,
            or a run without any query.
    """
    lists = _Results.of(name, run).ranked(direction)
    if not len(lists.query_ids):
        raise RagtuiError("metrics.no-results", run=name)
    return lists


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
        chunks: (m,) Arrow text.
        scores: (m,) float64, NaN where there is none.
        place: (m,) float64, orders the results of a query before their score does; None without.
        free_of_repeats: whether every query has a dictionary of its results.
    """

    query_ids: npt.NDArray[np.object_]
    query: npt.NDArray[np.intp]
    chunks: Ids
    scores: npt.NDArray[np.float64]
    place: npt.NDArray[np.float64] | None
    free_of_repeats: bool = False

    @classmethod
    def of(cls, name: str, run: Any) -> _Results:
        return cls.of_frame(run) if isinstance(run, pd.DataFrame) else cls.of_mapping(name, run)

    @classmethod
    def of_frame(cls, run: pd.DataFrame) -> _Results:
        _refuse_missing_columns(run, "run", ("query_id", "chunk_id"))
        query, query_ids = pd.factorize(objects(_ids(run["query_id"], "run", "query_id")))
        chunks = _ids(run["chunk_id"], "run", "chunk_id")
        scores = np.full(len(run), np.nan)
        if "score" in run:
            scores = _numbers(run["score"])
            for first in np.flatnonzero(np.isnan(scores))[:1]:
                _refuse_score(query_ids[query[first]], chunks, first, run["score"])
        place = _numbers(run["rank"]) if "rank" in run else None
        return cls(np.asarray(query_ids, dtype=object), query, chunks, scores, place)

    @classmethod
    def of_mapping(cls, name: str, run: Mapping[Any, Any]) -> _Results:
        for query_id, results in run.items():
            if not isinstance(results, Sequence | Mapping) or isinstance(results, str | bytes):
                raise RagtuiError("metrics.not-a-run", run=name, query=query_id, given=repr(results)[:60])
        lists = list(run.values())
        lengths = np.array([len(results) for results in lists], dtype=np.int64)
        query = np.repeat(np.arange(len(run)), lengths)
        query_ids = objects(_ids(list(run), "run", "query_id"))
        flat = list(chain.from_iterable(lists))
        texts = _texts(flat)
        ids = texts if texts is not None else _ids(flat, "run", "chunk_id")
        scores = _scores(lists, int(lengths.sum()))
        scored = np.array([isinstance(results, Mapping) for results in lists], dtype=bool)
        unscored = np.flatnonzero(np.isnan(scores))
        for first in unscored[scored[query[unscored]]][:1]:
            _refuse_score(query_ids[query[first]], ids, first, _values(lists))
        # 1 and "1" are two keys and one id
        free_of_repeats = texts is not None and bool(scored.all())
        return cls(query_ids, query, ids, scores, None, free_of_repeats)

    def ranked(self, direction: Direction) -> RankedLists:
        """Lists of every query: by rank where there is one, then by score, else as they came."""
        row, query_ids = pd.factorize(self.query_ids)
        query = row[self.query]
        together = np.arange(len(query), dtype=np.int32)
        if (query[1:] < query[:-1]).any():
            together = np.argsort(query, kind="stable").astype(np.int32)
        scores = self.scores[together]
        lengths = np.bincount(query, minlength=len(query_ids))
        if self.place is None:
            blocks = reordered(offsets_of(lengths), scores, direction)
        else:
            best_first = -scores if direction == "higher" else scores
            blocks = reordered(offsets_of(lengths), self.place[together], "lower", best_first)
        put_in_order(blocks, together, scores)
        distinct = self.free_of_repeats and len(query_ids) == len(self.query_ids)
        return RankedLists.of(query_ids, lengths, taken(self.chunks, together), scores, distinct)


def _gold_of_table(gold: pd.DataFrame) -> pd.DataFrame:
    _refuse_missing_columns(gold, "gold", ("query_id", "chunk_id", "grade"))
    if gold.empty:
        raise RagtuiError("metrics.no-gold")
    ids = {name: text_column(_ids(gold[name], "gold", name)) for name in ("query_id", "chunk_id")}
    frame = gold.assign(**ids, grade=_numbers(gold["grade"]))
    _refuse_unusable(frame, gold["grade"])
    return frame


def _gold_of_mapping(gold: Mapping[Any, Any]) -> pd.DataFrame:
    lists = [chunks if isinstance(chunks, Mapping) else list(chunks) for chunks in gold.values()]
    lengths = [len(chunks) for chunks in lists]
    if not any(lengths):
        raise RagtuiError("metrics.no-gold")
    query_ids = taken(_ids(list(gold), "gold", "query_id"), np.repeat(np.arange(len(lists)), lengths))
    frame = pd.DataFrame(
        {
            "query_id": text_column(query_ids),
            "chunk_id": text_column(_ids(list(chain.from_iterable(lists)), "gold", "chunk_id")),
            "grade": _scores(lists, sum(lengths), of_list=1),
        },
        copy=False,
    )
    _refuse_unusable(frame, _values(lists, of_list=1))
    return frame


def _refuse_unusable(gold: pd.DataFrame, grades: Iterable[Any]) -> None:
    """Refuse a grade that is no finite number, quoted as it was given."""
    unusable = np.flatnonzero(~np.isfinite(gold["grade"]))
    if len(unusable):
        first = int(unusable[0])
        row = gold.iloc[first]
        raise RagtuiError(
            "metrics.grade-not-a-number",
            query=row["query_id"],
            chunk=row["chunk_id"],
            grade=list(grades)[first],
        )


def _texts(values: Sequence[Any] | pd.Series[Any]) -> Ids | None:
    """Ids that are all text already; None where any is not."""
    try:
        found = pa.array(values)
    except (pa.ArrowException, ValueError, OverflowError):
        return None  # not of one kind, or no text that can be written
    if found.null_count or not (pa.types.is_string(found.type) or pa.types.is_large_string(found.type)):
        return None
    return joined([found.cast(ID)])


def _ids(values: Sequence[Any] | pd.Series[Any], table: str, column: str) -> Ids:
    """Ids as text; a number becomes its text."""
    texts = _texts(values)
    if texts is not None:
        return texts
    items = list(values)
    for place, empty in enumerate(pd.isna(pd.Series(items, dtype=object))):
        value = items[place]
        if empty or not isinstance(value, str | int | float | np.number) or not _is_text(str(value)):
            raise RagtuiError(
                "metrics.no-id", what=t(f"metrics.table.{table}"), column=column, given=ascii(value)[:60]
            )
    return ids_of([str(value) for value in items])


def _is_text(value: str) -> bool:
    """Whether a text can be written; half a character cannot."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def _values(lists: Sequence[Any], of_list: object = None) -> Iterator[Any]:
    """What lists say of each chunk, `of_list` where they only list them."""
    return chain.from_iterable(
        chunks.values() if isinstance(chunks, Mapping) else repeat(of_list, len(chunks)) for chunks in lists
    )


def _scores(lists: Sequence[Any], size: int, of_list: object = None) -> npt.NDArray[np.float64]:
    """What lists say of each chunk as float64, NaN for what is no number."""
    try:
        return np.fromiter(_values(lists, of_list), np.float64, size)
    except (TypeError, ValueError, OverflowError):
        return _numbers(_values(lists, of_list))


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


def _refuse_score(query_id: str, chunks: Ids, place: int, scores: Iterable[Any]) -> NoReturn:
    chunk_id, score = chunks[int(place)].as_py(), list(scores)[place]
    raise RagtuiError("metrics.score-not-a-number", query=query_id, chunk=chunk_id, score=score)


def refuse_conflicts(gold: pd.DataFrame) -> None:
    """See that a person gives a pair one grade; the same grade twice is harmless.

    Raises:
        RagtuiError: two grades of one pair by one annotator.
    """
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
