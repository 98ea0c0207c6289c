"""Puts what was read together into one `EvaluationSet`: tables, splits, merged gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.checks import KnownIds, check_set, share_of_known_chunks
from ragtui.dataset.document_level import to_documents
from ragtui.dataset.faults import Fault, Faults
from ragtui.dataset.formats.sources import ONLY_SPLIT
from ragtui.dataset.ids import text_column
from ragtui.dataset.merge_gold import effective_gold, merged
from ragtui.dataset.model import CHUNK_COLUMNS, QUERY_COLUMNS, EvaluationSet, Run
from ragtui.dataset.readers.chunk_columns import ChunkColumns
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.rows import Parts, QueryRow
from ragtui.dataset.selection import without_queries
from ragtui.dataset.snapshot import compare_snapshot, read_snapshot

RETIRED = "retired"


def assemble(parts: Parts, faults: Faults, *, level_document: bool = False) -> EvaluationSet:
    """One set of all that was read.

    Contradictions between its parts become faults; the caller raises them.
    """
    if level_document:
        parts = to_documents(parts)
    retired = {row.query_id for row in parts.queries or () if row.metadata.get("status") == RETIRED}
    queries = [row for row in _queries(parts) if row.query_id not in retired]
    gold = effective_gold(parts, faults)
    if retired:
        gold = gold.where(~gold.of_queries(retired))
    chunks = ChunkColumns.of(parts.chunks if parts.chunks is not None else parts.run_chunks.values())
    known = check_set(parts, queries, gold, chunks, faults)
    split_of, gold = _splits(parts, queries, gold, faults)
    judged = merged(gold.where(gold.of_queries(split_of)), faults)
    table = _query_table(queries)
    frozen = read_snapshot(parts.snapshot, faults) if parts.snapshot is not None else {}
    if retired:
        faults.note("retired", parts.queries_file or "", n=len(retired))
    return EvaluationSet(
        path=parts.path,
        settings=parts.settings,
        queries=table,
        chunks=_chunk_table(chunks),
        gold=judged.frame(),
        query_split=pd.Series(
            [split_of[row.query_id] for row in queries],
            index=table.index,
            dtype=object,
            name="split",
        ),
        runs={name: _without(run, retired) for name, run in parts.runs.items()},
        retired=len(retired),
        format=parts.format,
        said=(*faults.of("warning"), *faults.of("note")),
        said_later=_later(parts, known, frozen),
    ).with_codes(judged.codes)


def _later(
    parts: Parts, known: KnownIds, frozen: Mapping[str, str]
) -> Callable[[EvaluationSet], Sequence[Fault]]:
    """What is said of a set when somebody asks: whether it is what was frozen, and what its runs returned."""

    def say(evaluation: EvaluationSet) -> Sequence[Fault]:
        faults = Faults()
        if frozen and parts.snapshot is not None:
            compare_snapshot(parts.snapshot, frozen, evaluation.hashes, faults)
        for run in parts.runs.values():
            share_of_known_chunks(parts, run, known, faults)
        return faults.found

    return say


def _queries(parts: Parts) -> list[QueryRow]:
    """The queries of the file; without one, those of gold and runs, with texts that runs may hold."""
    if parts.queries is not None:
        for row in parts.queries:
            row.text = row.text if row.text is not None else parts.run_queries.get(row.query_id)
        return parts.queries
    ids = dict.fromkeys(GoldColumns.of(parts.gold or ()).query_ids)
    for run in parts.runs.values():
        ids |= dict.fromkeys(run.lists.query_ids)
    return [QueryRow(query_id, parts.run_queries.get(query_id), {}, None) for query_id in ids]


def _splits(
    parts: Parts, queries: Sequence[QueryRow], gold: GoldColumns, faults: Faults
) -> tuple[dict[str, str | None], GoldColumns]:
    """Split of every query, and the gold with the split its query is in."""
    if parts.split_of is not None:
        chosen = {row.query_id: parts.split_of.get(row.query_id) for row in queries}
        without = sum(split is None for split in chosen.values())
        if without:
            faults.warning("queries-without-split", parts.splits_file or "", n=without)
        return chosen, gold.in_splits(chosen)
    if len(gold.split_names) <= 1:
        only = next(iter(gold.split_names), ONLY_SPLIT)
        return {row.query_id: only for row in queries}, gold
    kept = gold.in_first_split()
    if not kept.all():
        faults.warning("gold-in-two-splits", parts.path, n=int((~kept).sum()))
    splits = [gold.split_names[code] for code in gold.first_split]
    of_gold = dict(zip(gold.query_ids, splits, strict=True))
    return {row.query_id: of_gold.get(row.query_id) for row in queries}, gold.where(kept)


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
    said = dict.fromkeys(chain.from_iterable(described))
    for name in dict.fromkeys((*QUERY_COLUMNS[1:], *said)):
        columns[name] = _objects([row.get(name) for row in described] if name in said else None, index)
    columns["core"] = np.array([bool(value) for value in columns["core"]], dtype=bool)
    return pd.DataFrame(columns, index=index, copy=False)


def _chunk_table(chunks: ChunkColumns) -> pd.DataFrame:
    index = pd.Index(text_column(chunks.ids), name="chunk_id")
    columns: dict[str, Any] = {"title": text_column(chunks.titles), "text": text_column(chunks.texts)}
    further = [name for name in chunks.metadata if name not in CHUNK_COLUMNS]
    for name in (*CHUNK_COLUMNS[2:], *further):
        columns[name] = _objects(chunks.metadata.get(name), index)
    columns["doc_id"] = _objects(chunks.documents(), index)
    return pd.DataFrame(columns, index=index, copy=False)


def _objects(values: Sequence[Any] | None, index: pd.Index[Any]) -> pd.Series[Any]:
    """Values as they stand, None everywhere for None; lists are values, which a slice assignment spreads."""
    array = np.full(len(index), None, dtype=object)
    for place, value in enumerate(values or ()):
        array[place] = value
    return pd.Series(array, index=index, dtype=object, copy=False)


def _index(values: list[str], name: str) -> pd.Index[Any]:
    return pd.Index(pd.array(values, dtype="str"), name=name)
