"""How a file is laid out, found out from its content and never from its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import known_names, plain
from ragtui.dataset.readers.content import document, head
from ragtui.dataset.readers.parquet import is_parquet

Kind = Literal["json-lines", "json", "delimited", "columns", "parquet"]


@dataclass(frozen=True, slots=True)
class Shape:
    """Layout of a file.

    Attributes:
        kind: one JSON object a line; one JSON value in the whole file; a table with a header and a delimiter;
            columns between white space (TREC files, tables of two columns without header); or Parquet.
        delimiter: of a `delimited` file.
    """

    kind: Kind
    delimiter: str = ""


TABBED = Shape("delimited", "\t")


def shape_of(path: Path, faults: Faults) -> Shape | None:
    """Layout of a file; None, with a fault, where it has none that can be read."""
    if is_parquet(path):
        return Shape("parquet")
    before = faults.error_count
    lines = head(path)
    if not lines:
        document(path, faults)  # says why nothing could be read
        if faults.error_count == before:
            faults.error("empty-file", path)
        return None
    first = lines[0].lstrip()
    if first[:1] in (b"{", b"["):
        return _json_shape(first, lines)
    return _table_shape(first.decode("utf-8", "replace"))


def _json_shape(first: bytes, lines: list[bytes]) -> Shape:
    import orjson

    try:
        value = orjson.loads(first)
    except orjson.JSONDecodeError:
        return Shape("json" if _is_one_document(lines) else "json-lines")
    if len(lines) > 1:
        return Shape("json-lines" if isinstance(value, dict) else "json")
    return Shape("json" if isinstance(value, list) or _is_nested(value) else "json-lines")


def _is_one_document(lines: list[bytes]) -> bool:
    """Whether a file that starts with half a value is one value over many lines, not broken JSON Lines."""
    if len(lines) == 1:
        return False
    second = lines[1].lstrip()
    return (
        lines[0].strip() in (b"{", b"[")
        or not second.startswith(b"{")
        or lines[0].rstrip().endswith((b"[", b"{", b","))
    )


def _is_nested(value: dict[str, object]) -> bool:
    """Whether a single object is `{query: {...}, ...}` rather than one record."""
    names = known_names()
    return (
        bool(value)
        and all(isinstance(v, dict | list) for v in value.values())
        and not any(plain(k) in names for k in value)
    )


def _table_shape(line: str) -> Shape:
    names = known_names()
    for delimiter in ("\t", ",", ";"):
        cells = [plain(cell.strip().strip('"')) for cell in line.split(delimiter)]
        if len(cells) > 1 and sum(cell in names for cell in cells) >= 2:
            return Shape("delimited", delimiter)
    return Shape("columns")
