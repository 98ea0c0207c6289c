"""Ratings in files: one column a rater, one row a rating, or one file a rater."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ragtui.analysis.columns import as_number
from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import GOLD, QUERY, plain
from ragtui.dataset.readers.shape import shape_of
from ragtui.errors import RagtuiError
from ragtui.review.tables import Line, read_table

_IDS = frozenset({*GOLD["query_id"], *GOLD["chunk_id"]})
_LIKE_AN_ID = re.compile(r"(.*[_ -])?(id|index|key)|qid|docid|rank|line|position")
_RATER_COLUMN = re.compile(r"(?:grade|rating|causes): (.+)", re.DOTALL)
_NUMBERED = 2
"""Rows about one thing from which their order names the raters, where no column does."""


@dataclass(frozen=True, eq=False)
class Rated:
    """What raters say of things.

    Attributes:
        of: what is rated, `""` where that needs no name.
        ids: names of the columns that say which thing, such as `query_id`.
        items: (m,) each thing, one text for each of `ids`.
        ratings: (m, r) float, a column for each rater, NaN where nothing is said. Of ratings in words the
            place in `words`.
        types: (m,) type of the query; None where there is none.
        words: the categories where ratings are words, in order of the alphabet; empty for numbers.
    """

    of: str
    ids: tuple[str, ...]
    items: tuple[tuple[str, ...], ...]
    ratings: pd.DataFrame
    types: tuple[str, ...] | None = None
    words: tuple[str, ...] = ()

    @property
    def raters(self) -> tuple[str, ...]:
        return tuple(map(str, self.ratings.columns))


def read_rated(paths: Sequence[Path], raters: Sequence[str] | None = None) -> tuple[Rated, ...]:
    """Ratings of one file, or of several that each hold those of one rater or more.

    A file of judgments without a header, such as TREC qrels, is one rater, called after the file.

    Args:
        paths: at least one.
        raters: columns that hold ratings; None for all that hold numbers and are no ids.

    Returns:
        A table for each thing that was rated: several where a file has several columns of ratings and a row
        for each rater.

    Raises:
        BadInput: a file cannot be read.
        RagtuiError: there are no two raters.
    """
    found = [rated for path in paths for rated in _file(path, raters)]
    tables = tuple(found) if len(paths) == 1 else (_joined(found),)
    if any(len(table.raters) < 2 for table in tables) or not tables:
        where = ", ".join(map(str, paths))
        raise RagtuiError("agree.one-rater", where=where)
    return tables


def _file(path: Path, raters: Sequence[str] | None) -> list[Rated]:
    faults = Faults()
    shape = shape_of(path, faults)
    if raters is None and shape is not None and shape.kind == "columns" and not _has_header(path):
        return [_judgments(path)]
    lines = read_table(path)
    names = list(dict.fromkeys(name for line in lines for name in line.cells))
    ids = [name for name in names if plain(name) in _IDS or _LIKE_AN_ID.fullmatch(plain(name))]
    columns = _rating_columns(lines, names, ids, raters, path)
    annotator = next((name for name in names if plain(name) in GOLD["annotator"]), None)
    keys = [tuple(line.cells.get(name, "") for name in ids) for line in lines]
    types = _types(lines, names)
    if annotator is not None or (len(columns) and ids and _repeat(keys)):
        who = None if annotator is None else [line.cells.get(annotator, "") for line in lines]
        cells = {name: [line.cells.get(name, "") for line in lines] for name in columns}
        return [_long(name, ids, keys, cells[name], who, types) for name in columns]
    items = keys if ids else [(str(line.number or place),) for place, line in enumerate(lines, 1)]
    said = {name: [_said(name, line) for line in lines] for name in columns}
    stem = _stem(path) if len(columns) == 1 else None
    table, words = _numbers({stem or _rater_of(name): values for name, values in said.items()})
    return [Rated("", tuple(ids) or ("line",), tuple(items), table, types, words)]


def _rating_columns(
    lines: Sequence[Line], names: Sequence[str], ids: Sequence[str], raters: Sequence[str] | None, path: Path
) -> list[str]:
    if raters is not None:
        missing = [name for name in raters if name not in names]
        if missing:
            raise RagtuiError("agree.no-column", where=str(path), name=missing[0], known=", ".join(names))
        return list(raters)
    spoken = [name for name in names if _RATER_COLUMN.fullmatch(name)]
    if spoken:
        kind = spoken[0].partition(":")[0]
        return [name for name in spoken if name.startswith(f"{kind}:")]
    known = {*ids, *(name for name in names if plain(name) in (*GOLD["annotator"], *QUERY["text"]))}
    free = [name for name in names if name not in known]
    return [name for name in free if _is_numeric(line.cells.get(name, "") for line in lines)]


def _is_numeric(cells: Iterable[str]) -> bool:
    said = [cell.strip() for cell in cells if cell.strip()]
    return bool(said) and all(as_number(cell) is not None for cell in said)


def _repeat(keys: Sequence[tuple[str, ...]]) -> bool:
    """Whether every thing has several rows, as where each rater has one."""
    counts = pd.Series(list(Counter(keys).values()))
    return bool((counts >= _NUMBERED).all()) and int(counts.nunique()) == 1


def _long(
    name: str,
    ids: Sequence[str],
    keys: Sequence[tuple[str, ...]],
    cells: Sequence[str],
    who: Sequence[str] | None,
    types: tuple[str, ...] | None,
) -> Rated:
    """One row a rating. Without a column that names raters, rows about one thing are in their order."""
    places: dict[tuple[str, ...], int] = {}
    seen: dict[tuple[str, ...], int] = {}
    columns: dict[str, dict[int, str]] = {}
    kinds: dict[int, str] = {}
    for row, key in enumerate(keys):
        place = places.setdefault(key, len(places))
        seen[key] = seen.get(key, 0) + 1
        rater = str(seen[key]) if who is None else who[row]
        columns.setdefault(rater, {})[place] = cells[row]
        kinds[place] = "" if types is None else types[row]
    whole = {rater: [said.get(place, "") for place in range(len(places))] for rater, said in columns.items()}
    table, words = _numbers(whole)
    order = tuple(kinds[place] for place in range(len(places)))
    return Rated(name, tuple(ids), tuple(places), table, None if types is None else order, words)


def _numbers(columns: Mapping[str, Sequence[str]]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Ratings as numbers; where one of them is none, all are categories by their words."""
    said = {cell.strip() for cells in columns.values() for cell in cells if cell.strip()}
    if all(as_number(cell) is not None for cell in said):
        values = {name: [_number(cell) for cell in cells] for name, cells in columns.items()}
        return pd.DataFrame(values, dtype=np.float64), ()
    words = tuple(sorted(said))
    place = {word: float(number) for number, word in enumerate(words)}
    coded = {name: [place.get(cell.strip(), np.nan) for cell in cells] for name, cells in columns.items()}
    return pd.DataFrame(coded, dtype=np.float64), words


