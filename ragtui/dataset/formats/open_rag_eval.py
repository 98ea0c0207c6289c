"""CSV of open-rag-eval: one row per retrieved passage, the answer in one row of each query."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ragtui.dataset.content_ids import query_id_of
from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.samples import Sample, SampleSet, with_gold_queries
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.contexts import Context
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import Parts
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue, id_text, shown, text

NAME = "open-rag-eval"
_FAILED = "ERROR"
_PLACE = re.compile(r"\[?\d+\]?")
"""A passage id that counts the passages of one query names no chunk."""


@dataclass(frozen=True, slots=True)
class _Row:
    line: int | None
    run: str
    query_id: str
    query: str
    passage_id: str
    passage: str
    answer: str


@dataclass
class _Question:
    first: _Row
    contexts: list[Context] = field(default_factory=list)
    answer: str | None = None
    error: str | None = None


def detect(seen: Glance) -> bool:
    """Whether the rows are passages with their query, and are not judged."""
    return {"query", "passage_id", "passage"} <= seen.fields and not {"score", "grade", "label"} & seen.fields


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """One run for every value of `query_run`; chunks have ids by their texts."""
    parts = read_named(path, NAME, named, faults)
    shape = shape_of(path, faults)
    if shape is None:
        return parts
    rows = list(each(records(path, shape, faults), _row, path, faults))
    collected = SampleSet(parts, faults)
    runs = _by_run(rows)
    questions: dict[str | None, Sample] = {}
    for samples in runs.values():
        collected.learn(samples)
        for sample in samples:
            questions.setdefault(sample.query_id, sample)
    collected.add_questions(collected.identify(questions.values(), path), path)
    for name, samples in runs.items():
        if is_file_name(name):
            collected.add_run(name, collected.identify(samples, path), path)
        else:
            faults.error("bad-run-name", path, samples[0].line, name=shown(name))
    with_gold_queries(parts)
    return parts


def _row(record: Record) -> _Row:
    data = {key.strip().lower(): value for key, value in record.data.items()}
    if not data.get("query"):
        raise BadValue("missing-field", field="query", names="query")
    query = text(data["query"], "query")
    return _Row(
        record.line,
        text(data.get("query_run"), "query_run") or "1",
        id_text(data["query_id"], "query_id") if data.get("query_id") else query_id_of(query),
        query,
        text(data.get("passage_id"), "passage_id"),
        text(data.get("passage"), "passage"),
        text(data.get("generated_answer"), "generated_answer"),
    )


def _by_run(rows: Iterable[_Row]) -> dict[str, list[Sample]]:
    """Samples by the name of their run, `run-1` and so on."""
    runs: dict[str, dict[str, _Question]] = {}
    for row in rows:
        question = runs.setdefault(f"run-{row.run}", {}).setdefault(row.query_id, _Question(row))
        question.answer = question.answer or row.answer or None
        if row.passage_id == _FAILED:
            question.error = row.passage or _FAILED
        elif row.passage:
            named = None if _PLACE.fullmatch(row.passage_id) or not row.passage_id else row.passage_id
            question.contexts.append(Context(named, row.passage))
    return {
        name: [
            Sample(
                question.first.line,
                query_id,
                question.first.query,
                question.contexts,
                answer=None if question.error else question.answer,
                error=question.error,
            )
            for query_id, question in questions.items()
        ]
        for name, questions in runs.items()
    }
