"""The grade matrix: one run of queries × ranks, joined with gold, from which every metric is computed."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.model import Direction
from ragtui.metrics.found import Convention, Doubts, Results, Wanted
from ragtui.metrics.gold import Judgments
from ragtui.metrics.ranking import places

Grades = npt.NDArray[np.floating[Any]]

_T = TypeVar("_T", bound=np.generic)


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
    results: Results,
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
        results: the run beside all gold of the split.
        level: a grade from here on is relevant; above 0.
        convention: `trec` sorts the lists again as trec_eval does.
        cut: how many ranks to keep; all of them for None.
        ks: cut-offs at which ties are counted.
        failed: queries whose list counts as empty.
        direction: whether the better score is the higher or the lower one.
        top_grade: highest grade of the scale; the highest one in gold for None.
        tokens: (v,) tokens of each chunk of the vocabulary of the run, NaN where the text is unknown.
    """
    gold = results.gold
    ids = pd.Index(query_ids, dtype=object)
    rows = results.query_index.get_indexer(ids)
    has_failed = ids.isin(list(failed))
    gold_rows = gold.query_index.get_indexer(ids)
    top = gold.highest_grade if top_grade is None else top_grade
    grades = np.maximum(gold.grade, 0.0)
    if convention == "ragtui":
        grades[gold.distractor] = 0.0
    needs = _Needs.of(gold, grades, gold_rows, level, top)
    wanted = Wanted(
        np.where(has_failed, -1, rows), gold_rows, convention, direction, ks=ks, cut=cut, tokens=tokens
    )
    found = results.find(wanted)
    width = max(1, found.doubts.longest if cut is None else min(cut, found.doubts.longest))
    hit_grades, hit_distractor = grades[found.gold], gold.distractor[found.gold]
    relevant = hit_grades >= level
    return GradeMatrix(
        query_ids=query_ids,
        convention=convention,
        level=level,
        top_grade=top,
        grades=found.spread(_narrow(hit_grades), width, 0.0),
        judged=found.spread(np.ones(len(found.gold), dtype=bool), width, False),
        distractor=found.spread(hit_distractor, width, False),
        new_group=found.spread(found.first_of_group(gold, relevant), width, False),
        tokens=found.tokens,
        lengths=found.lengths,
        first_rank=found.first_rank(relevant),
        first_distractor=found.first_rank(hit_distractor),
        relevant_count=needs.relevant_count,
        group_count=needs.group_count,
        ideal=needs.ideal,
        has_top=needs.has_top,
        missing=(rows < 0) & ~has_failed,
        failed=has_failed,
        doubts=found.doubts,
    )


def _narrow(grades: npt.NDArray[np.float64]) -> Grades:
    """The grades in half the bytes where they are still the same."""
    narrow = grades.astype(np.float32)
    return narrow if (narrow == grades).all() else grades


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
        gold: Judgments,
        grades: npt.NDArray[np.float64],
        gold_rows: npt.NDArray[np.intp],
        level: float,
        top: float,
    ) -> _Needs:
        relevant = grades >= level
        known = np.flatnonzero(gold_rows >= 0)

        def of_each(values: npt.NDArray[_T]) -> npt.NDArray[_T]:
            chosen = np.zeros((len(gold_rows), *values.shape[1:]), dtype=values.dtype)
            chosen[known] = values[gold_rows[known]]
            return chosen

        def count(queries: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
            return of_each(np.bincount(queries, minlength=len(gold.query_ids)).astype(np.int32))

        relevant_count = group_count = count(gold.query[relevant])
        if not gold.are_alone:
            first_of_group = np.unique(gold.group[relevant], return_index=True)[1]
            group_count = count(gold.query[relevant][first_of_group])
        return cls(
            relevant_count=relevant_count,
            group_count=group_count,
            ideal=of_each(_ideal(gold, grades)),
            has_top=count(gold.query[(grades >= top) & (top > 0)]) > 0,
        )


def _ideal(gold: Judgments, grades: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(q, w) positive grades of every query in falling order, 0 after them."""
    positive = np.flatnonzero(grades > 0)
    counts = np.bincount(gold.query[positive], minlength=len(gold.query_ids))
    ideal = np.zeros((len(gold.query_ids), max(1, int(counts.max(initial=0)))))
    row, place = places(counts)
    ideal[row, place] = grades[positive]
    ideal.sort(axis=1)
    return ideal[:, ::-1]
