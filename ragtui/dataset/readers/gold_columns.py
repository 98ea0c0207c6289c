"""Judgments by column: what the checks, the merging and the gold table are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from ragtui.dataset.ids import (
    ID,
    CodedIds,
    Ids,
    chosen,
    coded,
    codes_of,
    ids_of,
    joined,
    places,
    taken,
    text_column,
)
from ragtui.dataset.model import GoldCodes
from ragtui.dataset.readers.rows import DISTRACTOR, GoldRow

_Value = TypeVar("_Value")
_Objects = npt.NDArray[np.object_]

# What a judgment may leave unsaid, and what stands for that.
UNSAID: Mapping[str, str | None] = {"reason": "", "annotator": "", "group": None, "role": None}


@dataclass(frozen=True, eq=False)
class GoldColumns:
    """m judgments as they were written, in order of the files.

    Attributes:
        query: (m,) int32, index into `query_ids`.
        query_ids: each id once, in order of first appearance.
        chunk_ids: (m,) plain Arrow text.
        grades: (m,) float64.
        split: (m,) int32, index into `split_names`.
        split_names: each name once.
        file: (m,) int32, index into `files`.
        files: each path once, None for judgments of no file.
        lines: (m,) int64, -1 where a judgment has no line.
        said: columns of `UNSAID` that any judgment fills: (m,) object arrays.
    """

    query: npt.NDArray[np.int32]
    query_ids: list[str]
    chunk_ids: Ids
    grades: npt.NDArray[np.float64]
    split: npt.NDArray[np.int32]
    split_names: list[str]
    file: npt.NDArray[np.int32]
    files: list[Path | None]
    lines: npt.NDArray[np.int64]
    said: Mapping[str, _Objects] = field(default_factory=dict)

    @classmethod
    def plain(
        cls,
        query: npt.NDArray[np.int32],
        query_ids: list[str],
        chunk_ids: Ids,
        grades: npt.NDArray[np.float64],
        split: str,
        file: Path,
        first_line: int,
    ) -> GoldColumns:
        """Judgments that stand in every line of one file and say nothing else."""
        size = len(query)
        return cls(
            query,
            query_ids,
            chunk_ids,
            grades,
            split=np.zeros(size, dtype=np.int32),
            split_names=[split],
            file=np.zeros(size, dtype=np.int32),
            files=[file],
            lines=np.arange(first_line, first_line + size, dtype=np.int64),
        )

    @classmethod
    def of(cls, rows: Iterable[GoldRow]) -> GoldColumns:
        """The same judgments by column."""
        if isinstance(rows, GoldColumns):
            return rows
        listed = list(rows)
        query, query_ids = _codes([row.query_id for row in listed])
        split, split_names = _codes([row.split for row in listed])
        file, files = _codes([row.file for row in listed])
        said = {name: _column([getattr(row, name) for row in listed]) for name in UNSAID}
        return cls(
            query=query,
            query_ids=query_ids,
            chunk_ids=ids_of([row.chunk_id for row in listed]),
            grades=np.array([row.grade for row in listed], dtype=np.float64),
            split=split,
            split_names=split_names,
            file=file,
            files=files,
            lines=np.array([-1 if row.line is None else row.line for row in listed], dtype=np.int64),
            said={name: values for name, values in said.items() if any(value for value in values)},
        )

    def __len__(self) -> int:
        return len(self.query)

    def __iter__(self) -> Iterator[GoldRow]:
        return map(self.row, range(len(self)))

    def row(self, place: int) -> GoldRow:
        """One judgment."""
        line = int(self.lines[place])
        return GoldRow(
            query_id=self.query_ids[self.query[place]],
            chunk_id=self.chunk_ids[place].as_py(),
            grade=float(self.grades[place]),
            split=self.split_names[self.split[place]],
            file=self.files[self.file[place]],
            line=None if line < 0 else line,
            **{name: values[place] for name, values in self.said.items()},
        )

    @cached_property
    def coded_chunks(self) -> CodedIds:
        """(m,) `chunk_ids`, each distinct one once."""
        return coded(self.chunk_ids)

    @property
    def is_distractor(self) -> npt.NDArray[np.bool_]:
        """(m,) whether each judgment is of a chunk that misleads."""
        return (
            np.asarray(self.said["role"] == DISTRACTOR) if "role" in self.said else np.zeros(len(self), bool)
        )

    def first_of(self, query_id: str) -> GoldRow:
        """The first judgment of a query."""
        return self.row(int(np.flatnonzero(self.query == self.query_ids.index(query_id))[0]))

    def first_of_chunk(self, chunk_id: str) -> GoldRow:
        """The first judgment of a chunk."""
        return self.row(int(np.flatnonzero(places(self.chunk_ids, ids_of([chunk_id])) == 0)[0]))

    def of_queries(self, wanted: Iterable[str]) -> npt.NDArray[np.bool_]:
        """(m,) whether each judgment is of one of these queries."""
        known = wanted if isinstance(wanted, set | dict) else set(wanted)
        return np.array([query_id in known for query_id in self.query_ids], dtype=bool)[self.query]

    def in_splits(self, split_of: Mapping[str, str | None]) -> GoldColumns:
        """The same judgments, each in the split of its query; where that has none, in its own."""
        names = dict.fromkeys((*self.split_names, *filter(None, split_of.values())))
        code = {name: code for code, name in enumerate(names)}
        of_query = np.array([code.get(split_of.get(q) or "", -1) for q in self.query_ids], dtype=np.int32)
        split = np.where(of_query[self.query] < 0, self.split, of_query[self.query])
        return replace(self, split=split.astype(np.int32), split_names=list(names))

    def in_first_split(self) -> npt.NDArray[np.bool_]:
        """(m,) whether each judgment is in the split in which its query is judged first."""
        return np.asarray(self.split == self.first_split[self.query], dtype=bool)

    @property
    def first_split(self) -> npt.NDArray[np.int32]:
        """Split of the first judgment of each query, in order of `query_ids`."""
        return self.split[np.unique(self.query, return_index=True)[1]]

    def where(self, kept: npt.NDArray[np.bool_]) -> GoldColumns:
        """The judgments that are kept."""
        if kept.all():
            return self
        query, names = pd.factorize(self.query[kept])
        return GoldColumns(
            query=query.astype(np.int32),
            query_ids=[self.query_ids[code] for code in names],
            chunk_ids=chosen(self.chunk_ids, kept),
            grades=self.grades[kept],
            split=self.split[kept],
            split_names=self.split_names,
            file=self.file[kept],
            files=self.files,
            lines=self.lines[kept],
            said={name: values[kept] for name, values in self.said.items()},
        )

    def column(self, name: str) -> _Objects:
        """(m,) one of `UNSAID`, as objects."""
        return self.said[name] if name in self.said else np.full(len(self), UNSAID[name], dtype=object)

    def frame(self) -> pd.DataFrame:
        """The gold table of a set, columns as `GOLD_COLUMNS` says."""
        names = ids_of(self.query_ids)
        query_ids = taken(names, self.query) if len(self) else names
        return pd.DataFrame(
            {
                "query_id": text_column(query_ids),
                "chunk_id": text_column(self.chunk_ids),
                "grade": self.grades,
                "reason": self._text("reason"),
                "annotator": self._text("annotator"),
                "group": pd.Series(self.column("group"), dtype=object),
                "role": pd.Series(self.column("role"), dtype=object),
                "split": pd.Series(_column(self.split_names)[self.split], dtype=object),
            },
            copy=False,
        )

    @cached_property
    def codes(self) -> GoldCodes:
        """Codes of the ids of that table."""
        chunks = self.coded_chunks
        return GoldCodes(self.query, codes_of(chunks), ids_of(self.query_ids), chunks.dictionary)

    def _text(self, name: str) -> Any:
        if name in self.said:
            return text_column(ids_of(self.said[name]))
        return text_column(pa.repeat(pa.scalar("", type=ID), len(self)))


def together(
    first: GoldColumns | list[GoldRow] | None, second: GoldColumns | list[GoldRow]
) -> GoldColumns | list[GoldRow]:
    """Judgments of two files, one after the other."""
    if not first:
        return second
    if not (isinstance(first, GoldColumns) and isinstance(second, GoldColumns)):
        return [*first, *second]
    to_query, query_ids = _codes([*first.query_ids, *second.query_ids])
    to_split, split_names = _codes([*first.split_names, *second.split_names])
    to_file, files = _codes([*first.files, *second.files])
    said = first.said.keys() | second.said.keys()
    return GoldColumns(
        query=to_query[np.concatenate([first.query, second.query + len(first.query_ids)])],
        query_ids=query_ids,
        chunk_ids=joined([first.chunk_ids, second.chunk_ids]),
        grades=np.concatenate([first.grades, second.grades]),
        split=to_split[np.concatenate([first.split, second.split + len(first.split_names)])],
        split_names=split_names,
        file=to_file[np.concatenate([first.file, second.file + len(first.files)])],
        files=files,
        lines=np.concatenate([first.lines, second.lines]),
        said={name: np.concatenate([first.column(name), second.column(name)]) for name in said},
    )


def _codes(values: Iterable[_Value]) -> tuple[npt.NDArray[np.int32], list[_Value]]:
    """Code of each value, and the values in order of first appearance."""
    known: dict[_Value, int] = {}
    codes = np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)
    return codes, list(known)


def _column(values: list[Any]) -> _Objects:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
