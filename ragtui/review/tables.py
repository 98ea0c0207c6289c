"""Tables that people filled in, read back: CSV, tab-separated, JSON or JSON Lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragtui.analysis.columns import shown
from ragtui.analysis.export import as_written
from ragtui.dataset.faults import Faults
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.records import records
from ragtui.dataset.readers.shape import Shape, shape_of

_DELIMITERS = "\t,;"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table.

    Attributes:
        number: line of the file it starts in; None in JSON that spans the file.
        cells: by column; an empty cell is `""`.
        nested: cells of JSON that are lists or objects, as they are.
    """

    number: int | None
    cells: dict[str, str]
    nested: dict[str, Any]


def read_table(path: Path) -> list[Line]:
    """Rows of a file, cells as they were before a spreadsheet was kept from running them.

    Raises:
        BadInput: the file cannot be read as a table.
    """
    faults = Faults()
    shape = shape_of(path, faults)
    if shape is not None and shape.kind == "columns":
        shape = _delimited(path)
    lines = [] if shape is None else [_line(*one) for one in _rows(path, shape, faults)]
    faults.raise_errors()
    return lines


def _rows(path: Path, shape: Shape, faults: Faults) -> list[tuple[int | None, dict[str, Any], bool]]:
    is_sheet = shape.kind == "delimited"
    return [(record.line, record.data, is_sheet) for record in records(path, shape, faults)]


def _line(number: int | None, data: dict[str, Any], is_sheet: bool) -> Line:
    nested = {name: value for name, value in data.items() if isinstance(value, dict | list)}
    flat = {name: shown(value) for name, value in data.items() if name not in nested}
    if is_sheet:
        flat = {as_written(name).strip(): as_written(text) for name, text in flat.items()}
    return Line(number, flat, nested)


def _delimited(path: Path) -> Shape:
    """A table by its header alone: what stands most often between its columns."""
    header = b"".join(head(path, 1)).decode("utf-8", "replace")
    return Shape("delimited", max(_DELIMITERS, key=header.count))
