"""Questions with reference answers and nothing else: they can be asked and judged, and have no gold yet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ragtui.dataset.content_ids import query_id_of
from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import QUERY, layout
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.inline_gold import has_inline_gold
from ragtui.dataset.readers.queries import query_row, unique_queries
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import Parts, QueryRow
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue

NAME = "questions"


def detect(seen: Glance) -> bool:
    """Whether the first record is a question with its answer, and neither a judgment nor a result."""
    keys = tuple(seen.first)
    run = layout("run", keys)
    return (
        {"text", "reference"} <= layout("question", keys).keys()
        and not has_inline_gold(keys)
        and not {"results", "ids"} & run.keys()
        and not {"query_id", "chunk_id"} <= layout("gold", keys).keys()
        and "retrieval_gt" not in seen.fields
    )


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """Queries; those without an id have one by their text."""
    parts = read_named(path, NAME, named, faults)
    shape = shape_of(path, faults)
    if shape is None or parts.queries is not None:
        return parts
    rows = each(records(path, shape, faults), lambda record: _question(record, path), path, faults)
    parts.queries, parts.queries_file = unique_queries(rows, path, faults), path
    return parts


def _question(record: Record, path: Path) -> QueryRow:
    words = layout("question", tuple(record.data))
    asked = record.data[words["text"]] if "text" in words else None
    if not isinstance(asked, str) or not asked.strip():
        raise BadValue("missing-field", field="question", names=", ".join(QUERY["text"][1:4]))
    data = dict(record.data)
    data["reference"] = data.pop(words["reference"], None) if "reference" in words else None
    if "query_id" not in layout("query", tuple(data)):
        data["query_id"] = query_id_of(asked)
    row = query_row(replace(record, data=data, raw=b""), path)
    row.text = asked.strip()
    return row
