"""Reads files of gold: TREC or tab-separated qrels, one judgment a record, `{query: {chunk: grade}}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import GOLD, layout
from ragtui.dataset.readers import trec
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.inline_gold import gold_of, has_inline_gold
from ragtui.dataset.readers.parquet import is_parquet, parquet_size
from ragtui.dataset.readers.queries import query_rows
from ragtui.dataset.readers.records import Record, each, json_value, records
from ragtui.dataset.readers.rows import DISTRACTOR, GoldRow
from ragtui.dataset.readers.shape import TABBED, shape_of
from ragtui.dataset.readers.trec_columns import judgments, tabbed_judgments
from ragtui.dataset.readers.values import BadValue, InexactId, grade, id_text, shown, text
from ragtui.dataset.readers.watched import Doubt


def read_gold(path: Path, split: str, faults: Faults) -> GoldColumns | list[GoldRow]:
    """Every judgment of a file, repeats included; all of them belong to `split`."""
    shape = shape_of(path, faults)
    if shape is None:
        return []
    if shape.kind == "columns":
        quick = _quickly(judgments, path, split)
        return quick if quick is not None else trec.read_qrels(path, split, faults)
    if holds_queries(path):
        inside = query_rows(path, shape, faults)
        return [row._replace(split=split) for query in inside for row in query.gold or ()]
    if shape.kind == "json":
        value = json_value(path, faults)
        if isinstance(value, Mapping):
            return _nested(value, path, split, faults)
        if value is None:
            return []
    if shape == TABBED and (quick := _quickly(tabbed_judgments, path, split)) is not None:
        return quick
    return list(
        each(records(path, shape, faults), lambda record: gold_row(record, path, split), path, faults)
    )


def _quickly(read: Callable[[Path, str], GoldColumns], path: Path, split: str) -> GoldColumns | None:
    try:
        return read(path, split)
    except Doubt:
        return None


def holds_queries(path: Path) -> bool:
    """Whether a file called gold holds queries with their gold inside, rather than one judgment a record."""
    names = _names(path)
    return has_inline_gold(names) and "chunk_id" not in layout(
        "gold", tuple(n for n in names if n not in ("_id", "id"))
    )


def _names(path: Path) -> tuple[str, ...]:
    """Names of the fields of the first record, none where it is no JSON object and no row of Parquet."""
    import orjson

    if is_parquet(path):
        return parquet_size(path)[1]
    lines = head(path, 1)
    try:
        record = orjson.loads(lines[0]) if lines else None
    except orjson.JSONDecodeError:
        return ()
    return tuple(record) if isinstance(record, dict) else ()


def gold_row(record: Record, path: Path, split: str) -> GoldRow:
    """One judgment.

    Raises:
        BadValue, InexactId: a field that is missing or not what it should be.
    """
    data = record.data
    words = layout("gold", tuple(data))
    role = text(data[words["role"]], "role") or None if "role" in words else None
    wanted = ("query_id", "chunk_id") if role == DISTRACTOR else ("query_id", "chunk_id", "grade")
    for word in wanted:
        if word not in words:
            raise BadValue("missing-field", field=word, names=", ".join(GOLD[word][:4]))
    return GoldRow(
        query_id=id_text(data[words["query_id"]], words["query_id"]),
        chunk_id=id_text(data[words["chunk_id"]], words["chunk_id"]),
        grade=grade(data[words["grade"]]) if "grade" in words else 0.0,
        reason=text(data[words["reason"]], "reason") if "reason" in words else "",
        annotator=text(data[words["annotator"]], "annotator") if "annotator" in words else "",
        group=text(data[words["group"]], "group") or None if "group" in words else None,
        role=role,
        split=split,
        file=path,
        line=record.line,
    )


def _nested(value: Mapping[str, object], path: Path, split: str, faults: Faults) -> list[GoldRow]:
    rows: list[GoldRow] = []
    for query_id, judged in value.items():
        if not isinstance(judged, Mapping | list):
            faults.error("unknown-gold-shape-of", path, None, id=query_id, value=shown(judged))
            continue
        try:
            id_text(query_id, "query_id")
            rows += [row._replace(split=split) for row in gold_of(query_id, {"relevant": judged}, path, None)]
        except BadValue as bad:
            faults.error(bad.kind, path, None, **bad.values)
        except InexactId:
            faults.error("not-an-id", path, None, field="chunk_id", value=shown(judged))
    return rows
