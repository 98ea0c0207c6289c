"""TREC files by columns: what `trec` reads line by line, for files that are the same in every line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragtui.dataset.fields import layout
from ragtui.dataset.ids import ID, CodedIds, Ids, coded, codes_of, is_blank, joined, taken, texts, with_codes
from ragtui.dataset.model import Direction, RankedLists
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.growing import Growing
from ragtui.dataset.readers.run_lists import Order, sort_lists
from ragtui.dataset.readers.trec import RunColumns
from ragtui.dataset.readers.watched import Doubt, Layout, parts

# Ids are kept as they stand up to so many bytes, which is quickest; those of larger runs are coded part by
# part, so that an id costs four bytes and not its whole text wherever it is.
_PART = 64 * 2**20

_QUERY = pa.dictionary(pa.int32(), ID)


def run_lists(path: Path, columns: RunColumns, direction: Direction) -> RankedLists:
    """Lists of a run, best first.

    Raises:
        Doubt: the file has to be read line by line.
    """
    found = _layout_of(path)
    wanted = (
        (columns.query, _QUERY),
        (columns.chunk, ID),
        (columns.rank, pa.int32()),
        (columns.score, pa.float64()),
    )
    types = {str(place): type_ for place, type_ in wanted if place is not None}
    if columns.needed > len(found.names):
        raise Doubt
    results = _Results()
    for part in parts(path, found, types):
        results.add(
            part.column(str(columns.query)),
            part.column(str(columns.chunk)),
            None if columns.rank is None else part.column(str(columns.rank)),
            None if columns.score is None else part.column(str(columns.score)),
        )
    return results.lists(direction)


def judgments(path: Path, split: str) -> GoldColumns:
    """Judgments of qrels.

    Raises:
        Doubt: the file has to be read line by line.
    """
    found = _layout_of(path)
    width = len(found.names)
    if width < 3:
        raise Doubt
    query, chunk, grade = ("0", "1", "2") if width == 3 else ("0", "2", "3")
    return _gold_columns(path, found, (query, chunk, grade), split)


def tabbed_judgments(path: Path, split: str) -> GoldColumns:
    """Judgments of a table between tabs whose header names query, chunk and grade, as BEIR has it.

    Raises:
        Doubt: the file has to be read record by record.
    """
    names = tuple(_first_line(path).split("\t"))
    words = layout("gold", names)
    if words.keys() != {"query_id", "chunk_id", "grade"} or len(set(names)) < len(names):
        raise Doubt
    found = Layout(names, "\t", splits_at_space=False, skip=1)
    return _gold_columns(path, found, (words["query_id"], words["chunk_id"], words["grade"]), split)


def _gold_columns(path: Path, found: Layout, columns: tuple[str, str, str], split: str) -> GoldColumns:
    """Judgments from the columns of query, chunk and grade of a file.

    Raises:
        Doubt: the file has to be read line by line.
    """
    queries, chunks = _Queries(), []
    codes, grades = Growing(np.int32), Growing(np.float64)
    for part in parts(path, found, dict(zip(columns, (_QUERY, ID, pa.float64()), strict=True))):
        query, chunk, grade = (part.column(name) for name in columns)
        codes.extend(queries.codes(query))
        chunks.append(chunk if found.splits_at_space else _named(chunk))
        grades.extend(_finite(grade))
    return GoldColumns.plain(
        query=codes.whole(),
        query_ids=queries.ids,
        chunk_ids=joined(chunks),
        grades=grades.whole(),
        split=split,
        file=path,
        first_line=found.skip + 1,
    )


def _layout_of(path: Path) -> Layout:
    line = _first_line(path)
    delimiter = "\t" if "\t" in line else " "
    cells = line.split(delimiter)
    if cells != line.split():
        raise Doubt  # several kinds of white space, or several in a row
    return Layout(tuple(map(str, range(len(cells)))), delimiter, splits_at_space=True)


def _first_line(path: Path) -> str:
    return next(iter(head(path, 1)), b"").decode("utf-8", "replace")


def _named(ids: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Ids of which none is empty or blank."""
    if is_blank(ids).any():
        raise Doubt
    return ids


def _finite(numbers: pa.ChunkedArray[Any]) -> npt.NDArray[np.float64]:
    values = np.asarray(numbers.to_numpy(), dtype=np.float64)
    if not np.isfinite(values).all():
        raise Doubt
    return values


class _Queries:
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


class _Results:
    """Results of a run, part by part: runs of equal query ids, chunk ids, ranks and scores."""

    def __init__(self) -> None:
        self._queries = _Queries()
        self._runs = Growing(np.int32)
        self._run_lengths = Growing(np.int64)
        self._chunks = _Chunks()
        self._ranks = Growing(np.int32)
        self._scores = Growing(np.float64)

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
        self._runs.extend(codes[starts])
        self._run_lengths.extend(np.diff(starts, append=len(codes)))
        self._chunks.add(chunk)
        if rank is not None:
            self._ranks.extend(rank.to_numpy())
        if score is not None:
            self._scores.extend(_finite(score))

    def lists(self, direction: Direction) -> RankedLists:
        """All lists: by score, then rank, then place; by rank alone where there are no scores."""
        runs, run_lengths = self._runs.whole(), self._run_lengths.whole()
        names = self._queries.ids
        lengths = np.bincount(runs, weights=run_lengths, minlength=len(names)).astype(np.int64)
        entries, ranks, scores = self._chunks.entries(), self._ranks.whole(), self._scores.whole()
        order: Order = "score" if len(scores) else "rank"
        if not len(scores):
            scores = np.full(len(entries), np.nan)
        as_read = True
        if (runs[1:] < runs[:-1]).any():
            together = np.argsort(np.repeat(runs, run_lengths), kind="stable")
            entries, scores, ranks = (
                entries[together],
                scores[together],
                ranks[together] if len(ranks) else ranks,
            )
            as_read = False
        moved = sort_lists(lengths, entries, scores, ranks if len(ranks) else None, order, direction)
        return RankedLists.of(names, lengths, self._chunks.ids(entries, as_read and not moved), scores)


class _Chunks:
    """Chunk ids of a run: as they stand while they are few, coded part by part when they are many."""

    def __init__(self) -> None:
        self._pending: list[pa.ChunkedArray[Any]] = []
        self._size = 0
        self._codes: Growing[np.int32] = Growing(np.int32)
        self._distinct: Ids | None = None

    def add(self, ids: pa.ChunkedArray[Any]) -> None:
        """The ids of one part."""
        self._pending.append(ids)
        self._size += ids.nbytes
        if self._size > _PART:
            self._code()

    def entries(self) -> npt.NDArray[np.int32]:
        """Which of the collected ids each result has, for the caller to put in order."""
        if self._distinct is None:
            return np.arange(sum(map(len, self._pending)), dtype=np.int32)
        self._code()
        return self._codes.whole()

    def ids(self, entries: npt.NDArray[np.int32], as_read: bool) -> Ids:
        """The ids of `entries` after they were put in order, `as_read` if they were in order already."""
        if self._distinct is not None:
            return with_codes(entries, self._distinct)
        plain = joined(self._pending)
        return plain if as_read else taken(plain, entries)

    def _code(self) -> None:
        part = coded(joined(self._pending))
        before = [] if self._distinct is None else [self._distinct]
        every = coded(joined([*before, part.dictionary]))
        codes = codes_of(every)[len(self._distinct or ()) :]
        self._codes.extend(codes[codes_of(part)])
        self._distinct = every.dictionary
        self._pending, self._size = [], 0
