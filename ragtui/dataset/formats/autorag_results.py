"""Results of AutoRAG's retrieval nodes: without query ids, their rows stand in the order of the questions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.collected import CollectedRun, CollectedTexts, text_row
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.parquet import parquet_size
from ragtui.dataset.readers.records import Record, each, records
from ragtui.dataset.readers.rows import Parts, QueryRow
from ragtui.dataset.readers.shape import Shape
from ragtui.dataset.readers.values import BadValue, id_text, number, shown

_NODE = re.compile(r"(?:result_)?(?P<node>.+?)(?:__(?P<number>\d+))?")
_QUERY_ID = "qid"


def named_by_node(files: Iterable[Path]) -> dict[str, Path]:
    """Results by the node that made them, with the number of the module where a node has several.

    The node is in the name of the file, or is the folder of a file that is only numbered.
    """
    nodes: dict[str, list[tuple[str, Path]]] = {}
    for file in files:
        matched = _NODE.fullmatch(file.stem)
        if file.stem.isdigit() or matched is None:
            node, number_of = file.parent.name, file.stem
        else:
            node, number_of = matched["node"], matched["number"] or "0"
        nodes.setdefault(node, []).append((number_of, file))
    runs: dict[str, Path] = {}
    for node, found in nodes.items():
        for number_of, file in found:
            name = node if len(found) == 1 else f"{node}-{number_of}"
            # a node of a second trial
            runs[name if name not in runs else f"{name}-{len(runs)}"] = file
    return runs


def read_results(
    results: Mapping[str, Path], parts: Parts, other_sizes: Collection[int], faults: Faults
) -> None:
    """Add a run for each file of results.

    Rows belong to the questions by their place, so there must be as many. A file with as many rows as other
    questions of the same folder belongs to those and is left out with a warning.
    """
    texts = CollectedTexts()
    queries = parts.queries or []
    for name, path in results.items():
        rows, columns = parquet_size(path)
        if not is_file_name(name):
            faults.error("bad-run-name", path, name=shown(name))
        elif _QUERY_ID not in columns and rows != len(queries):
            if rows in other_sizes:
                faults.warning("rows-of-other-queries", path, None, rows=rows, queries=len(queries))
            else:
                faults.error("rows-do-not-line-up", path, None, rows=rows, queries=len(queries))
        else:
            if _QUERY_ID not in columns:
                faults.note("joined-by-position", path, None, n=rows)
            reading = _Reading(CollectedRun(name, path), queries, texts)
            reading.read(faults)
            parts.runs[name] = reading.run.run()
    if parts.chunks is None:
        texts.into(parts, faults)


@dataclass
class _Reading:
    """One file of results while it is read."""

    run: CollectedRun
    queries: Sequence[QueryRow]
    texts: CollectedTexts
    first_lines: dict[str, int | None] = field(default_factory=dict)
    other_recall: int = 0

    def read(self, faults: Faults) -> None:
        path = self.run.path
        for _ in each(records(path, Shape("parquet"), faults), self._add, path, faults):
            pass
        if self.other_recall:
            faults.warning("recall-of-other-rows", path, None, n=self.other_recall, of=len(self.run.lists))

    def _add(self, record: Record) -> None:
        data = record.data
        row = self.queries[(record.line or 1) - 1] if _QUERY_ID not in data else None
        query_id = id_text(data[_QUERY_ID], _QUERY_ID) if row is None else row.query_id
        if query_id in self.run.lists:
            raise BadValue("query-twice-in-run", id=query_id, first=self.first_lines[query_id])
        chunk_ids = [id_text(one, "retrieved_ids") for one in _column(data, "retrieved_ids")]
        scores = _beside(data, "retrieve_scores", len(chunk_ids))
        contents = _beside(data, "retrieved_contents", len(chunk_ids))
        written = [number(score, "retrieve_scores") for score in scores] if scores is not None else None
        self.run.add(query_id, chunk_ids, written)
        self.first_lines[query_id] = record.line
        for chunk_id, content in zip(chunk_ids, contents or (), strict=False):
            if isinstance(content, str):
                self.texts.add(text_row(chunk_id, content, "", {}, record.line))
        said = data.get("retrieval_recall")
        if row is not None and isinstance(said, float):
            self.other_recall += abs(said - _recall(row, chunk_ids)) > 1e-6


def _recall(row: QueryRow, chunk_ids: Collection[str]) -> float:
    """Share of evidence groups of which something was retrieved, as AutoRAG computes it."""
    groups = {judged.group for judged in row.gold or ()}
    got = {judged.group for judged in row.gold or () if judged.chunk_id in chunk_ids}
    return len(got) / max(len(groups), 1)


def _column(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list):
        raise BadValue("missing-field", field=name, names=name)
    return value


def _beside(data: Mapping[str, Any], name: str, length: int) -> list[Any] | None:
    """A list that holds one value for each result; None where the file has no such column."""
    if data.get(name) is None:
        return None
    value = _column(data, name)
    if len(value) != length:
        raise BadValue("scores-do-not-fit", field=name, n=length)
    return value
