"""What is collected while a TREC file is read by columns."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragtui.dataset.ids import CodedIds, codes_of, texts
from ragtui.dataset.list_order import is_sorted
from ragtui.dataset.model import Direction, RankedLists
from ragtui.dataset.readers.growing import Growing
from ragtui.dataset.readers.growing_ids import GrowingIds
from ragtui.dataset.readers.run_lists import Order, sort_lists
from ragtui.dataset.readers.watched import Doubt


class RanksNeeded(Exception):
    """Ranks that were forgotten decide after all: the file has to be read again."""


class GrowingQueries:
    """Query ids in order of first appearance."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    @property
    def ids(self) -> list[str]:
        """Each id once; a comment or nothing among them is a doubt."""
        names = list(self._known)
        if "\n#" in "\n" + "\n".join(names) or not all(map(str.strip, names)):
            raise Doubt
        return names

    def codes(self, ids: pa.ChunkedArray[Any]) -> npt.NDArray[np.int32]:
        """Code of each id of a part."""
        blocks = cast("list[CodedIds]", ids.unify_dictionaries().chunks)
        known, names = self._known, texts(blocks[0].dictionary)
        places = np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int32)
        return np.take(places, np.concatenate([codes_of(block) for block in blocks]))


class TrecResults:
    """Results of a run, part by part: runs of equal query ids, chunk ids, ranks and scores.

    Ranks decide only where scores do not fall. From the second part on they are forgotten as long as every
    list has been in order, which saves a quarter of the memory of a large run.

    Args:
        direction: whether the better score is the higher or the lower one.
        forgets_ranks: whether they may be forgotten; `RanksNeeded` says that it was too early.
    """

    def __init__(self, direction: Direction, *, forgets_ranks: bool = True) -> None:
        self._direction = direction
        self._forgets_ranks = forgets_ranks
        self._queries = GrowingQueries()
        self._runs = Growing(np.int32)
        self._run_lengths = Growing(np.int64)
        self._chunks = GrowingIds()
        self._ranks: Growing[np.int32] | None = Growing(np.int32)
        self._scores = Growing(np.float64)
        self._last: tuple[int, float, float] = (-1, 0.0, 0.0)
        self._in_order = True

    def add(
        self,
        query: pa.ChunkedArray[Any],
        chunk: pa.ChunkedArray[Any],
        rank: pa.ChunkedArray[Any] | None,
        score: pa.ChunkedArray[Any] | None,
    ) -> None:
        """The rows of one part."""
        codes = self._queries.codes(query)
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        lengths = np.diff(starts, append=len(codes))
        ranks = None if rank is None else rank.to_numpy()
        scores = None if score is None else finite(score)
        self._in_order = self._in_order and self._goes_on_in_order(codes, lengths, ranks, scores)
        if ranks is not None and self._in_order and self._forgets_ranks and len(self._runs.whole()):
            self._ranks = None
        elif self._ranks is None:
            raise RanksNeeded
        elif ranks is not None:
            self._ranks.extend(ranks)
        if scores is not None:
            self._scores.extend(scores)
        self._runs.extend(codes[starts])
        self._run_lengths.extend(lengths)
        self._chunks.add(chunk)

    def lists(self) -> RankedLists:
        """All lists: by score, then rank, then place; by rank alone where there are no scores."""
        runs, run_lengths = self._runs.whole(), self._run_lengths.whole()
        names = self._queries.ids
        lengths = np.bincount(runs, weights=run_lengths, minlength=len(names)).astype(np.int64)
        entries, scores = self._chunks.entries(), self._scores.whole()
        in_one_piece = not (runs[1:] < runs[:-1]).any()
        if self._in_order and in_one_piece:
            return RankedLists.of(names, lengths, self._chunks.ids(entries, True), scores)
        if self._ranks is None:
            raise RanksNeeded
        ranks = self._ranks.whole()
        order: Order = "score" if len(scores) else "rank"
        if not len(scores):
            scores = np.full(len(entries), np.nan)
        if not in_one_piece:
            together = np.argsort(np.repeat(runs, run_lengths), kind="stable")
            entries, scores = entries[together], scores[together]
            ranks = ranks[together] if len(ranks) else ranks
        sort_lists(lengths, entries, scores, ranks if len(ranks) else None, order, self._direction)
        return RankedLists.of(names, lengths, self._chunks.ids(entries, False), scores)

    def _goes_on_in_order(
        self,
        codes: npt.NDArray[np.int32],
        lengths: npt.NDArray[np.int64],
        ranks: npt.NDArray[np.int32] | None,
        scores: npt.NDArray[np.float64] | None,
    ) -> bool:
        """Whether each list of a part is in order, and goes on from where the part before ended."""
        if scores is None:
            return False
        values = scores if self._direction == "lower" else -scores
        code, value, rank = self._last
        first_rank, last_rank = (0.0, 0.0) if ranks is None else (float(ranks[0]), float(ranks[-1]))
        self._last = int(codes[-1]), float(values[-1]), last_rank
        if code == codes[0] and (value, rank) > (float(values[0]), first_rank):
            return False
        return is_sorted(lengths, values, ranks)


def finite(numbers: pa.ChunkedArray[Any]) -> npt.NDArray[np.float64]:
    """Numbers of a part; one that is none or infinite is a doubt."""
    values = np.asarray(numbers.to_numpy(), dtype=np.float64)
    if not np.isfinite(values).all():
        raise Doubt
    return values
