"""One file: queries with their gold inside, or judgments. With runs named beside it that is a set."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import layout
from ragtui.dataset.formats.folder import run_name, stem_name
from ragtui.dataset.formats.sources import GoldFile, Sources
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.records import Record, records
from ragtui.dataset.readers.shape import shape_of

_GOLD_WORDS = frozenset({"relevant", "groups", "distractors"})


def locate(path: Path, faults: Faults) -> Sources:
    """What a file on its own is.

    One that holds a run or contexts without ids is refused, never taken for gold.
    """
    shape = shape_of(path, faults)
    if shape is None:
        return Sources(path, "file")
    if shape.kind == "columns":
        columns = {len(line.split()) for line in head(path, 20) if not line.startswith(b"#")}
        if min(columns, default=0) >= 5:
            return _only_a_run(path, faults)
        return Sources(path, "pair", gold=(GoldFile(path),))
    first = next(records(path, shape, Faults()), None)
    if shape.kind == "json" and (first is None or _is_nested(first)):
        return Sources(path, "pair", gold=(GoldFile(path),))
    return _by_fields(path, first, faults)


def _by_fields(path: Path, first: Record | None, faults: Faults) -> Sources:
    keys = tuple(first.data) if first is not None else ()
    query, gold, run = (layout(table, keys) for table in ("query", "gold", "run"))
    if _GOLD_WORDS & set(query):
        return Sources(path, "file", queries=path)
    if {"query_id", "chunk_id", "grade"} <= set(gold):
        return Sources(path, "pair", gold=(GoldFile(path),))
    if "results" in run or "ids" in run:
        return _only_a_run(path, faults)
    if first is not None:
        faults.error("unknown-format", path, first.line, fields=", ".join(keys[:8]))
    return Sources(path, "file", queries=path)


def _only_a_run(path: Path, faults: Faults) -> Sources:
    """Results without gold: a set as soon as gold is named."""
    faults.error("only-a-run", path)
    return Sources(path, "pair", runs={run_name(path) or stem_name(path): path})


def _is_nested(record: Record) -> bool:
    return bool(record.data) and all(isinstance(value, dict | list) for value in record.data.values())
