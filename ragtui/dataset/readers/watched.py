"""Columns of a file at the speed of Arrow, as long as it reads them as the exact readers would.

The exact readers split at any white space, skip comments, and find the line of a fault. Arrow's reader takes
one delimiter and tells no lines. So the bytes are watched on their way into Arrow, and whatever the two could
read differently raises `Doubt`: the exact reader then reads the file, and its word counts.
"""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
import pyarrow as pa

from ragtui.dataset.readers.content import open_plain

# What `str.split` takes for white space beyond ASCII.
_WIDE_SPACE = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


# A file is read in parts of about so many bytes, so that a large one is never in memory as a whole. With the
# first part most files are done.
_FIRST_PART = 48 * 2**20
_PART = 16 * 2**20

# Bytes are looked at in slices that stay in the cache, so that counting them costs next to nothing.
_SLICE = 1 << 16


class Doubt(Exception):
    """Something that the exact reader has to look at: a fault, or a layout that Arrow does not know."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of a file that has the same ones in every line.

    Attributes:
        names: of all columns, from left to right.
        delimiter: one character, space or tab.
        splits_at_space: whether white space of any kind ends a cell for the exact reader.
        skip: lines before the first row.
    """

    names: tuple[str, ...]
    delimiter: str
    splits_at_space: bool
    skip: int = 0


def parts(path: Path, layout: Layout, types: Mapping[str, pa.DataType]) -> Iterator[pa.Table]:
    """Rows of a file, part by part, in the columns that `types` names.

    Raises:
        Doubt: at any time; what came before then counts for nothing.
    """
    try:
        with open_plain(path) as stream:
            watch = _Watch(stream, layout)
            rows, skip = 0, layout.skip
            while watch.next_part():
                table = _read_part(watch, layout, types, skip)
                if not table.num_rows or any(column.null_count for column in table.columns):
                    raise Doubt
                rows += skip + table.num_rows
                skip = 0
                yield table
            watch.finish(rows)
    except (pa.ArrowException, OSError, EOFError, zlib.error, ValueError) as error:
        raise Doubt from error


def _read_part(watch: _Watch, layout: Layout, types: Mapping[str, pa.DataType], skip: int) -> pa.Table:
    """One part of a file, on all cores; Arrow's stream of a whole file would use only one."""
    from pyarrow import csv

    return csv.read_csv(
        cast("IO[bytes]", pa.PythonFile(watch, mode="r")),
        read_options=csv.ReadOptions(column_names=list(layout.names), skip_rows=skip),
        parse_options=csv.ParseOptions(
            delimiter=layout.delimiter, quote_char=False, escape_char=False, newlines_in_values=False
        ),
        convert_options=csv.ConvertOptions(
            column_types=dict(types), include_columns=list(types), strings_can_be_null=False
        ),
    )


class _Watch(io.RawIOBase):
    """A stream of bytes that looks at them as they are read, and ends after each part of whole lines."""

    def __init__(self, stream: io.BufferedReader, layout: Layout) -> None:
        super().__init__()
        self._stream = stream
        self._layout = layout
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        # up to this character, and beyond ASCII in `_WIDE_SPACE`, lies all that may end a cell or a line
        self._limit = ord(" ") if layout.splits_at_space else ord(" ") - 1
        self._separators = 0
        self._touching = 0
        self._returns = 0
        self._has_wide_space = False
        self._last = b"\n"
        self._left = 0
        self._part = _FIRST_PART

    def next_part(self) -> bool:
        """Go on to the next part; False at the end of the file."""
        self._left, self._part = self._part, _PART
        return bool(self._stream.peek(1))

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._left <= 0:
            return b""
        block = self._stream.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(block)
        if self._left <= 0:
            block += self._stream.readline()
        if block:
            self._look(block)
        return block

    def finish(self, rows: int) -> None:
        """Raise `Doubt` where there is more to separate cells than Arrow has taken for that in `rows` lines.

        Every line then ends after the last of the same number of cells, and the number of a row is that of
        its line.
        """
        expected = rows * len(self._layout.names) - (self._last != b"\n") + self._returns
        empty = self._layout.splits_at_space and self._touching != self._returns
        if self._separators != expected or empty or self._has_wide_space or self._decoder.getstate()[0]:
            raise Doubt

    def _look(self, block: bytes) -> None:
        characters = np.frombuffer(block, dtype=np.uint8)
        # one character of the slice before goes with each, so that two in a row are seen wherever they stand
        before = np.frombuffer(self._last, dtype=np.uint8)
        for start in range(0, len(block), _SLICE):
            part = np.concatenate([before, characters[start : start + _SLICE]])
            is_separator = part <= self._limit
            self._separators += int(np.count_nonzero(is_separator[1:]))
            self._touching += int(np.count_nonzero(is_separator[1:] & is_separator[:-1]))
            before = part[-1:]
        if b"\r" in block:
            self._returns += block.count(b"\r\n")
        self._returns += self._last == b"\r" and block.startswith(b"\n")
        self._last = block[-1:]
        if not block.isascii() or self._decoder.getstate()[0]:
            text = self._decoder.decode(block)
            self._has_wide_space |= bool(self._layout.splits_at_space and _WIDE_SPACE.search(text))
