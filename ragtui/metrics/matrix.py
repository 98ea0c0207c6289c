"""The grade matrix: one run of queries × ranks, joined with gold, from which every metric is computed."""

from __future__ import annotations

from collections.abc import Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.ids import places as places_among
from ragtui.dataset.model import Direction, RankedLists
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.ranking import Ranking, places, trec_order

Convention = Literal["ragtui", "trec"]
CONVENTIONS: tuple[Convention, ...] = ("ragtui", "trec")

Grades = npt.NDArray[np.floating[Any]]

_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a run left open, counted over the queries of its matrix.

    Attributes:
        duplicates: entries dropped because the query had returned the chunk before.
        ties: queries with the same score on both sides of a cut-off.
        order_disagreements: queries in which a lower rank has the better score.
        all_rising: whether every list with two different scores gets better downwards, as distances do.
        longest: results of the longest list, without repeats.
    """

    duplicates: int
    ties: int
    order_disagreements: int
    all_rising: bool
    longest: int


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """One run of n queries, `width` ranks deep, with everything gold says of it.

    Grades are those that count: negative ones are 0, and so, but for trec, is a chunk whose role is
    `distractor`. Arrays of (n, width) have contiguous columns, because metrics go through them rank by rank.

    Attributes:
        query_ids: (n,) object array of str.
        convention: decides order, gain and denominators.
        level: a grade from here on is relevant.
        top_grade: the grade that `hit_strict` asks for.
        grades: (n, width) float32 where that holds every grade exactly, else float64; 0 where unjudged or
            past the end.
        judged: (n, width) bool, whether gold says anything of the chunk.
        distractor: (n, width) bool.
        new_group: (n, width) bool, relevant and the first member of its group in the list.
        tokens: (n, width) float64, 0 past the end, NaN where the text is unknown; None without texts.
        lengths: (n,) int32, results of the whole list.
        first_rank: (n,) float64, rank of the first relevant chunk in the whole list, NaN without one.
        first_distractor: (n,) float64, likewise for distractors.
        relevant_count: (n,) int32, relevant chunks in gold.
        group_count: (n,) int32, evidence groups in gold: those with a relevant chunk.
        ideal: (n, w) float64, all positive grades of gold in falling order, 0 after them.
        has_top: (n,) bool, whether gold has a chunk of the top grade.
        missing: (n,) bool, the run has no list for the query.
        failed: (n,) bool, the system reported an error; its list counts as empty.
        doubts: what the lists left open.
    """

    query_ids: npt.NDArray[np.object_]
    convention: Convention
    level: float
    top_grade: float
    grades: Grades
    judged: npt.NDArray[np.bool_]
    distractor: npt.NDArray[np.bool_]
    new_group: npt.NDArray[np.bool_]
    tokens: npt.NDArray[np.float64] | None
    lengths: npt.NDArray[np.int32]
    first_rank: npt.NDArray[np.float64]
    first_distractor: npt.NDArray[np.float64]
    relevant_count: npt.NDArray[np.int32]
    group_count: npt.NDArray[np.int32]
    ideal: npt.NDArray[np.float64]
    has_top: npt.NDArray[np.bool_]
    missing: npt.NDArray[np.bool_]
    failed: npt.NDArray[np.bool_]
    doubts: Doubts

    @property
    def width(self) -> int:
        """How many ranks the matrix has; at least one."""
        return int(self.grades.shape[1])

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """(n, width) bool."""
        return self.grades >= self.level

    @cached_property
    def _rows(self) -> pd.Index[Any]:
        return pd.Index(self.query_ids, dtype=object)

    def row_of(self, query_id: str) -> int | None:
        """Row of a query, None where it is not in the matrix."""
        row = int(self._rows.get_indexer(pd.Index([query_id], dtype=object))[0])
        return None if row < 0 else row


def build_matrix(
    query_ids: npt.NDArray[np.object_],
    gold: GoldTable,
    lists: RankedLists,
    *,
    level: float,
    convention: Convention = "ragtui",
    cut: int | None = None,
    ks: tuple[int, ...] = (),
    failed: Set[str] = frozenset(),
    direction: Direction = "higher",
    top_grade: float | None = None,
    tokens: npt.NDArray[np.float64] | None = None,
) -> GradeMatrix:
    """Join the lists of a run with gold, for the queries asked for and in their order.

    Args:
        query_ids: (n,) object array of str, each id once.
        gold: all gold of the split.
        lists: lists of the run, in the order of its file.
        level: a grade from here on is relevant; above 0.
        convention: `trec` sorts the lists again as trec_eval does.
        cut: how many ranks to keep; all of them for None.
        ks: cut-offs at which ties are counted.
        failed: queries whose list counts as empty.
        direction: whether the better score is the higher or the lower one.
        top_grade: highest grade of the scale; the highest one in gold for None.
        tokens: (v,) tokens of each chunk of the vocabulary of the run, NaN where the text is unknown.
    """
    ids = pd.Index(query_ids, dtype=object)
    rows = pd.Index(lists.query_ids, dtype=object).get_indexer(ids)
    has_failed = ids.isin(list(failed))
    gold_rows = gold.query_index.get_indexer(ids)
    top = gold.highest_grade if top_grade is None else top_grade
    grades = np.maximum(gold.grade, 0.0)
    if convention == "ragtui":
        grades[gold.distractor] = 0.0
    # finding the judged chunks takes as long as all that stands below, and needs no interpreter
    with ThreadPoolExecutor(1) as worker:
        judged_chunks = worker.submit(places_among, lists.chunk_ids, gold.chunks)
        ranking = Ranking.of(lists, np.where(has_failed, -1, rows))
        better, worse = ranking.steps(direction)
        if convention == "trec":
            ranking = trec_order(ranking, lists.chunk_ids, direction)
        needs = _Needs.of(gold, grades, gold_rows, level, top)
    hits = _Hits.of(ranking, gold, gold_rows, judged_chunks.result())
    longest = int(ranking.lengths.max(initial=0))
    width = max(1, longest if cut is None else min(cut, longest))
    hit_grades = grades[hits.gold]
    relevant = hit_grades >= level
    return GradeMatrix(
        query_ids=query_ids,
        convention=convention,
        level=level,
        top_grade=top,
        grades=hits.spread(_narrow(hit_grades), width, 0.0),
        judged=hits.spread(np.ones(len(hits.gold), dtype=bool), width, False),
        distractor=hits.spread(gold.distractor[hits.gold], width, False),
        new_group=hits.spread(hits.first_of_group(gold, relevant), width, False),
        tokens=None if tokens is None else _spread_tokens(ranking, tokens[lists.codes], width),
        lengths=ranking.lengths,
        first_rank=hits.first_rank(relevant),
        first_distractor=hits.first_rank(gold.distractor[hits.gold]),
        relevant_count=needs.relevant_count,
        group_count=needs.group_count,
        ideal=needs.ideal,
        has_top=needs.has_top,
        missing=(rows < 0) & ~has_failed,
        failed=has_failed,
        doubts=Doubts(
            duplicates=ranking.repeats,
            ties=ranking.tied_at(ks),
            order_disagreements=len(np.unique(better)),
            all_rising=len(better) > 0 and not len(worse) and direction == "higher",
            longest=longest,
        ),
    )


@dataclass(frozen=True, eq=False)
class _Hits:
    """Entries of a ranking that gold says something of.

    Attributes:
        shape: queries.
        row, position: (h,) of each hit.
        gold: (h,) row of the gold table.
    """

    shape: int
    row: npt.NDArray[np.int32]
    position: npt.NDArray[np.int32]
    gold: npt.NDArray[np.intp]

    @classmethod
    def of(
        cls, ranking: Ranking, gold: GoldTable, gold_rows: npt.NDArray[np.intp], chunks: npt.NDArray[np.int32]
    ) -> _Hits:
        # narrow, because what is looked up for every result of the run should stay in the cache
        query_of_row = gold_rows.astype(np.int32)
        entries, found = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
        for block in ranking.blocks():
            at = gold.rows_of(query_of_row[ranking.row[block]], chunks[ranking.entry[block]])
            known = np.flatnonzero(at >= 0)
            entries.append(block.start + known)
            found.append(at[known])
        hits = np.concatenate(entries)
        return cls(len(gold_rows), ranking.row[hits], ranking.position[hits], np.concatenate(found))

    def spread(self, values: npt.NDArray[_T], width: int, rest: Any) -> npt.NDArray[_T]:
        matrix = np.full((width, self.shape), rest, dtype=values.dtype)
        inside = self.position < width
        matrix[self.position[inside], self.row[inside]] = values[inside]
        return matrix.T

    def first_rank(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """(n,) rank of the first hit that is wanted."""
        rank = np.full(self.shape, np.nan)
        rows, first = np.unique(self.row[wanted], return_index=True)
        rank[rows] = self.position[wanted][first] + 1
        return rank

    def first_of_group(self, gold: GoldTable, relevant: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(h,) whether the hit is relevant and no better rank of its query has one of the same group."""
        first = np.zeros(len(self.gold), dtype=bool)
        which = np.flatnonzero(relevant)
        # no two queries share a group, so the code alone tells query and group
        first[which[np.unique(gold.group[self.gold[which]], return_index=True)[1]]] = True
        return first


