"""Gold of one split, coded once: what every run of the set is joined with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.ids import Ids, are_same, objects, places, taken
from ragtui.dataset.list_order import order_within
from ragtui.dataset.model import GoldCodes
from ragtui.errors import RagtuiError


@dataclass(frozen=True, eq=False)
class Judgments:
    """What gold says of m pairs of query and chunk, query by query; of chunks only that they differ.

    Attributes:
        query_ids: (q,) object array of str, each id once.
        query: (m,) int32, ascending, index into `query_ids`.
        grade: (m,) float64 as written, negative ones too.
        group: (m,) int32, the evidence group, numbered in order of first appearance. Chunks of one query that
            share a group name share a code; no two queries do.
        distractor: (m,) bool, whether the role is `distractor`.
        conflicts: how many pairs got different grades from different annotators.
        negatives: how many pairs have a negative grade.
    """

    query_ids: npt.NDArray[np.object_]
    query: npt.NDArray[np.int32]
    grade: npt.NDArray[np.float64]
    group: npt.NDArray[np.int32]
    distractor: npt.NDArray[np.bool_]
    conflicts: int
    negatives: int

    @cached_property
    def query_index(self) -> pd.Index[Any]:
        """`query_ids` as an index, hashed once for all runs."""
        return pd.Index(self.query_ids, dtype=object)

    @cached_property
    def are_alone(self) -> bool:
        """Whether every chunk is a group of its own, as in gold without groups."""
        return bool((self.group[1:] > self.group[:-1]).all())

    @property
    def highest_grade(self) -> float:
        """Highest grade that was given, 0 without gold."""
        return float(self.grade.max()) if len(self.grade) else 0.0


@dataclass(frozen=True, eq=False)
class GoldTable(Judgments):
    """Judgments with their chunks, sorted by query code, then chunk code.

    Where annotators differ, the grade that most of them gave counts, and the lower one of equally frequent
    grades; group and role are those of the first row with that grade.

    Attributes:
        chunks: (c,) Arrow text, each id once.
        chunk: (m,) int32, index into `chunks`.
        likeness: (m,) uint64, `fingerprints` of the chunks.
    """

    chunks: Ids
    chunk: npt.NDArray[np.int32]
    likeness: npt.NDArray[np.uint64]

    @cached_property
    def keys(self) -> npt.NDArray[np.int64]:
        """(m,) int64, ascending: one number for each pair of query and chunk code."""
        return self.query.astype(np.int64) * len(self.chunks) + self.chunk

    @cached_property
    def chunk_ids(self) -> npt.NDArray[np.object_]:
        """(c,) `chunks` as an object array of str."""
        return objects(self.chunks)

    def judged(
        self,
        query: npt.NDArray[np.int32],
        likeness: npt.NDArray[np.uint64],
        ids: Callable[[npt.NDArray[np.intp]], Ids],
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Which of n results are judged, and the row that says so.

        Most results of a run are not judged, and are told from the others by numbers alone; ids are compared
        only where the numbers are the same.

        Args:
            query: (n,) code of the query of each result, -1 where nobody judged it.
            likeness: (n,) `fingerprints` of the chunk ids.
            ids: the chunk ids of some of the results.
        """
        likely, rows = self._likenesses.of_results(query, likeness)
        if self._likenesses.are_distinct:
            found = np.flatnonzero(are_same(ids(likely), taken(self.chunks, self.chunk[rows])))
            return likely[found], rows[found]
        chunk = places(ids(likely), self.chunks)
        wanted = query[likely] * np.int64(len(self.chunks)) + chunk
        rows = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = np.flatnonzero((chunk >= 0) & (self.keys[rows] == wanted))
        return likely[found], rows[found]

    @cached_property
    def _likenesses(self) -> _Likenesses:
        return _Likenesses.of(self.query, self.likeness)

    @classmethod
    def from_frame(cls, gold: pd.DataFrame, codes: GoldCodes | None = None) -> GoldTable:
        """Code a gold table: columns query_id, chunk_id, grade, and optionally group and role.

        `codes` are those of its ids where they are known.

        Raises:
            RagtuiError: a grade is NaN or infinite.
        """
        codes = codes or GoldCodes.of(gold)
        query, chunk, chunks = codes.query, codes.chunk, codes.chunk_ids
        grade = gold["grade"].to_numpy(dtype=np.float64)
        _refuse_unusable(gold, grade)
        kept, conflicts = (codes.by_key, 0) if not codes.has_repeats else _decided(codes.keys, grade)
        group, role = (_column(gold, name) for name in ("group", "role"))
        return cls(
            query_ids=objects(codes.query_ids),
            chunks=chunks,
            query=query[kept],
            chunk=chunk[kept],
            likeness=codes.likenesses[kept],
            grade=grade[kept],
            group=_group_codes(query[kept], None if group is None else group[kept]),
            distractor=np.zeros(len(kept), dtype=bool) if role is None else role[kept] == "distractor",
            conflicts=conflicts,
            negatives=int((grade[kept] < 0).sum()),
        )


