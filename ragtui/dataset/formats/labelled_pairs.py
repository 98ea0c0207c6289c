"""Labelled pairs of a question and a passage, without ids: what relevance judges are measured on."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.content_ids import chunk_id_of, query_id_of
from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import PAIR, layout
from ragtui.dataset.formats.collected import CollectedTexts, text_row
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import GoldRow, Parts, QueryRow
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue, grade, text

NAME = "labelled-pairs"


def detect(seen: Glance) -> bool:
    """Whether the first record is a question, a passage and a grade, and the two have no ids."""
    keys = tuple(seen.first)
    words = layout("pair", keys)
    judged = layout("gold", keys)
    return {"text", "passage", "grade"} <= words.keys() and not {"query_id", "chunk_id"} <= judged.keys()


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """Queries and gold with ids by their texts."""
    parts = read_named(path, NAME, named, faults)
    shape = shape_of(path, faults)
    if shape is None:
        return parts
    queries: dict[str, QueryRow] = {}
    texts = CollectedTexts()
    for asked, passage, judged in each(records(path, shape, faults), _pair, path, faults):
        row = queries.setdefault(judged.query_id, QueryRow(judged.query_id, asked, {}, judged.line))
        row.gold = [*(row.gold or ()), judged._replace(file=path)]
        texts.add(text_row(judged.chunk_id, passage, "", {}, judged.line))
    if parts.queries is None:
        parts.queries, parts.queries_file = list(queries.values()), path
    texts.into(parts, faults)
    return parts


def _pair(record: Record) -> tuple[str, str, GoldRow]:
    """Question, passage, and the judgment."""
    words = layout("pair", tuple(record.data))
    said = {word: record.data[key] for word, key in words.items()}
    for word in ("text", "passage", "grade"):
        if said.get(word) in (None, ""):
            raise BadValue("missing-field", field=words.get(word, word), names=", ".join(PAIR[word][:3]))
    asked = text(said["text"], words["text"])
    passage = text(said["passage"], words["passage"])
    judged = GoldRow(
        query_id_of(asked),
        chunk_id_of(passage),
        grade(said["grade"], words["grade"]),
        annotator=text(said.get("annotator"), "annotator"),
        line=record.line,
    )
    return asked, passage, judged