def _narrow(grades: npt.NDArray[np.float64]) -> Grades:
    """The grades in half the bytes where they are still the same."""
    narrow = grades.astype(np.float32)
    return narrow if (narrow == grades).all() else grades


def _spread_tokens(ranking: Ranking, tokens: npt.NDArray[np.float64], width: int) -> npt.NDArray[np.float64]:
    matrix = np.zeros((width, len(ranking.lengths)))
    inside = ranking.position < width
    matrix[ranking.position[inside], ranking.row[inside]] = tokens[ranking.entry[inside]]
    return matrix.T


@dataclass(frozen=True, eq=False)
class _Needs:
    """What gold alone says of each query of the matrix, fields as there; nothing and 0 without gold."""

    relevant_count: npt.NDArray[np.int32]
    group_count: npt.NDArray[np.int32]
    ideal: npt.NDArray[np.float64]
    has_top: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        gold: GoldTable,
        grades: npt.NDArray[np.float64],
        gold_rows: npt.NDArray[np.intp],
        level: float,
        top: float,
    ) -> _Needs:
        relevant = grades >= level
        first_of_group = np.unique(gold.group[relevant], return_index=True)[1]
        known = np.flatnonzero(gold_rows >= 0)

        def of_each(values: npt.NDArray[_T]) -> npt.NDArray[_T]:
            chosen = np.zeros((len(gold_rows), *values.shape[1:]), dtype=values.dtype)
            chosen[known] = values[gold_rows[known]]
            return chosen

        def count(queries: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
            return of_each(np.bincount(queries, minlength=len(gold.query_ids)).astype(np.int32))

        return cls(
            relevant_count=count(gold.query[relevant]),
            group_count=count(gold.query[relevant][first_of_group]),
            ideal=of_each(_ideal(gold, grades)),
            has_top=count(gold.query[(grades >= top) & (top > 0)]) > 0,
        )


def _ideal(gold: GoldTable, grades: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(q, w) positive grades of every query in falling order, 0 after them."""
    positive = np.flatnonzero(grades > 0)
    counts = np.bincount(gold.query[positive], minlength=len(gold.query_ids))
    ideal = np.zeros((len(gold.query_ids), max(1, int(counts.max(initial=0)))))
    row, place = places(counts)
    ideal[row, place] = grades[positive]
    ideal.sort(axis=1)
    return ideal[:, ::-1]
