"""A first look at a path, taken once and shown to every format that is asked whether the path is its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import plain
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.records import json_value, records
from ragtui.dataset.readers.shape import Shape, shape_of


@dataclass(frozen=True, slots=True)
class Glance:
    """What a path looks like.

    Attributes:
        files: names of the files in a folder; none for a file.
        first: the first record of a file, or the one JSON object it holds; empty where there is none.
        fields: names of that record, as `plain` writes them; of a table whose header has no name of ours, the
            cells of its first line.
    """

    path: Path
    files: frozenset[str] = frozenset()
    first: Mapping[str, Any] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()


def glance_at(path: Path) -> Glance:
    """Look at a path; what cannot be read looks empty, and reading it says why."""
    if path.is_dir():
        return Glance(path, files=frozenset(entry.name for entry in path.iterdir() if entry.is_file()))
    shape = shape_of(path, Faults()) if path.is_file() else None
    if shape is None:
        return Glance(path)
    if shape.kind == "columns":
        cells = b"".join(head(path, 1)).decode("utf-8", "replace").split(",")
        return Glance(path, fields=frozenset(map(plain, cells)))
    first = _first_record(path, shape)
    return Glance(path, first=first, fields=frozenset(map(plain, first)))


def _first_record(path: Path, shape: Shape) -> Mapping[str, Any]:
    unheard = Faults()
    if shape.kind == "json":
        value = json_value(path, unheard)
        first = value[0] if isinstance(value, list) and value else value
        return first if isinstance(first, Mapping) else {}
    record = next(records(path, shape, unheard), None)
    return record.data if record is not None else {}
