"""Ranked lists made fit for counting: repeats dropped once, order decided once, doubts about it counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.dataset.ids import Ids, coded, objects, plain, taken
from ragtui.dataset.list_order import filled_places, fits_a_matrix
from ragtui.dataset.model import Direction, RankedLists

# Sums of lengths and keys of (row, code) pairs are int64; everything as long as a run is kept as narrow as it
# can be.
_Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Results of many queries, one entry per result, by row and then by rank.

    Attributes:
        row: (m,) int32, which query.
        position: (m,) int32, rank − 1 within the query.
        entry: (m,) int32, index into the results of the run.
        score: (m,) float64, NaN where there is none.
        likeness: (m,) uint64, the same for results of one chunk, and hardly ever for others.
        lengths: (n,) int32, results of each query.
        repeats: how many entries were dropped because the query had returned the chunk before.
    """

    row: _Rows
    position: npt.NDArray[np.int32]
    entry: npt.NDArray[np.int32]
    score: npt.NDArray[np.float64]
    likeness: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.int32]
    repeats: int = 0

    @classmethod
    def of(cls, lists: RankedLists, rows: npt.NDArray[np.intp]) -> Ranking:
        """Lists of the run at `rows`, -1 for an empty one, in the order of the file and without repeats."""
        if not len(lists.query_ids):
            rows, starts, lengths = rows[:0], rows[:0], np.zeros(len(rows), dtype=np.int64)
        else:
            lengths = np.where(rows < 0, 0, lists.lengths[rows])
            starts = lists.offsets[:-1][rows]
        row, position = places(lengths)
        entry = (np.repeat(starts, lengths[: len(starts)]) + position).astype(np.int32)
        # lists that follow one another in the run need not be copied together
        follow = bool((entry[1:] == entry[:-1] + 1).all()) and len(entry)
        results = slice(int(entry[0]), int(entry[-1]) + 1) if follow else entry
        everything = cls(
            row, position, entry, lists.scores[results], lists.likenesses(results), lengths.astype(np.int32)
        )
        return _without_repeats(everything, lists)

    def steps(self, direction: Direction) -> tuple[_Rows, _Rows]:
        """Rows of the neighbours in rank whose score gets better downwards, and of those whose gets worse."""
        same = self.row[1:] == self.row[:-1]
        better, worse = self.score[1:] > self.score[:-1], self.score[1:] < self.score[:-1]
        if direction == "lower":
            better, worse = worse, better
        return self.row[1:][same & better], self.row[1:][same & worse]

    def entries_of(self, rows: _Rows) -> npt.NDArray[np.intp]:
        """Where the entries of these rows are, in order."""
        if not len(rows):
            return np.empty(0, dtype=np.intp)
        wanted = np.zeros(len(self.lengths), dtype=bool)
        wanted[rows] = True
        return np.flatnonzero(wanted[self.row])

    def tied_at(self, ks: tuple[int, ...]) -> int:
        """How many queries have the same score on both sides of a cut-off."""
        same = (self.row[1:] == self.row[:-1]) & (self.score[1:] == self.score[:-1])
        tied = np.flatnonzero(same) + 1
        at_cut = np.isin(self.position[tied], np.asarray(ks, dtype=np.int64))
        return len(np.unique(self.row[tied[at_cut]]))

    def taken(self, kept: npt.NDArray[np.intp] | npt.NDArray[np.bool_], dropped: int = 0) -> Ranking:
        """The entries `kept`, in that order; ranks close up."""
        row = self.row[kept]
        lengths = np.bincount(row, minlength=len(self.lengths))
        _, position = places(lengths)
        return Ranking(
            row,
            position,
            self.entry[kept],
            self.score[kept],
            self.likeness[kept],
            lengths.astype(np.int32),
            self.repeats + dropped,
        )


