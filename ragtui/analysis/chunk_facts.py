"""What the corpus says of single chunks, and how chunks belong together: neighbours and older versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

_NUMBERED = re.compile(r"^(?P<document>.*#)(?P<number>\d+)$", re.DOTALL)
_VERSION_OF_ID = re.compile(r"[-_.@:]?v?\d+(?:[-_.]\d+)*$", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """One chunk as the corpus has it.

    Attributes:
        row: its place in the corpus.
        document: id of its document.
        valid_from, version: numbers in the field of this name, in order; `()` where unsaid.
            `2021-07-01` is (2021, 7, 1), `v2.10` is (2, 10), so that they sort.
    """

    row: int
    title: str
    text: str
    document: str
    valid_from: tuple[int, ...] = ()
    version: tuple[int, ...] = ()

    def is_older_than(self, other: ChunkFacts) -> bool:
        """Whether this belongs to an older version of what `other` belongs to.

        Two chunks are of the same thing where their documents have one id but for a version at its end
        (`hotel-2021`, `hotel-2024`), or where they have one title.
        """
        return self._is_of_the_same_thing_as(other) and self._is_before(other)

    def _is_of_the_same_thing_as(self, other: ChunkFacts) -> bool:
        stem = _VERSION_OF_ID.sub("", self.document)
        same_document = bool(stem) and stem == _VERSION_OF_ID.sub("", other.document)
        return same_document or (bool(self.title) and self.title == other.title)

    def _is_before(self, other: ChunkFacts) -> bool:
        if self.valid_from and other.valid_from and self.valid_from != other.valid_from:
            return self.valid_from < other.valid_from
        return bool(self.version and other.version) and self.version < other.version


def chunk_facts(corpus: pd.DataFrame, chunk_ids: Iterable[str]) -> dict[str, ChunkFacts]:
    """Facts of those of `chunk_ids` that the corpus holds, all read at once."""
    wanted = list(dict.fromkeys(chunk_ids))
    rows = [(chunk, row_of(corpus, chunk)) for chunk in wanted]
    known = [(chunk, row) for chunk, row in rows if row is not None]
    columns = ("title", "text", "doc_id", "valid_from", "version")
    # the array of a column is asked: a series that is made for a few cells costs more than the cells
    arrays = (corpus[column].array for column in columns)
    cells = zip(*([array[row] for _, row in known] for array in arrays), strict=True)
    return {
        chunk: ChunkFacts(row, str(title), str(text), str(document), _numbers(valid_from), _numbers(version))
        for (chunk, row), (title, text, document, valid_from, version) in zip(known, cells, strict=True)
    }


def adjacent_chunks(corpus: pd.DataFrame, chunk_id: str) -> Iterator[str]:
    """Ids of the chunks right before and after a chunk in its document.

    Ids of the form `doc#n` say so themselves, whether or not the corpus is there. Else the order of the
    corpus does, among chunks that share `doc_id`.
    """
    numbered = _NUMBERED.match(chunk_id)
    if numbered:
        number, digits = int(numbered["number"]), len(numbered["number"])
        width = digits if numbered["number"].startswith("0") else 0
        for other in (number - 1, number + 1):
            if other >= 0:
                yield f"{numbered['document']}{other:0{width}d}"
        return
    row = row_of(corpus, chunk_id)
    if row is None:
        return
    documents = corpus["doc_id"].array
    for other in (row - 1, row + 1):
        if 0 <= other < len(corpus) and str(documents[other]) == str(documents[row]):
            yield str(corpus.index[other])


def row_of(corpus: pd.DataFrame, chunk_id: str) -> int | None:
    """Place of a chunk in the corpus; None where it is not there."""
    try:
        row = corpus.index.get_loc(chunk_id)
    except KeyError:
        return None
    return row if isinstance(row, int) else None


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(int(digits) for digits in _DIGITS.findall(str(value))) if value is not None else ()
