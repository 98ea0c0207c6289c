"""Evaluation datasets of ragas, with the names of today and those before 0.2, in any kind of file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import layout
from ragtui.dataset.formats.folder import stem_name
from ragtui.dataset.formats.glance import Glance, glance_at
from ragtui.dataset.formats.samples import Sample, SampleSet, with_gold_queries
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.contexts import contexts_of, ids_of, with_ids, with_scores
from ragtui.dataset.readers.inline_gold import has_inline_gold
from ragtui.dataset.readers.list_cells import listed
from ragtui.dataset.readers.queries import query_row
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import Parts
from ragtui.dataset.readers.shape import shape_of
from ragtui.dataset.readers.values import BadValue, id_text, shown, text

NAME = "ragas"
_OURS = frozenset(
    {"query_id", "text", "retrieved", "retrieved_ids", "scores", "needed", "needed_ids", "answer"}
)


def detect(seen: Glance) -> bool:
    """Whether the first record is a question with contexts, or with ids of those it needs."""
    keys = tuple(seen.first)
    words = layout("sample", keys)
    return (
        "text" in words
        and not {"retrieved", "needed", "needed_ids"}.isdisjoint(words)
        and not has_inline_gold(keys)
    )


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """A file, and the runs that were named: other files of this kind, or runs as any set has them."""
    others = {name: run for name, run in named.runs.items() if detect(glance_at(run))}
    parts = read_named(path, NAME, named.without_runs(others), faults)
    files = {run_name(path): path, **others}
    samples = {name: read_samples(file, faults) for name, file in files.items()}
    collected = SampleSet(parts, faults)
    for found in samples.values():
        collected.learn(found)
    for name, file in files.items():
        identified = collected.identify(samples[name], file)
        if file is path:
            collected.add_questions(identified, path)
        collected.add_run(name, identified, file)
    with_gold_queries(parts)
    return parts


def run_name(path: Path) -> str:
    """What the run inside a file is called: as the file, where that can be a name."""
    stem = stem_name(path)
    return stem if is_file_name(stem) else "retrieved"


def read_samples(path: Path, faults: Faults) -> list[Sample]:
    """Every sample of a file; those with a value that is not what it should be are faults."""
    shape = shape_of(path, faults)
    if shape is None:
        return []
    return list(each(records(path, shape, faults), lambda record: sample_of(record, path), path, faults))


def sample_of(record: Record, path: Path) -> Sample:
    """One sample.

    Raises:
        BadValue, InexactId: no question, several turns, or contexts of a shape that is not known.
    """
    data = record.data
    words = layout("sample", tuple(data))
    said: dict[str, Any] = {word: data[key] for word, key in words.items()}
    if not said.get("text"):
        raise BadValue("missing-field", field="user_input", names="user_input, question, query")
    if isinstance(said["text"], list):
        raise BadValue("several-turns", field=words["text"])
    retrieved = with_ids(
        contexts_of(said.get("retrieved"), words.get("retrieved", "")),
        ids_of(said.get("retrieved_ids"), words.get("retrieved_ids", "")),
        words.get("retrieved_ids", ""),
    )
    needed = with_ids(
        contexts_of(said.get("needed"), words.get("needed", "")),
        ids_of(said.get("needed_ids"), words.get("needed_ids", "")),
        words.get("needed_ids", ""),
    )
    query_id = said.get("query_id")
    answer = said.get("answer")
    return Sample(
        record.line,
        None if query_id in (None, "") else id_text(query_id, words["query_id"]),
        text(said["text"], words["text"]),
        with_scores(retrieved, said.get("scores"), words.get("scores", "")),
        needed,
        None if answer is None else text(answer, words["answer"]),
        metadata=_metadata(record, words, path),
    )


def _metadata(record: Record, words: Mapping[str, str], path: Path) -> Mapping[str, Any]:
    """What the sample says beside its contexts, read as the metadata of any query is."""
    used = {words[word] for word in _OURS if word in words}
    rest = {key: value for key, value in record.data.items() if key not in used}
    reference = rest.pop(words["reference"], None) if "reference" in words else None
    rest["reference"] = _reference(reference, words)
    return query_row(Record(record.line, {**rest, "query_id": "-", "text": ""}), path).metadata


def _reference(value: object, words: Mapping[str, str]) -> object:
    """One text, or a list that may have come back as text."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        return listed(value, words["reference"])
    if value is None or isinstance(value, str | list | int | float):
        return value
    raise BadValue("not-a-text", field=words["reference"], value=shown(value))
