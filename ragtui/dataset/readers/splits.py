"""Reads `splits.jsonl`: which split each query belongs to."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue, id_text, shown


def read_splits(path: Path, faults: Faults) -> tuple[dict[str, str], dict[str, int | None]]:
    """Split and line of each query of the file."""
    shape = shape_of(path, faults)
    if shape is None:
        return {}, {}
    splits: dict[str, str] = {}
    lines: dict[str, int | None] = {}
    for line, query_id, split in each(records(path, shape, faults), _assignment, path, faults):
        if splits.setdefault(query_id, split) != split:
            faults.error("query-in-two-splits", path, line, id=query_id, first=lines[query_id])
        lines.setdefault(query_id, line)
    return splits, lines


def _assignment(record: Record) -> tuple[int | None, str, str]:
    for name in ("query_id", "split"):
        if name not in record.data:
            raise BadValue("missing-field", field=name, names=name)
    split = record.data["split"]
    if not isinstance(split, str) or not is_file_name(split):
        raise BadValue("bad-split-name", name=shown(split))
    return record.line, id_text(record.data["query_id"], "query_id"), split
