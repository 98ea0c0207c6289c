"""Columns between white space: TREC qrels and runs, with comments, any tag and whatever follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import known_names, plain
from ragtui.dataset.readers.content import text_lines
from ragtui.dataset.readers.rows import GoldRow
from ragtui.dataset.readers.values import BadValue, number_text

_LOOKED_AT = 1000


class RunColumns(NamedTuple):
    """Where a TREC run has what; None for what it lacks."""

    query: int
    chunk: int
    rank: int | None
    score: int | None

    @property
    def needed(self) -> int:
        """How many columns a line must have at least."""
        return 1 + max(column for column in self if column is not None)


def read_qrels(path: Path, split: str, faults: Faults) -> list[GoldRow]:
    """Judgments of `query iteration chunk grade` or `query chunk grade`; further columns are ignored."""
    rows = []
    for number, cells in _cells(path, faults):
        if len(cells) < 3:
            faults.error("too-few-columns", path, number, n=len(cells), wanted=3)
            continue
        query_id, chunk_id, grade = (
            (cells[0], cells[1], cells[2]) if len(cells) == 3 else (cells[0], cells[2], cells[3])
        )
        try:
            value = number_text(grade, "grade")
        except BadValue as bad:
            faults.error(bad.kind, path, number, **bad.values)
            continue
        rows.append(GoldRow(query_id, chunk_id, value, split=split, file=path, line=number))
    return rows


def kind_of(path: Path) -> Literal["gold", "run"] | None:
    """Whether a file of columns is qrels or a run, by its width and by where most lines hold numbers."""
    lines = [cells for _, cells in islice(_cells(path, Faults()), 20)]
    width = _usual_width(lines)
    lines = [cells for cells in lines if len(cells) >= width]
    if width in (3, 4):
        columns = [width - 1]
    elif width > 4:
        columns = [column for column in run_columns(path)[2:] if column is not None]
    else:
        return None
    numeric = sum(all(_is_number(cells[column]) for column in columns) for cells in lines)
    if 2 * numeric < len(lines):
        return None
    return "gold" if width in (3, 4) else "run"


def run_columns(path: Path) -> RunColumns:
    """Layout of a run of three to six columns, from its first lines.

    Six: query Q0 chunk rank score tag. Five: without the tag, or without Q0. Four: query chunk rank score, or
    query Q0 chunk and one number. Three: query chunk and one number. One number alone that counts 1, 2, 3 in
    every list is a rank, and else a score.
    """
    found = islice(_cells(path, Faults()), _LOOKED_AT)
    lines = [cells for _, cells in found if len(cells) >= 3]
    width = _usual_width(lines) or 6
    lines = [cells for cells in lines if len(cells) >= width]
    with_q0 = {cells[1].upper() for cells in lines} in ({"Q0"}, {"0"})
    if width >= 6 or (width == 5 and with_q0):
        return RunColumns(0, 2, 3, 4)
    if width == 5 or (width == 4 and not with_q0):
        return RunColumns(0, 1, 2, 3)
    chunk = 2 if width == 4 else 1
    if _counts_up([(cells[0], cells[chunk + 1]) for cells in lines]):
        return RunColumns(0, chunk, chunk + 1, None)
    return RunColumns(0, chunk, None, chunk + 1)


def run_rows(path: Path, faults: Faults) -> Iterator[tuple[int, str, str, float | None, float | None]]:
    """Line, query id, chunk id, rank and score of every row of a run."""
    columns = run_columns(path)
    needed = columns.needed
    for number, cells in _cells(path, faults):
        if len(cells) < needed:
            faults.error("too-few-columns", path, number, n=len(cells), wanted=needed)
            continue
        try:
            rank = None if columns.rank is None else number_text(cells[columns.rank], "rank")
            score = None if columns.score is None else number_text(cells[columns.score], "score")
        except BadValue as bad:
            faults.error(bad.kind, path, number, **bad.values)
            continue
        yield number, cells[columns.query], cells[columns.chunk], rank, score


def _cells(path: Path, faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Cells of every line that is no comment and no header."""
    first = True
    for number, line in text_lines(path, faults):
        if line.startswith("#"):
            continue
        cells = line.split()
        if not cells:
            continue
        if first:
            first = False
            if len(cells) >= 3 and all(plain(cell) in known_names() for cell in cells):
                continue
        yield number, cells


def _usual_width(lines: list[list[str]]) -> int:
    """How many cells most lines have, the fewer of two: a line that was cut off does not speak for all."""
    widths = Counter(map(len, lines))
    return min(widths, key=lambda width: (-widths[width], width), default=0)


def _is_number(text: str) -> bool:
    try:
        number_text(text, "")
    except BadValue:
        return False
    return True


def _counts_up(rows: list[tuple[str, str]]) -> bool:
    """Whether the numbers of every query are 1, 2, 3 … in the order of the file."""
    last: dict[str, int] = {}
    for query_id, text in rows:
        expected = last.get(query_id, 0) + 1
        if text != str(expected):
            return False
        last[query_id] = expected
    return max(last.values(), default=0) > 1
