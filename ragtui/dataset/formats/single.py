"""One file: queries with their gold inside, or judgments. With runs named beside it that is a set."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import layout
from ragtui.dataset.formats.folder import run_name, stem_name
from ragtui.dataset.formats.sources import GoldFile, NamedFiles, Sources
from ragtui.dataset.readers import trec
from ragtui.dataset.readers.inline_gold import has_inline_gold
from ragtui.dataset.readers.records import Record, records
from ragtui.dataset.readers.shape import shape_of


def locate(path: Path, named: NamedFiles, faults: Faults) -> Sources:
    """What a file on its own is.

    One that holds a run or contexts without ids is refused, never taken for gold. Where gold is named beside
    it, a run is a run and queries are queries.
    """
    shape = shape_of(path, faults)
    if shape is None:
        return Sources(path, "file")
    if shape.kind == "columns":
        return _by_columns(path, named, faults)
    first = next(records(path, shape, Faults()), None)
    if first is None:
        return Sources(path, "file", queries=path)  # reading it says what is wrong with every line
    if shape.kind == "json" and _is_gold(first):
        return Sources(path, "pair", gold=(GoldFile(path),))
    return _by_fields(path, first, named, faults)


def _by_columns(path: Path, named: NamedFiles, faults: Faults) -> Sources:
    looks = trec.kind_of(path)
    if looks == "gold" or path == named.gold:
        return Sources(path, "pair", gold=(GoldFile(path),))
    if looks == "run":
        return _run(path, named, faults)
    faults.error("unknown-table", path, 1)
    return Sources(path, "file")


def _by_fields(path: Path, first: Record, named: NamedFiles, faults: Faults) -> Sources:
    keys = tuple(first.data)
    gold, run = layout("gold", keys), layout("run", keys)
    if has_inline_gold(keys):
        return Sources(path, "file", queries=path)
    if {"query_id", "chunk_id", "grade"} <= set(gold) or path == named.gold:
        return Sources(path, "pair", gold=(GoldFile(path),))
    if "results" in run or "ids" in run or {"query_id", "chunk_id"} <= set(gold):
        return _run(path, named, faults)
    if named.gold is not None:
        return Sources(path, "file", queries=path)
    faults.error("unknown-format", path, first.line, fields=", ".join(keys[:8]))
    return Sources(path, "file")


def _run(path: Path, named: NamedFiles, faults: Faults) -> Sources:
    """Results without gold: a set as soon as gold is named."""
    if named.gold is None and named.queries is None:
        faults.error("only-a-run", path)
        return Sources(path, "pair")
    return Sources(path, "pair", runs={run_name(path) or stem_name(path): path})


def _is_gold(record: Record) -> bool:
    """Whether a JSON value is `{query: {chunk: grade}}` or `{query: [chunk, ...]}`, by its first entry."""
    judged = next(iter(record.data.values()), None)
    if isinstance(judged, dict):
        return all(isinstance(grade, int | float) for grade in judged.values())
    return isinstance(judged, list) and all(isinstance(chunk, str | int) for chunk in judged)
