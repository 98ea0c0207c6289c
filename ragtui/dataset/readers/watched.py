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
import numpy.typing as npt
import pyarrow as pa

from ragtui.dataset.readers.content import open_plain

# What `str.split` takes for white space beyond ASCII.
_WIDE_SPACE = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


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


def batches(path: Path, layout: Layout, types: Mapping[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Rows of a file, block by block, in the columns that `types` names.

    Raises:
        Doubt: at any time; what came before then counts for nothing.
    """
    from pyarrow import csv

    try:
        with open_plain(path) as stream:
            watch = _Watch(stream, layout)
            reader = csv.open_csv(
                cast("IO[bytes]", pa.PythonFile(watch, mode="r")),
                read_options=csv.ReadOptions(column_names=list(layout.names), skip_rows=layout.skip),
                parse_options=csv.ParseOptions(
                    delimiter=layout.delimiter, quote_char=False, escape_char=False, newlines_in_values=False
                ),
                convert_options=csv.ConvertOptions(
                    column_types=dict(types), include_columns=list(types), strings_can_be_null=False
                ),
            )
            rows = layout.skip
            for batch in reader:
                if any(column.null_count for column in batch.columns):
                    raise Doubt
                rows += batch.num_rows
                yield batch
            watch.finish(rows)
    except (pa.ArrowException, OSError, EOFError, zlib.error, ValueError) as error:
        raise Doubt from error


class _Tally:
    """What a block of bytes holds."""

    def __init__(self) -> None:
        self.lines = 0
        self.controls = 0
        self.touching = 0

    def add(self, characters: npt.NDArray[np.uint8], before: npt.NDArray[np.uint8]) -> None:
        """Count line feeds, control characters and white space behind white space."""
        self.lines += int(np.count_nonzero(characters == ord("\n")))
        self.controls += int(np.count_nonzero(characters < ord(" ")))
        is_space = np.concatenate([before, characters]) <= ord(" ")
        self.touching += int(np.count_nonzero(is_space[1:] & is_space[:-1]))


class _Watch(io.RawIOBase):
    """A stream of bytes that looks at them as they are read."""

    def __init__(self, stream: io.BufferedReader, layout: Layout) -> None:
        super().__init__()
        self._stream = stream
        self._layout = layout
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._lines = 0
        self._held = b""
        self._last = b"\n"
        self._plain = True

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        if block and self._plain:
            self._plain = self._is_plain(self._unbroken(block))
        return block

    def finish(self, rows: int) -> None:
        """Raise `Doubt` over what was seen, or where lines and rows are not the same."""
        lines = self._lines + (self._last != b"\n")
        if not self._plain or lines != rows or self._decoder.getstate()[0]:
            raise Doubt

    def _unbroken(self, block: bytes) -> bytes:
        """The block without a carriage return at its end, which is looked at with the block that follows."""
        block = self._held + block if self._held else block
        self._held = b"\r" if block.endswith(b"\r") else b""
        return block[:-1] if self._held else block

    def _is_plain(self, block: bytes) -> bool:
        if not block:
            return True
        tally = _Tally()
        characters = np.frombuffer(block, dtype=np.uint8)
        for start in range(0, len(block), _SLICE):
            # one character of the slice before, so that two in a row are seen wherever they stand
            tally.add(characters[start : start + _SLICE], characters[max(start - 1, 0) : start])
        first_of_block, self._lines = bytes(block[:1]), self._lines + tally.lines
        touching = tally.touching + (first_of_block.isspace() and self._last.isspace())
        self._last = block[-1:]
        is_tabbed = self._layout.delimiter == "\t"
        returns = block.count(b"\r\n") if tally.controls > tally.lines else 0
        alike = tally.controls - tally.lines - returns == (block.count(b"\t") if is_tabbed else 0)
        if alike and self._layout.splits_at_space:
            alike = touching == returns and not (is_tabbed and b" " in block)
        return alike and self._decodes(block)

    def _decodes(self, block: bytes) -> bool:
        if block.isascii() and not self._decoder.getstate()[0]:
            return True
        text = self._decoder.decode(block)
        return not (self._layout.splits_at_space and _WIDE_SPACE.search(text))
