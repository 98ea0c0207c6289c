"""Looks through ranked lists for what gold says something of, some lists at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.ids import taken
from ragtui.dataset.model import RankedLists
from ragtui.metrics.found import Doubts, Found, Wanted
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.ranking import Ranking, trec_order

# Results that are looked at together: with all that is computed of them they stay in the cache.
_BLOCK = 1 << 16

# Nearly all of the work needs no interpreter.
_THREADS = 2


@dataclass(frozen=True, eq=False)
class Listed:
    """Ranked lists in the order of their file, beside gold."""

    lists: RankedLists
    gold: GoldTable

    @property
    def query_index(self) -> pd.Index[Any]:
        """(r,) queries of the run."""
        return self.lists.query_index

    def find(self, wanted: Wanted) -> Found:
        """What gold says something of in the lists of these queries."""
        parts = [wanted.part(block) for block in self._blocks(wanted.rows)]
        with ThreadPoolExecutor(_THREADS) as threads:
            return Found.joined(list(threads.map(self._find, parts)))

    def _blocks(self, rows: npt.NDArray[np.intp]) -> Iterator[slice]:
        """Queries in blocks that have about so many results."""
        sizes = np.append(self.lists.lengths, 0)[rows]
        block = (np.cumsum(sizes) - sizes) // _BLOCK
        starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
        return itertools.starmap(slice, itertools.pairwise([*starts, len(rows)]))

    def _find(self, wanted: Wanted) -> Found:
        ranking = Ranking.of(self.lists, wanted.rows)
        better, worse = ranking.steps(wanted.direction)
        if wanted.convention == "trec":
            ranking = trec_order(ranking, self.lists.chunk_ids, wanted.direction)
        of_gold = wanted.gold_rows.astype(np.int32)[ranking.row]
        judged, gold = self.gold.judged(
            of_gold, ranking.likeness, lambda places: taken(self.lists.chunk_ids, ranking.entry[places])
        )
        return Found(
            lengths=ranking.lengths,
            row=ranking.row[judged],
            position=ranking.position[judged],
            gold=gold,
            doubts=Doubts(
                duplicates=ranking.repeats,
                ties=ranking.tied_at(wanted.ks),
                order_disagreements=len(np.unique(better)),
                falling=len(worse) > 0,
                longest=int(ranking.lengths.max(initial=0)),
            ),
            tokens=None if wanted.tokens is None else self._tokens(ranking, wanted.tokens, wanted.cut),
        )

    def _tokens(
        self, ranking: Ranking, tokens: npt.NDArray[np.float64], cut: int | None
    ) -> npt.NDArray[np.float64]:
        longest = int(ranking.lengths.max(initial=0))
        matrix = np.zeros((longest if cut is None else min(cut, longest), len(ranking.lengths)))
        inside = ranking.position < len(matrix)
        of_results = tokens[self.lists.codes[ranking.entry[inside]]]
        matrix[ranking.position[inside], ranking.row[inside]] = of_results
        return matrix.T
