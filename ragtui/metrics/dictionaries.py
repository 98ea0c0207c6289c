"""Gold and runs that are dictionaries of dictionaries, looked through as they stand.

A dictionary finds a chunk at once, and the rank of what it finds is how many scores are better. So no id is
copied, and no list is put in order but those in which a judged chunk shares its score.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from operator import countOf
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.list_order import offsets_of, sorted_values
from ragtui.metrics.found import Convention, Doubts, Found, Wanted
from ragtui.metrics.gold import Judgments

# Halves of characters that UTF-16 writes as two.
_HALVES = frozenset(map(chr, range(0xD800, 0xE000)))

_Dictionaries = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class GradedChunks:
    """Gold as `{query: {chunk: grade}}`, all ids text and all grades finite numbers.

    Attributes:
        grades: of every query that has any.
        judgments: the same by column, in the order of the dictionaries.
    """

    grades: _Dictionaries
    judgments: Judgments

    @classmethod
    def of(cls, gold: object) -> GradedChunks | None:
        """None for anything else, which has to be read as a table."""
        if not _are_dictionaries(gold) or not _are_texts(list(chain.from_iterable(gold.values()))):
            return None
        grades = {query_id: chunks for query_id, chunks in gold.items() if chunks}
        lengths = list(map(len, grades.values()))
        grade = _numbers(grades, sum(lengths))
        if grade is None or not len(grade) or not np.isfinite(grade).all():
            return None
        judgments = Judgments(
            query_ids=np.asarray(pd.Index(list(grades), dtype=object)),
            query=np.repeat(np.arange(len(grades), dtype=np.int32), lengths),
            grade=grade,
            group=np.arange(len(grade), dtype=np.int32),
            distractor=np.zeros(len(grade), dtype=bool),
            conflicts=0,
            negatives=int((grade < 0).sum()),
        )
        return cls(grades, judgments)


@dataclass(frozen=True, eq=False)
class ScoredChunks:
    """A run as `{query: {chunk: score}}`, all ids text and all scores numbers, beside gold.

    Attributes:
        scores: of every query.
        flat: (m,) float64, the same end to end.
        of_judged: (g,) float64, score of each judged chunk, NaN where the run does not have it.
    """

    scores: _Dictionaries
    graded: GradedChunks
    flat: npt.NDArray[np.float64]
    of_judged: npt.NDArray[np.float64]

    @classmethod
    def of(cls, run: object, graded: GradedChunks) -> ScoredChunks | None:
        """None for anything else, which has to be read as lists."""
        if not _are_dictionaries(run) or not run:
            return None
        unjudged = [run[query_id] for query_id in run.keys() - graded.grades.keys()]
        try:
            of_judged = np.fromiter(
                chain.from_iterable(_looked_up(graded.grades, run)), np.float64, len(graded.judgments.grade)
            )
        except (TypeError, ValueError, OverflowError):
            return None
        flat = _numbers(run, sum(map(len, run.values())))
        if flat is None or np.isnan(flat).any() or not all(map(_are_texts, unjudged)):
            return None
        return cls(run, graded, flat, of_judged)

    @cached_property
    def query_index(self) -> pd.Index[Any]:
        """(r,) queries of the run."""
        return pd.Index(list(self.scores), dtype=object)

    @property
    def gold(self) -> Judgments:
        """What was looked up."""
        return self.graded.judgments

    def find(self, wanted: Wanted) -> Found:
        """Where the judged chunks of these queries stand when every list is in order of score."""
        lengths = np.fromiter(map(len, self.scores.values()), np.int64, len(self.scores))
        costs = _costs(self.flat, wanted)
        lists = _Costs(costs, sorted_values(lengths, costs), offsets_of(lengths))
        query = np.full(len(self.gold.query_ids) + 1, -1, dtype=np.int32)
        query[wanted.gold_rows] = np.where(wanted.rows < 0, -1, np.arange(len(wanted.rows)))
        query = query[:-1][self.gold.query]
        gold = np.flatnonzero((query >= 0) & ~np.isnan(self.of_judged))
        query = query[gold]
        position, is_tied = lists.positions(wanted.rows[query], _costs(self.of_judged[gold], wanted))
        self._settle(lists, wanted, query, gold, position, is_tied)
        order = np.argsort(query * np.int64(lengths.max()) + position)
        returned = np.where(wanted.rows < 0, 0, lengths[wanted.rows])
        return Found(
            lengths=returned.astype(np.int32),
            row=query[order],
            position=position[order],
            gold=gold[order],
            doubts=Doubts(
                ties=lists.tied_at(wanted.rows[wanted.rows >= 0], wanted.ks),
                longest=int(returned.max(initial=0)),
            ),
        )

    def _settle(
        self,
        lists: _Costs,
        wanted: Wanted,
        query: npt.NDArray[np.int32],
        gold: npt.NDArray[np.intp],
        position: npt.NDArray[np.int32],
        is_tied: npt.NDArray[np.bool_],
    ) -> None:
        """Give judged chunks that share their score their places, in the order of the convention."""
        if not is_tied.any():
            return
        first_judgment = np.searchsorted(self.gold.query, np.arange(len(self.gold.query_ids)))
        first_hit = np.searchsorted(gold, np.append(first_judgment, len(self.gold.query)))
        run, graded = list(self.scores.values()), list(self.graded.grades.values())
        for one in np.unique(query[is_tied]).tolist():
            row, code = int(wanted.rows[one]), int(wanted.gold_rows[one])
            place_of = _places(list(run[row]), lists.of_row(row), wanted.convention)
            judged = list(graded[code])
            hits = slice(int(first_hit[code]), int(first_hit[code + 1]))
            position[hits] = [place_of[judged[at]] for at in (gold[hits] - first_judgment[code]).tolist()]


@dataclass(frozen=True, eq=False)
class _Costs:
    """What results cost, the least first: negative scores, or distances.

    Attributes:
        flat: (m,) in the order of the run.
        ascending: (m,) each list in order.
        offsets: (r + 1,) where lists begin and end.
    """

    flat: npt.NDArray[np.floating[Any]]
    ascending: npt.NDArray[np.floating[Any]]
    offsets: npt.NDArray[np.int64]

    def of_row(self, row: int) -> npt.NDArray[np.floating[Any]]:
        """Costs of one list in the order of the run."""
        return self.flat[self.offsets[row] : self.offsets[row + 1]]

    def positions(
        self, rows: npt.NDArray[np.intp], cost: npt.NDArray[np.floating[Any]]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
        """How many results of a list cost less, and whether another costs the same; cost is one of its."""
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        low, last = starts, ends - 1
        # a binary search in all lists at once, by steps of falling powers of two
        for power in reversed(range(int((ends - starts).max(initial=1)).bit_length())):
            ahead = np.minimum(low + (1 << power), last)
            low = np.where(self.ascending[ahead - 1] < cost, ahead, low)
        following = np.minimum(low + 1, last)
        is_tied = (following > low) & (self.ascending[following] == cost)
        return (low - starts).astype(np.int32), is_tied

    def tied_at(self, rows: npt.NDArray[np.intp], ks: tuple[int, ...]) -> int:
        """How many lists have the same cost on both sides of a cut-off."""
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        tied = np.zeros(len(rows), dtype=bool)
        for k in ks:
            longer = np.flatnonzero(ends - starts > k)
            cut = starts[longer] + k
            tied[longer] |= self.ascending[cut - 1] == self.ascending[cut]
        return int(tied.sum())


def _looked_up(gold: _Dictionaries, run: _Dictionaries) -> Iterator[Iterator[Any]]:
    """Score of each judged chunk, NaN where the run does not have it, query by query.

    Raises:
        TypeError: an id of the run is no text.
    """
    nowhere = repeat(math.nan)
    for query_id, judged in gold.items():
        results = run.get(query_id, {})
        # ids are looked at before they are looked up, which brings them near the processor
        if not _are_texts(results):
            raise TypeError(query_id)
        yield map(results.get, judged, nowhere)


def _places(ids: list[str], costs: npt.NDArray[np.floating[Any]], convention: Convention) -> dict[str, int]:
    """Place of each chunk of a list: least cost first, equal ones as they came, or as trec_eval has them."""
    order = np.arange(len(ids))
    if convention == "trec":  # by id descending in bytes, which is the order of code points
        order = np.array(sorted(range(len(ids)), key=ids.__getitem__, reverse=True), dtype=np.intp)
    order = order[np.argsort(costs[order], kind="stable")]
    return {ids[at]: place for place, at in enumerate(order.tolist())}


def _costs(scores: npt.NDArray[np.float64], wanted: Wanted) -> npt.NDArray[np.floating[Any]]:
    """Scores so that the best is the least, for trec as single precision has them."""
    if wanted.convention == "trec":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    return scores if wanted.direction == "lower" else -scores


def _are_dictionaries(value: object) -> TypeGuard[dict[str, dict[str, Any]]]:
    """Whether all values are dictionaries, and all keys text."""
    return isinstance(value, dict) and set(map(type, value.values())) <= {dict} and _are_texts(value)


def _are_texts(ids: Collection[Any]) -> bool:
    """Whether all ids are text, and text that can be written: half a character cannot."""
    if countOf(map(type, ids), str) < len(ids):
        return False
    together = "".join(ids)
    return together.isascii() or _HALVES.isdisjoint(together)


def _numbers(dictionaries: _Dictionaries, size: int) -> npt.NDArray[np.float64] | None:
    """All values end to end; None where one is no number."""
    try:
        return np.fromiter(
            chain.from_iterable(map(dict.values, dictionaries.values())),  # type: ignore[arg-type]
            np.float64,
            size,
        )
    except (TypeError, ValueError, OverflowError):
        return None
