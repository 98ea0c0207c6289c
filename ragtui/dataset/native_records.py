"""The records of the native files, made from the tables of a set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.fields import layout
from ragtui.dataset.model import CHUNK_COLUMNS, EvaluationSet, Run, SetSettings

_DEFAULTS = SetSettings()


def settings_table(evaluation: EvaluationSet) -> dict[str, Any]:
    """What `set.toml` has to say: everything that is not the default."""
    settings = evaluation.settings
    names = [
        name
        for name in SetSettings.__dataclass_fields__
        if getattr(settings, name) != getattr(_DEFAULTS, name)
    ]
    table: dict[str, Any] = {}
    for name in names:
        value = getattr(settings, name)
        if isinstance(value, tuple):
            value = [plain(item) for item in value]
        elif isinstance(value, Mapping):
            value = dict(value)
        table[name] = plain(value)
    # a file written last has its tables last, because a key after them would belong to them
    return {**{k: v for k, v in table.items() if not isinstance(v, dict)}, **table}


def query_records(queries: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Lines of `queries.jsonl`."""
    names = [name for name in queries.columns if name != "text"]
    columns = [queries[name].to_list() for name in names]
    for query_id, text, *values in zip(queries.index, queries["text"], *columns, strict=True):
        described = {_written(name): v for name, v in zip(names, values, strict=True) if _said(name, v)}
        # a further field that could be taken for one of ours, which is unsaid here
        described |= {
            word: None for word in layout("query_metadata", tuple(described)) if word not in described
        }
        yield {"_id": query_id, "text": text, **({"metadata": described} if described else {})}


def chunk_records(chunks: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Lines of `corpus.jsonl`."""
    names = [name for name in chunks.columns if name not in CHUNK_COLUMNS[:2]]
    columns = [chunks[name].to_list() for name in names]
    for chunk_id, title, text, *values in zip(
        chunks.index, chunks["title"], chunks["text"], *columns, strict=True
    ):
        described = {_written(name): v for name, v in zip(names, values, strict=True) if v is not None}
        if described.get("doc_id") == (chunk_id.partition("#")[0] or chunk_id):
            del described["doc_id"]
        yield {
            "_id": chunk_id,
            "title": title,
            "text": text,
            **({"metadata": described} if described else {}),
        }


def _said(name: str, value: object) -> bool:
    return value is not None and not (name == "core" and not value)


def _written(name: str) -> str:
    """Under which name a column stands in the metadata.

    The reader puts the prefix back where it is needed.
    """
    return name.removeprefix("metadata.")


def gold_records(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Lines of `qrels/<split>.jsonl`; what is not said is left out."""
    names = ["query_id", "chunk_id", "grade", "reason", "annotator", "group", "role"]
    for values in zip(*(rows[name] for name in names), strict=True):
        record = dict(zip(names, values, strict=True))
        record["grade"] = plain(record["grade"])
        yield {name: value for name, value in record.items() if value not in ("", None)}


def run_records(run: Run) -> Iterator[dict[str, Any]]:
    """Lines of `runs/<name>.jsonl`; a query that failed has a line though it has no list."""
    card_says = run.card is not None and "score_direction" in run.card.fields
    score = "distance" if run.direction == "lower" and not card_says else "score"
    routes: dict[tuple[str, str], dict[str, int]] = {}
    if run.routes is not None:
        for row in run.routes.itertuples():
            routes.setdefault((str(row.query_id), str(row.chunk_id)), {})[str(row.route)] = int(str(row.rank))
    ids = dict.fromkeys([*run.lists.query_ids, *run.errors])
    for query_id in ids:
        chunk_ids, scores = run.lists.list_of(query_id)
        results = []
        for chunk_id, value in zip(chunk_ids, scores.tolist(), strict=True):
            result: dict[str, Any] = {"chunk_id": chunk_id}
            if not np.isnan(value):
                result[score] = value
            if (query_id, chunk_id) in routes:
                result["routes"] = routes[query_id, chunk_id]
            results.append(result)
        yield {"query_id": query_id, "results": results, **_beside(run, query_id)}


def _beside(run: Run, query_id: str) -> dict[str, Any]:
    """What a record of a run says beside its list."""
    record: dict[str, Any] = {}
    stages = {
        name: lists.list_of(query_id)[0]
        for name, lists in run.stages.items()
        if lists.row_of(query_id) is not None
    }
    if stages:
        record["stages"] = stages
    if run.latency_ms is not None and query_id in run.latency_ms.index:
        latency = run.latency_ms.loc[query_id].dropna().to_dict()
        record["latency_ms"] = latency["total"] if set(latency) == {"total"} else latency
    if query_id in run.errors:
        record["error"] = run.errors[query_id]
    if run.answers is not None and query_id in run.answers.index:
        said = run.answers.loc[query_id].dropna().to_dict()
        record |= {str(name): bool(v) if name == "answer_correct" else v for name, v in said.items()}
    return record


def plain(value: Any) -> Any:
    """Whole numbers without a point, as people write grades."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
