"""`rag_dataset.json` of LlamaIndex, a LabelledRagDataset, with files of predictions beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.folder import stem_name
from ragtui.dataset.formats.glance import Glance, glance_at
from ragtui.dataset.formats.samples import Sample, SampleSet, with_gold_queries
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.contexts import contexts_of
from ragtui.dataset.readers.records import Record, each, json_value
from ragtui.dataset.readers.rows import Parts
from ragtui.dataset.readers.values import BadValue, shown, text

NAME = "llamaindex"
FILE = "rag_dataset.json"


def detect(seen: Glance) -> bool:
    """Whether a folder holds `rag_dataset.json`, or a file holds examples without scores of a judge."""
    if FILE in seen.files:
        return True
    examples = seen.first.get("examples")
    if not isinstance(examples, list):
        return False
    first = examples[0] if examples else {}
    return isinstance(first, Mapping) and not any("score" in key or "feedback" in key for key in first)


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """The dataset, and as runs every file of predictions in the folder or among the named runs."""
    file = path / FILE if path.is_dir() else path
    predictions = {name: run for name, run in named.runs.items() if _is_predictions(glance_at(run))}
    parts = read_named(path, NAME, named.without_runs(predictions), faults)
    samples = _samples(file, faults)
    if samples is None:
        return parts
    collected = SampleSet(parts, faults)
    collected.learn(samples)
    identified = collected.identify(samples, file)
    collected.add_questions(identified, file)
    for name, run in {**_predictions_in(path), **predictions}.items():
        predicted = _predicted(run, samples, faults)
        if predicted is not None:
            collected.learn(predicted)
            collected.add_run(name, collected.identify(predicted, run), run)
    with_gold_queries(parts)
    return parts


def _is_predictions(seen: Glance) -> bool:
    return isinstance(seen.first.get("predictions"), list)


def _predictions_in(path: Path) -> dict[str, Path]:
    if not path.is_dir():
        return {}
    files = sorted(file for file in path.glob("*.json") if file.name != FILE)
    return {stem_name(file): file for file in files if _is_predictions(glance_at(file))}


def _samples(path: Path, faults: Faults) -> list[Sample] | None:
    """Every example; None where one of them is a fault, because predictions stand in the same order."""
    before = faults.error_count
    found = list(each(_records(path, "examples", faults), _sample, path, faults))
    return found if faults.error_count == before else None


def _sample(record: Record) -> Sample:
    data = record.data
    if not data.get("query"):
        raise BadValue("missing-field", field="query", names="query")
    reference = data.get("reference_answer")
    return Sample(
        record.line,
        None,
        text(data["query"], "query"),
        needed=contexts_of(data.get("reference_contexts"), "reference_contexts"),
        metadata={
            "reference": text(reference, "reference_answer") or None,
            **{key: _author(data[key]) for key in ("query_by", "reference_answer_by") if data.get(key)},
        },
    )


def _author(said: object) -> object:
    """Who wrote it: the model where there is one, else `human` or `ai`."""
    return said.get("model_name") or said.get("type") if isinstance(said, Mapping) else said


def _predicted(path: Path, samples: list[Sample], faults: Faults) -> list[Sample] | None:
    """What was retrieved and answered, by the place of the question; None where the places do not fit."""
    before = faults.error_count
    found = list(each(_records(path, "predictions", faults), _prediction, path, faults))
    if faults.error_count > before:
        return None
    if len(found) != len(samples):
        faults.error("rows-do-not-line-up", path, None, rows=len(found), queries=len(samples))
        return None
    faults.note("joined-by-position", path, None, n=len(found))
    return [
        Sample(None, sample.query_id, sample.text, retrieved=contexts, answer=answer, error=error)
        for sample, (contexts, answer, error) in zip(samples, found, strict=True)
    ]


def _prediction(record: Record) -> tuple[list[Any] | None, str | None, str | None]:
    data = record.data
    error = data.get("error")
    contexts = contexts_of(data.get("contexts"), "contexts")
    if contexts is None and not error:
        raise BadValue("missing-field", field="contexts", names="contexts")
    answer = data.get("response")
    return (
        contexts,
        None if answer is None else text(answer, "response"),
        None if not error else text(error, "error"),
    )


def _records(path: Path, key: str, faults: Faults) -> Iterator[Record]:
    value = json_value(path, faults)
    listed = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(listed, list):
        if value is not None:
            faults.error("no-list-of", path, None, field=key)
        return
    for place, item in enumerate(listed, start=1):
        if isinstance(item, dict):
            yield Record(None, item)
        else:
            faults.error("not-an-object-at", path, None, place=place, value=shown(item))