@dataclass(frozen=True, eq=False)
class _Likenesses:
    """Pairs of query and chunk as numbers, which are the same for equal pairs and hardly ever for others.

    Attributes:
        keys: (m,) int64, ascending.
        rows: (m,) row of gold of each key.
        sieve: where keys fall. Most other results fall elsewhere, and looking there takes a fraction of a
            search among the keys. Sixteen places a key, as long as they stay in the cache.
        are_distinct: whether no two keys are the same.
    """

    keys: npt.NDArray[np.int64]
    rows: npt.NDArray[np.intp]
    sieve: npt.NDArray[np.bool_]
    are_distinct: bool

    @classmethod
    def of(cls, query: npt.NDArray[np.int32], likeness: npt.NDArray[np.uint64]) -> _Likenesses:
        """Of pairs in ascending order of their queries."""
        rows = order_within(np.bincount(query, minlength=1), likeness >> _UNUSED)
        keys = _keys(query, likeness)[rows]
        sieve = np.zeros(1 << min(24, (16 * len(keys)).bit_length()), dtype=bool)
        sieve[_sieve_places(keys, len(sieve))] = True
        return cls(keys, rows, sieve, not (keys[1:] == keys[:-1]).any())

    def of_results(
        self, query: npt.NDArray[np.int32], likeness: npt.NDArray[np.uint64]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Which results look like a judged one, and the first row that they look like."""
        wanted = _keys(query, likeness)
        likely = np.flatnonzero(self.sieve[_sieve_places(wanted, len(self.sieve))] & (query >= 0))
        wanted = wanted[likely]
        place = np.searchsorted(self.keys, wanted)
        place[place == len(self.keys)] = 0
        found = np.flatnonzero(self.keys[place] == wanted) if len(self.keys) else place
        return likely[found], self.rows[place[found]]


def _keys(query: npt.NDArray[np.int32], likeness: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Query above chunk, so that keys of lists that follow one another lie close together."""
    return (query.astype(np.int64) << 40) | (likeness >> _UNUSED).view(np.int64)


# Bits of a likeness that make room for the query.
_UNUSED = np.uint64(24)


def _sieve_places(keys: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """A place below `size`, a power of two, for each key: upper bits of a product, which all bits reach."""
    spread = keys.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (spread >> np.uint64(65 - size.bit_length())).view(np.int64)


def _refuse_unusable(gold: pd.DataFrame, grade: npt.NDArray[np.float64]) -> None:
    unusable = np.flatnonzero(~np.isfinite(grade))
    if len(unusable):
        row = gold.iloc[int(unusable[0])]
        raise RagtuiError(
            "metrics.grade-not-a-number", query=row["query_id"], chunk=row["chunk_id"], grade=row["grade"]
        )


def _decided(key: npt.NDArray[np.int64], grade: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.intp], int]:
    """Rows to keep, one per key in ascending order of keys, and for how many keys the grades differed."""
    order = np.lexsort((grade, key))
    sorted_key, sorted_grade = key[order], grade[order]
    new_key = np.diff(sorted_key, prepend=-1) != 0
    starts = np.flatnonzero(new_key | (np.diff(sorted_grade, prepend=np.nan) != 0))
    votes = np.diff(starts, append=len(key))
    # lexsort is stable, so the first row of each vote is the first one in the file, and of equal votes the
    # lower grade stays in front.
    ballot = np.lexsort((-votes, sorted_key[starts]))
    winners = ballot[np.diff(sorted_key[starts][ballot], prepend=-1) != 0]
    return order[starts[winners]], int((np.bincount(np.cumsum(new_key[starts])) > 1).sum())


def _column(gold: pd.DataFrame, name: str) -> npt.NDArray[np.object_] | None:
    """The column as objects with None where nothing is said; None where nothing is said at all."""
    if name not in gold:
        return None
    values = gold[name].to_numpy(dtype=object)
    unsaid = pd.isna(values)
    if unsaid.all():
        return None
    said: npt.NDArray[np.object_] = values.copy()
    said[unsaid | (values == "")] = None
    return said


def _group_codes(
    query: npt.NDArray[np.int32], group: npt.NDArray[np.object_] | None
) -> npt.NDArray[np.int32]:
    """Codes of groups over all queries; a chunk without a group is a group of its own."""
    if group is None:
        return np.arange(len(query), dtype=np.int32)
    name, _ = pd.factorize(group)
    alone = name < 0
    key = np.where(
        alone, -1 - np.arange(len(query)), query.astype(np.int64) * (name.max(initial=0) + 1) + name
    )
    return pd.factorize(key)[0].astype(np.int32)
