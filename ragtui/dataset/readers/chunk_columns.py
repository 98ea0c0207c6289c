"""Chunks by column: a million texts stay in Arrow and never become a million objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragtui.dataset.ids import ID, Ids, ids_of, is_blank, joined, texts
from ragtui.dataset.readers.rows import ChunkRow

# Rows are turned into columns in blocks of so many.
_BLOCK = 10_000


@dataclass(frozen=True, eq=False)
class ChunkColumns:
    """n chunks as they were written, in order of the file.

    Attributes:
        ids: (n,) plain Arrow text.
        titles, texts: (n,) Arrow text.
        metadata: columns of objects, (n,) each, in order of first appearance; None where unsaid.
        lines: (n,) int64, -1 where a chunk has no line.
    """

    ids: Ids
    titles: pa.ChunkedArray[Any]
    texts: pa.ChunkedArray[Any]
    metadata: Mapping[str, list[Any]]
    lines: npt.NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterable[ChunkRow]) -> ChunkColumns:
        """The same chunks by column."""
        if isinstance(rows, ChunkColumns):
            return rows
        collector = _Collector()
        for row in rows:
            collector.add(row)
        return collector.columns()

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[ChunkRow]:
        return map(self.row, range(len(self)))

    def row(self, place: int) -> ChunkRow:
        """One chunk."""
        line = int(self.lines[place])
        said = {name: values[place] for name, values in self.metadata.items() if values[place] is not None}
        return ChunkRow(
            self.ids[place].as_py(),
            self.titles[place].as_py(),
            self.texts[place].as_py(),
            said,
            None if line < 0 else line,
        )

    def documents(self) -> list[str]:
        """Document of each chunk: what it says, else the part of its id before `#`."""
        said = self.metadata.get("doc_id") or repeat(None, len(self))
        one: dict[str, str] = {}  # equal ids are one object: a document may have thousands of chunks
        return [
            one.setdefault(name, name)
            for name in (
                str(named or chunk_id.partition("#")[0] or chunk_id)
                for named, chunk_id in zip(said, texts(self.ids), strict=True)
            )
        ]

    def without_text(self) -> npt.NDArray[np.intp]:
        """Places of chunks whose title and text are blank."""
        return np.flatnonzero(is_blank(self.titles) & is_blank(self.texts))

    def where(self, kept: npt.NDArray[np.bool_]) -> ChunkColumns:
        """The chunks that are kept."""
        mask = pa.array(kept)
        return ChunkColumns(
            joined([self.ids.filter(mask)]),
            self.titles.filter(mask),
            self.texts.filter(mask),
            {
                name: [value for value, is_kept in zip(values, kept, strict=True) if is_kept]
                for name, values in self.metadata.items()
            },
            self.lines[kept],
        )


class _Collector:
    def __init__(self) -> None:
        self._ids: list[str] = []
        self._titles: list[str] = []
        self._texts: list[str] = []
        self._lines = array("q")
        self._metadata: dict[str, list[Any]] = {}
        self._blocks: list[tuple[Ids, Ids, Ids]] = []

    def add(self, row: ChunkRow) -> None:
        self._ids.append(row.chunk_id)
        self._titles.append(row.title)
        self._texts.append(row.text)
        for name, value in row.metadata.items():
            column = self._metadata.setdefault(name, [])
            column.extend([None] * (len(self._lines) - len(column)))
            column.append(value)
        self._lines.append(-1 if row.line is None else row.line)
        if len(self._ids) == _BLOCK:
            self._close()

    def columns(self) -> ChunkColumns:
        self._close()
        ids, titles, texts = zip(*self._blocks, strict=True)
        for column in self._metadata.values():
            column.extend([None] * (len(self._lines) - len(column)))
        return ChunkColumns(
            joined(ids),
            pa.chunked_array(titles, type=ID),
            pa.chunked_array(texts, type=ID),
            self._metadata,
            np.array(self._lines, dtype=np.int64),
        )

    def _close(self) -> None:
        self._blocks.append((ids_of(self._ids), ids_of(self._titles), ids_of(self._texts)))
        self._ids, self._titles, self._texts = [], [], []
