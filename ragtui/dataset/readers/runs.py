"""Reads runs: native and loose records, tables of one result a row, `{query: {chunk: score}}`, TREC files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import RUN, TEXT_LISTS, layout, plain
from ragtui.dataset.model import Direction, RankedLists, Run, RunCard
from ragtui.dataset.readers import trec
from ragtui.dataset.readers.records import Record, each, json_value, records
from ragtui.dataset.readers.results import Results, results_of
from ragtui.dataset.readers.rows import ChunkRow
from ragtui.dataset.readers.run_lists import ListCollector, Order
from ragtui.dataset.readers.shape import Shape, shape_of
from ragtui.dataset.readers.trec_columns import run_lists
from ragtui.dataset.readers.values import BadValue, InexactId, id_text, number, shown, text, yes_or_no
from ragtui.dataset.readers.watched import Doubt


@dataclass
class RunContent:
    """A run as it was read, with the texts that stood inside it."""

    run: Run
    queries: dict[str, str]
    chunks: dict[str, ChunkRow]


@dataclass
class _Reading:
    """What is collected while one file of a run is read."""

    path: Path
    card: RunCard | None
    lists: ListCollector = field(default_factory=ListCollector)
    whole: RankedLists | None = None
    stages: dict[str, ListCollector] = field(default_factory=dict)
    order: Order = "list"
    distances: bool = False
    first_lines: dict[str, int | None] = field(default_factory=dict)
    latency: dict[str, dict[str, float]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[str | None, bool | None]] = field(default_factory=dict)
    routes: list[tuple[str, str, str, int]] = field(default_factory=list)
    queries: dict[str, str] = field(default_factory=dict)
    chunks: dict[str, ChunkRow] = field(default_factory=dict)
    two_texts: int = 0

    @property
    def direction(self) -> Direction:
        """The card decides; without one, a field called distance does."""
        if self.card is not None and "score_direction" in self.card.fields:
            return self.card.direction
        return "lower" if self.distances else "higher"


def read_run(name: str, path: Path, card: RunCard | None, faults: Faults) -> RunContent:
    """One run. A file without a single row, and two lists of one query, are faults."""
    before = faults.error_count
    reading = _Reading(path, card)
    shape = shape_of(path, faults)
    if shape is not None:
        _read(reading, shape, faults)
        if reading.whole is None and not len(reading.lists) and faults.error_count == before:
            faults.error("run-without-rows", path)
    if reading.two_texts:
        faults.warning("run-chunk-with-two-texts", path, n=reading.two_texts)
    run = Run(
        name=name,
        lists=reading.whole or reading.lists.lists(reading.order, reading.direction),
        stages={stage: collector.lists("list") for stage, collector in reading.stages.items()},
        card=card,
        direction=reading.direction,
        latency_ms=_latency_table(reading.latency),
        errors=reading.errors,
        answers=_answer_table(reading.answers),
        routes=_route_table(reading.routes),
        path=path,
    )
    return RunContent(run, reading.queries, reading.chunks)


def _read(reading: _Reading, shape: Shape, faults: Faults) -> None:
    if shape.kind == "columns":
        _read_columns(reading, faults)
        return
    if shape.kind == "json":
        value = json_value(reading.path, faults)
        if isinstance(value, Mapping):
            _read_nested(reading, value, faults)
        if not isinstance(value, list):
            return
    for _ in each(
        records(reading.path, shape, faults),
        lambda record: _read_record(reading, record),
        reading.path,
        faults,
    ):
        pass


def _read_columns(reading: _Reading, faults: Faults) -> None:
    columns = trec.run_columns(reading.path)
    try:
        reading.whole = run_lists(reading.path, columns, reading.direction)
        return
    except Doubt:
        reading.order = "rank" if columns.score is None else "score"
    found = Faults()
    for _, query_id, chunk_id, rank, score in trec.run_rows(reading.path, found):
        if not found.found:  # a run with a fault is not used, however long it is
            reading.lists.add_result(query_id, chunk_id, rank, score)
    faults.absorb(found)


def _read_nested(reading: _Reading, value: Mapping[str, Any], faults: Faults) -> None:
    """`{query: {chunk: score}}`, ordered by score, or `{query: [results]}`, in the order of the list."""
    for query_id, listed in value.items():
        try:
            id_text(query_id, "query_id")
            if isinstance(listed, Mapping):
                best_first = 1 if reading.direction == "lower" else -1
                scored = [(id_text(c, "chunk_id"), number(score, "score")) for c, score in listed.items()]
                scored.sort(key=lambda result: best_first * result[1])
                reading.lists.add_list(query_id, [c for c, _ in scored], [s for _, s in scored])
            elif isinstance(listed, list):
                _add_list(reading, query_id, results_of(listed, "results"))
            else:
                raise BadValue("unknown-list-shape", field=query_id, value=shown(listed))
        except InexactId:
            faults.error("not-an-id", reading.path, None, field="chunk_id", value=shown(listed))
        except BadValue as bad:
            faults.error(bad.kind, reading.path, None, **bad.values)


def _read_record(reading: _Reading, record: Record) -> None:
    data = record.data
    words = layout("run", tuple(data))
    if "results" not in words and "ids" not in words and "error" not in words:
        _read_flat(reading, data)
        return
    if "query_id" not in words:
        raise BadValue("missing-field", field="query_id", names=", ".join(RUN["query_id"][:4]))
    query_id = id_text(data[words["query_id"]], words["query_id"])
    if query_id in reading.first_lines:
        raise BadValue("query-twice-in-run", id=query_id, first=reading.first_lines[query_id])
    listed = _listed(data, words)
    stages = _stages_of(data, words)
    said = {
        word: data[words[word]]
        for word in ("latency_ms", "error", "answer", "answer_correct", "text")
        if word in words
    }
    _add_said(reading, query_id, said)
    reading.first_lines[query_id] = record.line
    _add_list(reading, query_id, listed)
    for stage, ids in stages.items():
        collector = reading.stages.setdefault(stage, ListCollector())
        collector.add_list(query_id, ids, [float("nan")] * len(ids))


def _read_flat(reading: _Reading, data: Mapping[str, Any]) -> None:
    words = layout("flat_run", tuple(data))
    for word in ("query_id", "chunk_id"):
        if word not in words:
            raise BadValue("not-a-run", names=", ".join(RUN["results"][:4]), field=word)
    query_id = id_text(data[words["query_id"]], words["query_id"])
    chunk_id = id_text(data[words["chunk_id"]], words["chunk_id"])
    rank = data[words["rank"]] if "rank" in words else None
    score = data[words["score"]] if "score" in words else None
    reading.distances |= "score" in words and plain(words["score"]) == "distance"
    if rank is not None:
        reading.order = "rank"
    reading.lists.add_result(
        query_id,
        chunk_id,
        None if rank is None else number(rank, words["rank"]),
        None if score is None else number(score, words["score"]),
    )
    _add_text(reading, chunk_id, data.get(words.get("title", "")), data.get(words.get("text", "")))


def _listed(data: Mapping[str, Any], words: Mapping[str, str]) -> Results:
    """The list of one record; only a record with an error may lack it."""
    scores = data[words["scores"]] if "scores" in words else None
    word = "ids" if "ids" in words else "results"
    value = data[words[word]] if word in words else None
    if value is None:
        if data.get(words.get("error", "")):
            return Results([], [])
        raise BadValue("missing-field", field=words.get(word, "results"), names=", ".join(RUN["results"][:4]))
    name = words[word]
    if not isinstance(value, list):
        raise BadValue("unknown-list-shape", field=name, value=shown(value))
    if plain(name) in TEXT_LISTS and any(isinstance(item, str) for item in value):
        raise BadValue("texts-without-ids", field=name)
    results = results_of(value, name)
    if scores is not None:
        if not isinstance(scores, list) or len(scores) != len(results.chunk_ids):
            raise BadValue("scores-do-not-fit", field=words["scores"], n=len(results.chunk_ids))
        results.scores = [
            float("nan") if score is None else number(score, words["scores"]) for score in scores
        ]
    return results


def _add_list(reading: _Reading, query_id: str, results: Results) -> None:
    reading.lists.add_list(query_id, results.chunk_ids, results.scores)
    reading.distances |= results.distances
    for chunk_id, title, written in results.texts:
        _add_text(reading, chunk_id, title, written)
    reading.routes += [(query_id, chunk_id, route, rank) for chunk_id, route, rank in results.routes]


def _add_text(reading: _Reading, chunk_id: str, title: object, written: object) -> None:
    if not isinstance(written, str) or not written:
        return
    row = ChunkRow(chunk_id, title if isinstance(title, str) else "", written, {})
    reading.two_texts += reading.chunks.setdefault(chunk_id, row).text != written


def _add_said(reading: _Reading, query_id: str, said: Mapping[str, Any]) -> None:
    """What a record says beside its list."""
    if said.get("text"):
        reading.queries[query_id] = text(said["text"], "query")
    if said.get("error"):
        reading.errors[query_id] = (
            text(said["error"], "error") if isinstance(said["error"], str) else shown(said["error"])
        )
    latency = said.get("latency_ms")
    if isinstance(latency, Mapping):
        reading.latency[query_id] = {str(stage): number(ms, "latency_ms") for stage, ms in latency.items()}
    elif latency is not None:
        reading.latency[query_id] = {"total": number(latency, "latency_ms")}
    answer = said.get("answer")
    correct = yes_or_no(said.get("answer_correct"), "answer_correct")
    if answer is not None or correct is not None:
        reading.answers[query_id] = (None if answer is None else text(answer, "answer"), correct)


def _stages_of(data: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, list[str]]:
    stages = data[words["stages"]] if "stages" in words else None
    if stages is None:
        return {}
    if not isinstance(stages, Mapping):
        raise BadValue("not-an-object-in", field="stages")
    found = {}
    for stage, listed in stages.items():
        if not isinstance(listed, list):
            raise BadValue("unknown-list-shape", field=f"stages.{stage}", value=shown(listed))
        found[str(stage)] = results_of(listed, f"stages.{stage}").chunk_ids
    return found


def _latency_table(latency: Mapping[str, Mapping[str, float]]) -> pd.DataFrame | None:
    if not latency:
        return None
    stages = list(dict.fromkeys(stage for measured in latency.values() for stage in measured))
    columns = {stage: [measured.get(stage, np.nan) for measured in latency.values()] for stage in stages}
    return pd.DataFrame(columns, index=pd.Index(list(latency), name="query_id"), dtype=np.float64)


def _answer_table(answers: Mapping[str, tuple[str | None, bool | None]]) -> pd.DataFrame | None:
    if not answers:
        return None
    table = pd.DataFrame(
        {
            "answer": pd.Series([answer for answer, _ in answers.values()], dtype="str"),
            "answer_correct": pd.array([correct for _, correct in answers.values()], dtype="boolean"),
        }
    )
    table.index = pd.Index(list(answers), name="query_id")
    return table


def _route_table(routes: list[tuple[str, str, str, int]]) -> pd.DataFrame | None:
    return pd.DataFrame(routes, columns=["query_id", "chunk_id", "route", "rank"]) if routes else None
