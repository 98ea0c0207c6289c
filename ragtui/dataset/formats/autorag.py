"""AutoRAG's Parquet files: questions with nested gold, a corpus, and results of retrieval nodes.

Gold is a list of lists: one chunk of each inner list is needed, so an inner list is an evidence group.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.autorag_results import named_by_node, read_results
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.chunks import read_chunks
from ragtui.dataset.readers.parquet import is_parquet, parquet_size
from ragtui.dataset.readers.queries import query_row, read_queries, unique_queries
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import Parts, QueryRow
from ragtui.dataset.readers.shape import Shape
from ragtui.dataset.readers.values import BadValue, shown

NAME = "autorag"
_PARQUET = Shape("parquet")


def detect(seen: Glance) -> bool:
    """Whether a file holds AutoRAG's questions, or a folder holds such a file and no queries of ours."""
    if {"retrieval_gt", "query"} <= seen.fields:
        return True
    if not seen.files or any(name.startswith("queries.") for name in seen.files):
        return False
    return any(_is_questions(columns) for columns in _tables(seen.path).values())


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """Questions, corpus and results of a folder or of the files that were named.

    Two candidates for questions or corpus are a fault that asks which it is.
    """
    tables = _tables(path) if path.is_dir() else {}
    asked = [file for file, columns in tables.items() if _is_questions(columns)] or [path]
    corpora = [file for file, columns in tables.items() if {"doc_id", "contents"} <= columns]
    questions = named.queries or _only(asked, "several-queries", path, faults)
    corpus = named.corpus or _only(corpora, "several-corpora", path, faults)
    given = {name: run for name, run in named.runs.items() if _is_result(_columns(run))}
    if faults.has_errors or questions is None:
        return Parts(path, NAME)
    others = NamedFiles(gold=named.gold, runs=named.without_runs(given).runs)
    parts = read_named(path, NAME, others, faults)
    parts.queries, parts.queries_file = read_questions(questions, faults), questions
    if corpus is not None:
        parts.chunks, parts.chunks_file = read_chunks(corpus, faults), corpus
    if not faults.has_errors:
        found = named_by_node(file for file, columns in tables.items() if _is_result(columns))
        sizes = {parquet_size(file)[0] for file in asked if file != questions}
        read_results({**found, **given}, parts, sizes, faults)
    return parts


def read_questions(path: Path, faults: Faults) -> list[QueryRow]:
    """Questions of a file, or queries of any other kind where somebody named such a file."""
    if not is_parquet(path) or not _is_questions(_columns(path)):
        return read_queries(path, faults)
    rows = each(records(path, _PARQUET, faults), lambda record: _question(record, path), path, faults)
    return unique_queries(rows, path, faults)


def _question(record: Record, path: Path) -> QueryRow:
    data = dict(record.data)
    groups, reference = data.pop("retrieval_gt", None), data.pop("generation_gt", None)
    data.pop("retrieval_gt_contents", None)  # the texts stand in the corpus
    row = query_row(Record(record.line, {**data, "reference": reference}), path)
    fields = {"evidence_sets": _groups(groups)} if groups is not None else {}
    row.gold = query_row(Record(record.line, {"query_id": row.query_id, **fields}), path).gold or []
    return row


def _groups(value: object) -> list[list[Any]]:
    """Gold as a list of lists, which may be one list of alternatives or one id."""
    if isinstance(value, str):
        return [[value]]
    if not isinstance(value, list):
        raise BadValue("unknown-gold-shape", value=shown(value))
    if all(not isinstance(one, list) for one in value):
        return [value] if value else []
    if not all(isinstance(one, list) for one in value):
        raise BadValue("unknown-gold-shape", value=shown(value))
    return [one for one in value if one]


def _tables(folder: Path) -> dict[Path, frozenset[str]]:
    """Parquet files of a folder with their columns: its own, those in `data/`, and results of trials."""
    files = [
        *folder.glob("*.parquet"),
        *folder.glob("data/*.parquet"),
        *folder.glob("[0-9]*/*/*/[0-9]*.parquet"),
    ]
    return {file: _columns(file) for file in sorted(files) if not file.name.startswith(".")}


def _columns(path: Path) -> frozenset[str]:
    return frozenset(parquet_size(path)[1]) if is_parquet(path) else frozenset()


def _is_questions(columns: frozenset[str]) -> bool:
    return {"retrieval_gt", "query"} <= columns


def _is_result(columns: frozenset[str]) -> bool:
    return "retrieved_ids" in columns


def _only(files: list[Path], kind: str, folder: Path, faults: Faults) -> Path | None:
    if len(files) > 1:
        faults.error(kind, folder, names=", ".join(file.name for file in files))
    return files[0] if files else None
