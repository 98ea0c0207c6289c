"""TREC files by columns: what `trec` reads line by line, for files that are the same in every line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ragtui.dataset.fields import layout
from ragtui.dataset.ids import ID, is_blank, joined
from ragtui.dataset.model import Direction, RankedLists
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.growing import Growing
from ragtui.dataset.readers.trec import RunColumns
from ragtui.dataset.readers.trec_results import GrowingQueries, RanksNeeded, TrecResults, finite
from ragtui.dataset.readers.watched import Doubt, Layout, parts

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

    def read(results: TrecResults) -> RankedLists:
        for part in parts(path, found, types):
            results.add(
                part.column(str(columns.query)),
                part.column(str(columns.chunk)),
                None if columns.rank is None else part.column(str(columns.rank)),
                None if columns.score is None else part.column(str(columns.score)),
            )
        return results.lists()

    try:
        return read(TrecResults(direction))
    except RanksNeeded:
        return read(TrecResults(direction, forgets_ranks=False))


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
    queries, chunks = GrowingQueries(), []
    codes, grades = Growing(np.int32), Growing(np.float64)
    for part in parts(path, found, dict(zip(columns, (_QUERY, ID, pa.float64()), strict=True))):
        query, chunk, grade = (part.column(name) for name in columns)
        codes.extend(queries.codes(query))
        chunks.append(chunk if found.splits_at_space else _named(chunk))
        grades.extend(finite(grade))
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
