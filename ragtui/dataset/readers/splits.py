"""Reads `splits.jsonl`: which split each query belongs to, and which splits are sealed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue, id_text, shown


@dataclass
class Splits:
    """What the file says.

    Attributes:
        of: split of each query.
        lines: where that stands.
        sealed: splits of which a line says so, in order of first appearance.
    """

    of: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int | None] = field(default_factory=dict)
    sealed: dict[str, None] = field(default_factory=dict)


def read_splits(path: Path, faults: Faults) -> Splits:
    """Split and line of each query of the file, and the sealed splits."""
    found = Splits()
    shape = shape_of(path, faults)
    if shape is None:
        return found
    for line, query_id, split, sealed in each(records(path, shape, faults), _assignment, path, faults):
        if found.of.setdefault(query_id, split) != split:
            faults.error("query-in-two-splits", path, line, id=query_id, first=found.lines[query_id])
        found.lines.setdefault(query_id, line)
        if sealed:
            found.sealed[split] = None
    return found


def _assignment(record: Record) -> tuple[int | None, str, str, bool]:
    for name in ("query_id", "split"):
        if name not in record.data:
            raise BadValue("missing-field", field=name, names=name)
    split = record.data["split"]
    if not isinstance(split, str) or not is_file_name(split):
        raise BadValue("bad-split-name", name=shown(split))
    sealed = record.data.get("sealed")
    if sealed is not None and not isinstance(sealed, bool):
        raise BadValue("bad-seal", value=shown(sealed))
    return record.line, id_text(record.data["query_id"], "query_id"), split, bool(sealed)
