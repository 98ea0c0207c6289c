"""Puts what was read together into one `EvaluationSet`: tables, splits, merged gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.checks import check_set
from ragtui.dataset.document_level import document_of, to_documents
from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.sources import ONLY_SPLIT
from ragtui.dataset.merge_gold import effective_gold, merged
from ragtui.dataset.model import CHUNK_COLUMNS, GOLD_COLUMNS, QUERY_COLUMNS, EvaluationSet, Run
from ragtui.dataset.readers.rows import ChunkRow, GoldRow, Parts, QueryRow
from ragtui.dataset.selection import without_queries
from ragtui.dataset.snapshot import compare_snapshot, hashes

RETIRED = "retired"


def assemble(parts: Parts, faults: Faults, *, level_document: bool = False) -> EvaluationSet:
    """One set of all that was read.

    Contradictions between its parts become faults; the caller raises them.
    """
    if level_document:
        parts = to_documents(parts)
    retired = {row.query_id for row in parts.queries or () if row.metadata.get("status") == RETIRED}
    queries = [row for row in _queries(parts) if row.query_id not in retired]
    gold = [row for row in effective_gold(parts, faults) if row.query_id not in retired]
    chunks = parts.chunks if parts.chunks is not None else list(parts.run_chunks.values())
    check_set(parts, queries, gold, chunks, faults)
    split_of, gold = _splits(parts, queries, gold, faults)
    query_ids = [row.query_id for row in queries]
    judged = merged([row for row in gold if row.query_id in split_of], faults)
    tables = (_query_table(queries), _chunk_table(chunks), _gold_table(judged))
    found = hashes(*tables)
    if parts.snapshot is not None:
        compare_snapshot(parts.snapshot, found, faults)
    if retired:
        faults.note("retired", parts.queries_file or "", n=len(retired))
    return EvaluationSet(
        path=parts.path,
        settings=parts.settings,
        queries=tables[0],
        chunks=tables[1],
        gold=tables[2],
        query_split=pd.Series(
            [split_of[query_id] for query_id in query_ids],
            index=tables[0].index,
            dtype=object,
            name="split",
        ),
        runs={name: _without(run, retired) for name, run in parts.runs.items()},
        hashes=found,
        retired=len(retired),
        format=parts.format,
        warnings=(*faults.of("warning"), *faults.of("note")),
    )


def _queries(parts: Parts) -> list[QueryRow]:
    """The queries of the file; without one, those of gold and runs, with texts that runs may hold."""
    if parts.queries is not None:
        for row in parts.queries:
            row.text = row.text if row.text is not None else parts.run_queries.get(row.query_id)
        return parts.queries
    ids: dict[str, None] = dict.fromkeys(row.query_id for row in parts.gold or ())
    for run in parts.runs.values():
        ids |= dict.fromkeys(run.lists.query_ids)
    return [QueryRow(query_id, parts.run_queries.get(query_id), {}, None) for query_id in ids]


def _splits(
    parts: Parts, queries: Sequence[QueryRow], gold: list[GoldRow], faults: Faults
) -> tuple[dict[str, str | None], list[GoldRow]]:
    """Split of every query, and the gold with the split its query is in."""
    if parts.split_of is not None:
        chosen = {row.query_id: parts.split_of.get(row.query_id) for row in queries}
        without = sum(split is None for split in chosen.values())
        if without:
            faults.warning("queries-without-split", parts.splits_file or "", n=without)
        return chosen, [row._replace(split=chosen.get(row.query_id) or row.split) for row in gold]
    of_gold: dict[str, str] = {}
    kept, elsewhere = [], 0
    for row in gold:
        if of_gold.setdefault(row.query_id, row.split) == row.split:
            kept.append(row)
        else:
            elsewhere += 1
    if elsewhere:
        faults.warning("gold-in-two-splits", parts.path, n=elsewhere)
    names = list(dict.fromkeys(row.split for row in gold)) or [ONLY_SPLIT]
    only = names[0] if len(names) == 1 else None
    return {row.query_id: of_gold.get(row.query_id, only) for row in queries}, kept


def _without(run: Run, retired: set[str]) -> Run:
    if not retired:
        return run
    return replace(
        run,
        lists=without_queries(run.lists, retired),
        stages={stage: without_queries(lists, retired) for stage, lists in run.stages.items()},
    )


def _query_table(rows: Sequence[QueryRow]) -> pd.DataFrame:
    index = _index([row.query_id for row in rows], "query_id")
    described = [row.metadata for row in rows]
    columns: dict[str, Any] = {"text": pd.array([row.text or "" for row in rows], dtype="str")}
    for name in (*QUERY_COLUMNS[1:], *_further(described, QUERY_COLUMNS)):
        columns[name] = _objects([row.get(name) for row in described], index)
    columns["core"] = np.array([bool(row.get("core")) for row in described], dtype=bool)
    return pd.DataFrame(columns, index=index, copy=False)


def _chunk_table(rows: Sequence[ChunkRow]) -> pd.DataFrame:
    index = _index([row.chunk_id for row in rows], "chunk_id")
    described = [row.metadata for row in rows]
    columns: dict[str, Any] = {
        "title": pd.array([row.title for row in rows], dtype="str"),
        "text": pd.array([row.text for row in rows], dtype="str"),
    }
    for name in (*CHUNK_COLUMNS[2:], *_further(described, CHUNK_COLUMNS)):
        columns[name] = _objects([row.get(name) for row in described], index)
    columns["doc_id"] = _objects([document_of(row) for row in rows], index)
    return pd.DataFrame(columns, index=index, copy=False)


def _gold_table(rows: Sequence[GoldRow]) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for name in GOLD_COLUMNS:
        values = [getattr(row, name) for row in rows]
        if name == "grade":
            columns[name] = np.array(values, dtype=np.float64)
        elif name in ("group", "role", "split"):
            columns[name] = _objects(values, None)
        else:
            columns[name] = pd.array(values, dtype="str")
    return pd.DataFrame(columns, copy=False)


def _further(described: Iterable[Mapping[str, Any]], known: tuple[str, ...]) -> list[str]:
    """Metadata keys beyond the known ones, in order of first appearance."""
    names: dict[str, None] = {}
    for row in described:
        names |= dict.fromkeys(row)
    return [name for name in names if name not in known]


def _objects(values: Sequence[Any], index: pd.Index[Any] | None) -> pd.Series[Any]:
    """Values as they stand; lists are values here, which a slice assignment would spread."""
    array = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        array[place] = value
    return pd.Series(array, index=index, dtype=object, copy=False)


def _index(values: list[str], name: str) -> pd.Index[Any]:
    return pd.Index(pd.array(values, dtype="str"), name=name)
