"""One JSON object with queries, corpus and relevant ids: what LlamaIndex and sentence-transformers save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.inline_gold import gold_of
from ragtui.dataset.readers.records import Record, each, json_value
from ragtui.dataset.readers.rows import ChunkRow, GoldRow, Parts, QueryRow
from ragtui.dataset.readers.values import id_text, text

NAME = "id-tables"
_KEYS = ("queries", "corpus", "relevant_docs")


def detect(seen: Glance) -> bool:
    """Whether a file is one object with these three tables."""
    return all(isinstance(seen.first.get(key), Mapping) for key in _KEYS)


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """The three tables; files that were named stand in for theirs."""
    parts = read_named(path, NAME, named, faults)
    value = json_value(path, faults)
    if not isinstance(value, Mapping):
        return parts
    queries, corpus, relevant = (_rows(value.get(key)) for key in _KEYS)
    if parts.chunks is None:
        parts.chunks, parts.chunks_file = list(each(corpus, _chunk, path, faults)), path
    if parts.queries is None:
        parts.queries, parts.queries_file = list(each(queries, _query, path, faults)), path
    if parts.gold is None:
        judged = each(relevant, lambda record: _gold(record, path), path, faults)
        parts.gold = [row for rows in judged for row in rows]
    return parts


def _rows(table: object) -> Iterator[Record]:
    items = table.items() if isinstance(table, Mapping) else ()
    return (Record(None, {"id": one, "value": value}) for one, value in items)


def _chunk(record: Record) -> ChunkRow:
    value = record.data["value"]
    title = ""
    if isinstance(value, Mapping):
        title, value = text(value.get("title"), "title"), value.get("text")
    return ChunkRow(id_text(record.data["id"], "corpus"), title, text(value, "corpus"), {})


def _query(record: Record) -> QueryRow:
    return QueryRow(id_text(record.data["id"], "queries"), text(record.data["value"], "queries"), {}, None)


def _gold(record: Record, path: Path) -> list[GoldRow]:
    query_id = id_text(record.data["id"], "relevant_docs")
    return gold_of(query_id, {"relevant": record.data["value"]}, path, None)
