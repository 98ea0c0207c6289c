"""What was found of gold in the lists of a run: all that metrics need to know of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.model import Direction
from ragtui.metrics.gold import Judgments

Convention = Literal["ragtui", "trec"]
CONVENTIONS: tuple[Convention, ...] = ("ragtui", "trec")

_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a run left open, counted over the queries of its matrix.

    Attributes:
        duplicates: entries dropped because the query had returned the chunk before.
        ties: queries with the same score on both sides of a cut-off.
        order_disagreements: queries in which a lower rank has the better score.
        falling: whether any list goes down to a worse score.
        longest: results of the longest list, without repeats.
    """

    duplicates: int = 0
    ties: int = 0
    order_disagreements: int = 0
    falling: bool = False
    longest: int = 0

    @property
    def all_rising(self) -> bool:
        """Whether every list with two different scores gets better downwards, as distances do."""
        return self.order_disagreements > 0 and not self.falling

    @classmethod
    def over(cls, parts: Sequence[Doubts]) -> Doubts:
        """Those of all parts of a run, of which each has queries of its own."""
        return cls(
            duplicates=sum(part.duplicates for part in parts),
            ties=sum(part.ties for part in parts),
            order_disagreements=sum(part.order_disagreements for part in parts),
            falling=any(part.falling for part in parts),
            longest=max((part.longest for part in parts), default=0),
        )


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is to be found for n queries.

    Attributes:
        rows: (n,) row of each query in the run, -1 for an empty list.
        gold_rows: (n,) row of each query in gold, -1 where nobody judged it.
        convention: `trec` sorts the lists as trec_eval does.
        direction: whether the better score is the higher or the lower one.
        ks: cut-offs at which ties are counted.
        cut: how many ranks of a list have tokens counted; all of them for None.
        tokens: (v,) tokens of each chunk of the vocabulary of the run, NaN where unknown; None without texts.
    """

    rows: npt.NDArray[np.intp]
    gold_rows: npt.NDArray[np.intp]
    convention: Convention
    direction: Direction
    ks: tuple[int, ...]
    cut: int | None = None
    tokens: npt.NDArray[np.float64] | None = None

    def part(self, queries: slice) -> Wanted:
        """Some of the queries."""
        return replace(self, rows=self.rows[queries], gold_rows=self.gold_rows[queries])


@dataclass(frozen=True, eq=False)
class Found:
    """Where the lists of n queries have what gold says anything of, in order of query and rank.

    Attributes:
        lengths: (n,) int32, results of each query, without repeats.
        row, position: (h,) int32, query of each judged result, and its rank − 1.
        gold: (h,) row of gold.
        doubts: what the lists left open.
        tokens: (n, w) float64, of the results at each rank, 0 past the end; None without texts.
    """

    lengths: npt.NDArray[np.int32]
    row: npt.NDArray[np.int32]
    position: npt.NDArray[np.int32]
    gold: npt.NDArray[np.intp]
    doubts: Doubts
    tokens: npt.NDArray[np.float64] | None = None

    @classmethod
    def joined(cls, parts: Sequence[Found]) -> Found:
        """What was found for queries, part after part."""
        starts = np.cumsum([0, *(len(part.lengths) for part in parts)], dtype=np.int32)
        rows = [part.row + start for part, start in zip(parts, starts[:-1], strict=True)]
        return cls(
            _end_to_end([part.lengths for part in parts], np.int32),
            _end_to_end(rows, np.int32),
            _end_to_end([part.position for part in parts], np.int32),
            _end_to_end([part.gold for part in parts], np.intp),
            Doubts.over([part.doubts for part in parts]),
            _below_each_other([part.tokens for part in parts if part.tokens is not None]),
        )

    def spread(self, values: npt.NDArray[_T], width: int, rest: Any) -> npt.NDArray[_T]:
        """(n, width) a value of each judged result where it stands, `rest` elsewhere; contiguous columns."""
        matrix = np.full((width, len(self.lengths)), rest, dtype=values.dtype)
        inside = self.position < width
        matrix[self.position[inside], self.row[inside]] = values[inside]
        return matrix.T

    def first_rank(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """(n,) rank of the first judged result that is wanted, NaN without one."""
        rank = np.full(len(self.lengths), np.nan)
        rows = self.row[wanted]
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        rank[rows[first]] = self.position[wanted][first] + 1
        return rank

    def first_of_group(self, gold: Judgments, relevant: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(h,) whether a result is relevant and no better rank of its query has one of the same group."""
        if gold.are_alone:
            return relevant
        first = np.zeros(len(self.gold), dtype=bool)
        which = np.flatnonzero(relevant)
        # no two queries share a group, so the code alone tells query and group
        first[which[np.unique(gold.group[self.gold[which]], return_index=True)[1]]] = True
        return first


class Results(Protocol):
    """A run beside the gold that it is looked through for."""

    @property
    def query_index(self) -> pd.Index[Any]:
        """(r,) queries of the run, each id once."""

    @property
    def gold(self) -> Judgments:
        """What is looked for."""

    def find(self, wanted: Wanted) -> Found:
        """Find it, for some of the queries."""


def _end_to_end(parts: Sequence[npt.NDArray[Any]], kind: type[_T]) -> npt.NDArray[_T]:
    return np.concatenate([np.zeros(0, dtype=kind), *parts])


def _below_each_other(parts: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64] | None:
    """Matrices of some width each as one with contiguous columns, 0 where one is narrower."""
    if not parts:
        return None
    whole = np.zeros((max(part.shape[1] for part in parts), sum(map(len, parts))))
    start = 0
    for part in parts:
        whole[: part.shape[1], start : start + len(part)] = part.T
        start += len(part)
    return whole.T