def trec_order(ranking: Ranking, chunk_ids: Ids, direction: Direction) -> Ranking:
    """Ranks as trec_eval gives them: by score held as float32, best first, ties by id descending in bytes.

    A list without scores keeps its order. Scores of the result are those that were compared, higher is
    better.
    """
    with np.errstate(over="ignore"):
        score = ranking.score.astype(np.float32).astype(np.float64)
    if direction == "lower":
        score = -score
    unscored = ranking.entries_of(ranking.row[np.isnan(score)])
    score[unscored] = -ranking.position[unscored]
    ranking = replace(ranking, score=score)
    ranking = _resorted(ranking, ranking.steps("higher")[0])
    tied = (ranking.row[1:] == ranking.row[:-1]) & (ranking.score[1:] == ranking.score[:-1])
    if not tied.any():
        return ranking
    in_a_tie = np.append(tied, False) | np.append(False, tied)
    place = np.zeros(len(ranking.row), dtype=np.int64)
    place[in_a_tie] = _places_by_bytes(objects(plain(taken(chunk_ids, ranking.entry[in_a_tie]))))
    wrong = tied & (place[1:] > place[:-1])
    return _resorted(ranking, ranking.row[1:][wrong], -place)


def _resorted(ranking: Ranking, rows: _Rows, *ties: npt.NDArray[np.int64]) -> Ranking:
    """Only the lists at `rows` sorted again: most come sorted, and a sort costs more than all metrics."""
    if not len(rows):
        return ranking
    moved = ranking.entries_of(rows)
    keys: list[npt.NDArray[Any]] = [tie[moved] for tie in ties]
    keys += [-ranking.score[moved], ranking.row[moved]]
    sorted_ = moved[np.lexsort(keys)]
    entry, score, likeness = ranking.entry.copy(), ranking.score.copy(), ranking.likeness.copy()
    entry[moved], score[moved], likeness[moved] = entry[sorted_], score[sorted_], likeness[sorted_]
    return replace(ranking, entry=entry, score=score, likeness=likeness)


def _places_by_bytes(ids: npt.NDArray[np.object_]) -> npt.NDArray[np.intp]:
    """Place of each id in byte order; equal ids may get different places.

    Python compares strings by code point, which is the order of their UTF-8 bytes.
    """
    places = np.empty(len(ids), dtype=np.intp)
    places[np.argsort(ids, kind="stable")] = np.arange(len(ids))
    return places


def _without_repeats(ranking: Ranking, lists: RankedLists) -> Ranking:
    if lists.free_of_repeats:
        return ranking
    suspects = ranking.entries_of(_rows_with_likenesses(ranking, ranking.likeness))
    if not len(suspects):
        return ranking
    code = np.asarray(coded(taken(lists.chunk_ids, ranking.entry[suspects])).indices.to_numpy())
    order = np.lexsort((code, ranking.row[suspects]))
    same = (np.diff(ranking.row[suspects][order]) == 0) & (np.diff(code[order]) == 0)
    again = suspects[order[1:][same]]
    if not len(again):
        return ranking
    kept = np.ones(len(ranking.row), dtype=bool)
    kept[again] = False
    return ranking.taken(kept, len(again))


def _rows_with_likenesses(ranking: Ranking, likeness: npt.NDArray[np.uint64]) -> _Rows:
    """Rows in which two results look like the same chunk; sorting each row alone is quickest."""
    if fits_a_matrix(ranking.lengths):
        filled = filled_places(ranking.lengths)
        matrix = np.empty(filled.shape, dtype=np.uint64)
        matrix[:] = np.arange(filled.shape[1])  # what fills a row up differs, and may look like a chunk
        matrix[filled] = likeness
        matrix.sort(axis=1)
        return np.flatnonzero((matrix[:, 1:] == matrix[:, :-1]).any(axis=1)).astype(np.int32)
    order = np.lexsort((likeness, ranking.row))
    same = (np.diff(ranking.row[order]) == 0) & (likeness[order[1:]] == likeness[order[:-1]])
    return np.unique(ranking.row[order[1:][same]])


def places(lengths: npt.NDArray[np.integer[Any]]) -> tuple[_Rows, npt.NDArray[np.int32]]:
    """Row and position of every entry of lists with these lengths, laid end to end."""
    row = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    kind = np.promote_types(np.int32, np.min_scalar_type(-len(row)))
    position = np.arange(len(row), dtype=kind)
    position -= np.repeat((np.cumsum(lengths) - lengths).astype(kind), lengths)
    return row, position.astype(np.int32, copy=False)
