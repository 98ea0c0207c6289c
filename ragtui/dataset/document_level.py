"""Reads a set at the level of documents: the id of every chunk becomes that of its document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ragtui.dataset.model import Run
from ragtui.dataset.readers.rows import ChunkRow, GoldRow, Parts
from ragtui.dataset.selection import with_renamed_chunks


def document_of(row: ChunkRow) -> str:
    """Document of a chunk: what it says, else the part of its id before `#`."""
    return str(row.metadata.get("doc_id") or row.chunk_id.partition("#")[0] or row.chunk_id)


def to_documents(parts: Parts) -> Parts:
    """The same parts with documents in place of chunks.

    A document has the texts of its chunks one below the other, and of several grades of its chunks the
    highest.
    """
    known = {row.chunk_id: document_of(row) for row in (*(parts.chunks or ()), *parts.run_chunks.values())}

    def rename(chunk_id: str) -> str:
        return known.get(chunk_id) or chunk_id.partition("#")[0] or chunk_id

    queries = parts.queries
    if queries is not None:
        queries = [
            replace(row, gold=_best(row.gold, known) if row.gold is not None else None) for row in queries
        ]
    return replace(
        parts,
        queries=queries,
        chunks=_joined(parts.chunks) if parts.chunks is not None else None,
        gold=_best(parts.gold, known) if parts.gold is not None else None,
        run_chunks={row.chunk_id: row for row in _joined(parts.run_chunks.values())},
        runs={
            name: _renamed(run, {chunk: rename(chunk) for chunk in _chunks_of(run)})
            for name, run in parts.runs.items()
        },
    )


def _joined(rows: Iterable[ChunkRow]) -> list[ChunkRow]:
    documents: dict[str, ChunkRow] = {}
    texts: dict[str, list[str]] = {}
    for row in rows:
        name = document_of(row)
        documents.setdefault(name, replace(row, chunk_id=name, metadata={**row.metadata, "doc_id": name}))
        texts.setdefault(name, []).append(row.text)
    return [replace(row, text="\n\n".join(texts[name])) for name, row in documents.items()]


def _best(rows: Iterable[GoldRow], known: dict[str, str]) -> list[GoldRow]:
    best: dict[tuple[str, str, str, str], GoldRow] = {}
    for row in rows:
        document = known.get(row.chunk_id) or row.chunk_id.partition("#")[0] or row.chunk_id
        key = (row.split, row.query_id, document, row.annotator)
        if key not in best or best[key].grade < row.grade:
            best[key] = row._replace(chunk_id=document)
    return list(best.values())


def _chunks_of(run: Run) -> set[str]:
    found = set(run.lists.vocabulary)
    return found.union(*(lists.vocabulary for lists in run.stages.values()))


def _renamed(run: Run, names: dict[str, str]) -> Run:
    routes = run.routes
    if routes is not None:
        routes = routes.assign(chunk_id=routes["chunk_id"].map(names.get))
    return replace(
        run,
        lists=with_renamed_chunks(run.lists, names.__getitem__),
        stages={stage: with_renamed_chunks(lists, names.__getitem__) for stage, lists in run.stages.items()},
        routes=routes,
    )