def _number(cell: str) -> float:
    number = as_number(cell.strip())
    return np.nan if number is None else number


def _types(lines: Sequence[Line], names: Sequence[str]) -> tuple[str, ...] | None:
    name = next((name for name in names if plain(name) in QUERY["type"]), None)
    return None if name is None else tuple(line.cells.get(name, "") for line in lines)


def _has_header(path: Path) -> bool:
    """Whether the first line of a table names columns: none of its cells is a number."""
    from ragtui.dataset.readers.content import head

    cells = b"".join(head(path, 1)).decode("utf-8", "replace").replace(",", " ").replace(";", " ").split()
    return bool(cells) and not any(as_number(cell) is not None for cell in cells)


def _judgments(path: Path) -> Rated:
    """A file of gold without a header: one rater."""
    from ragtui.dataset.reading import open_set

    gold = open_set(path, gold=path).gold
    items = tuple(zip(gold["query_id"].tolist(), gold["chunk_id"].tolist(), strict=True))
    table = pd.DataFrame({_stem(path): gold["grade"].to_numpy(np.float64)})
    return Rated("", ("query_id", "chunk_id"), items, table)


def _joined(tables: Sequence[Rated]) -> Rated:
    """Ratings of several files, thing by thing; raters of one name get a number.

    Raises:
        RagtuiError: the files name things differently.
    """
    width = {len(table.ids) for table in tables}
    if len(width) != 1 or any(table.words for table in tables):
        ids = "; ".join(", ".join(table.ids) for table in tables)
        raise RagtuiError("agree.cannot-join", ids=ids)
    places: dict[tuple[str, ...], int] = {}
    for table in tables:
        for item in table.items:
            places.setdefault(item, len(places))
    columns: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    kinds = [""] * len(places)
    for table in tables:
        rows = [places[item] for item in table.items]
        for row, kind in zip(rows, table.types or (), strict=bool(table.types)):
            kinds[row] = kind
        for rater in table.raters:
            values = np.full(len(places), np.nan)
            values[rows] = table.ratings[rater].to_numpy()
            name, number = rater, 1
            while name in columns:
                number += 1
                name = f"{rater} {number}"
            columns[name] = values
    types = tuple(kinds) if any(kinds) else None
    return Rated("", tables[0].ids, tuple(places), pd.DataFrame(columns), types)


def _said(column: str, line: Line) -> str:
    """A rating; of several causes the main one, which comes first."""
    text = line.cells.get(column, "")
    return text.partition(";")[0] if column.startswith("causes: ") else text


def _rater_of(column: str) -> str:
    match = _RATER_COLUMN.fullmatch(column)
    return match[1] if match else column


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name
