"""Records of JSON Lines, JSON, delimited tables and Parquet, as one stream of `Record`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson

from ragtui.dataset.faults import Faults
from ragtui.dataset.readers.content import LINE_LIMIT, byte_lines, document, text_lines
from ragtui.dataset.readers.parquet import parquet_rows
from ragtui.dataset.readers.shape import Shape
from ragtui.dataset.readers.values import BadValue, InexactId, WrittenFloat, shown

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a file, with the line it starts in.

    The line is the number of the row in a Parquet file, and None inside a JSON value that spans the file.
    """

    line: int | None
    data: dict[str, Any]
    raw: bytes = b""

    def exact(self) -> Record:
        """The same record with every fraction as a `WrittenFloat` and whole numbers of any size."""
        if not self.raw:
            return Record(self.line, {key: _exact(value) for key, value in self.data.items()})
        try:
            return Record(self.line, json.loads(self.raw, parse_float=WrittenFloat))
        except RecursionError:
            raise BadValue("nested-too-deep") from None


def each(
    records: Iterator[Record], read: Callable[[Record], Row], path: Path, faults: Faults
) -> Iterator[Row]:
    """What `read` makes of each record.

    A value it refuses is a fault with its line, and the record is left out.
    """
    for record in records:
        try:
            try:
                yield read(record)
            except InexactId:
                yield read(record.exact())
        except BadValue as bad:
            faults.error(bad.kind, path, record.line, **bad.values)


def records(path: Path, shape: Shape, faults: Faults) -> Iterator[Record]:
    """All records of a file.

    What is no JSON object, and lines that cannot be parsed, are faults and are left out.
    """
    if shape.kind == "json-lines":
        yield from _json_lines(path, faults)
    elif shape.kind == "json":
        value = json_value(path, faults)
        if value is not None:
            yield from _items(value, path, faults)
    elif shape.kind == "delimited":
        yield from _delimited(path, shape.delimiter, faults)
    elif shape.kind == "parquet":
        for number, row in parquet_rows(path, faults):
            yield Record(number, row)
    else:
        faults.error("no-header", path, 1)


def json_value(path: Path, faults: Faults) -> Any:
    """The one value a JSON file holds, None with a fault where it cannot be read."""
    content = document(path, faults)
    return _loads(content, path, None, faults) if content is not None else None


def ids_with_text(path: Path, faults: Faults) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of a table without header that has an id, a tab and a text in every line."""
    for number, line in text_lines(path, faults):
        if not line or line.isspace():
            continue
        one, tab, written = line.partition("\t")
        if not tab:
            faults.error("no-header", path, number)
            return
        if not one or one.isspace():
            faults.error("empty-id", path, number, field="id")
            continue
        yield number, one, written


def _json_lines(path: Path, faults: Faults) -> Iterator[Record]:
    for number, line in byte_lines(path, faults):
        if not line or line.isspace():
            continue
        value = _loads(line, path, number, faults)
        if isinstance(value, dict):
            yield Record(number, value, line)
        elif value is not None:
            faults.error("not-an-object", path, number, value=shown(value))


def _items(value: object, path: Path, faults: Faults) -> Iterator[Record]:
    for place, item in enumerate(value if isinstance(value, list) else [value], start=1):
        if isinstance(item, dict):
            yield Record(None, item)
        else:
            faults.error("not-an-object-at", path, None, place=place, value=shown(item))


def _loads(content: bytes, path: Path, line: int | None, faults: Faults) -> Any:
    """Parse JSON; None, with a fault, where it is none. A bare `null` is a fault too."""
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        value = _with_nan(content) if b"NaN" in content or b"Infinity" in content else None
        if value is None:
            _json_fault(content, error, path, line, faults)
        return value
    if value is None:
        faults.error("not-an-object", path, line, value="null")
    return value


def _with_nan(content: bytes) -> Any:
    """Parse what Python writes for NaN and infinity, so that the fault can name the number.

    None where it is no JSON.
    """
    try:
        value = json.loads(content)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value


def _json_fault(
    content: bytes, error: orjson.JSONDecodeError, path: Path, line: int | None, faults: Faults
) -> None:
    try:
        content.decode()
    except UnicodeDecodeError as bad:
        at = line if line is not None else content.count(b"\n", 0, bad.start) + 1
        faults.error("not-utf8", path, at, byte=f"0x{content[bad.start]:02x}")
        return
    at = line if line is not None else error.lineno
    if error.msg.startswith("unexpected end"):
        faults.error("truncated-json", path, at)
    else:
        faults.error("bad-json", path, at, column=error.colno, reason=error.msg.split(":")[0])


def _delimited(path: Path, delimiter: str, faults: Faults) -> Iterator[Record]:
    csv.field_size_limit(LINE_LIMIT)
    numbers: list[int] = [0]
    lines = _numbered(path, faults, numbers)
    # a tab-separated file quotes nothing: that is how BEIR and TREC tools write and read it
    if delimiter == "\t":
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        start = numbers[0] + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.error("bad-csv", path, start, reason=str(error))
            return
        if not header:
            header = cells
        elif len(cells) > len(header):
            faults.error("ragged-row", path, numbers[0], cells=len(cells), columns=len(header))
        elif any(cells):
            row = zip(header, cells, strict=False)
            yield Record(numbers[0], {name: cell or None for name, cell in row if name})


def _numbered(path: Path, faults: Faults, numbers: list[int]) -> Iterator[str]:
    """Lines for the CSV reader, which asks for as many as a row spans.

    `numbers[0]` is the line last given.
    """
    for number, line in text_lines(path, faults):
        numbers[0] = number
        yield line + "\n"


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        return WrittenFloat(repr(value))
    if isinstance(value, list):
        return [_exact(item) for item in value]
    return {key: _exact(item) for key, item in value.items()} if isinstance(value, dict) else value
