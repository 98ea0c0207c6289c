"""Checks between the parts of a set: ids that meet, `answerable` against gold, grades on the scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragtui.dataset.faults import Faults
from ragtui.dataset.id_match import examples, explain
from ragtui.dataset.model import Run
from ragtui.dataset.readers.inline_gold import DISTRACTOR
from ragtui.dataset.readers.rows import ChunkRow, GoldRow, Parts, QueryRow


class _Ids(NamedTuple):
    """All ids of a set that runs are compared with."""

    queries: set[str]
    judged: set[str]
    chunks: set[str]
    gold: set[str]


def check_set(
    parts: Parts,
    queries: Sequence[QueryRow],
    gold: Sequence[GoldRow],
    chunks: Sequence[ChunkRow],
    faults: Faults,
) -> None:
    """All checks. `gold` is what counts of inline gold and gold files, repeats included."""
    retired = {row.query_id for row in parts.queries or ()} - {row.query_id for row in queries}
    ids = _Ids(
        {row.query_id for row in queries} | retired,
        {row.query_id for row in gold},
        {row.chunk_id for row in chunks} if parts.chunks is not None else set(),
        {row.chunk_id for row in gold},
    )
    _check_texts(parts, queries, faults)
    _check_gold(parts, gold, ids, faults)
    _check_scale(parts, gold, faults)
    _check_answerable(parts, queries, gold, faults)
    _check_splits(parts, ids.queries, faults)
    for run in parts.runs.values():
        _check_run(parts, run, ids, faults)


def _check_texts(parts: Parts, queries: Sequence[QueryRow], faults: Faults) -> None:
    if not queries and not faults.has_errors:
        faults.error("no-queries", parts.queries_file or parts.path)
    if parts.queries is None:
        return
    if all(row.text is None for row in queries):
        return  # a file of gold that says no texts at all; ids are shown instead
    for row in queries:
        if not (row.text or "").strip():
            faults.warning("empty-query-text", parts.queries_file or "", row.line, id=row.query_id)
    for chunk in parts.chunks or ():
        if not chunk.text.strip() and not chunk.title.strip():
            faults.warning("empty-chunk-text", parts.chunks_file or "", chunk.line, id=chunk.chunk_id)


def _check_gold(parts: Parts, gold: Sequence[GoldRow], ids: _Ids, faults: Faults) -> None:
    if not gold:
        if not faults.has_errors:
            faults.warning("no-gold", parts.path)
        return
    file = gold[0].file or parts.path
    unknown = list(dict.fromkeys(row.query_id for row in gold if row.query_id not in ids.queries))
    if ids.queries and len(unknown) == len(ids.judged):
        faults.error(
            "no-shared-queries-gold",
            file,
            None,
            left=examples(unknown),
            right=examples(row.query_id for row in parts.queries or ()),
            guess=explain(ids.judged, ids.queries, _query_metadata(parts)),
        )
    elif unknown:
        faults.warning(
            "gold-of-unknown-queries",
            file,
            _line_of(gold, unknown[0]),
            n=len(unknown),
            of=len(ids.judged),
            ids=examples(unknown),
            guess=explain(ids.judged, ids.queries, _query_metadata(parts), "left-out-gold"),
        )
    if not parts.chunks:
        return
    missing = list(dict.fromkeys(row.chunk_id for row in gold if row.chunk_id not in ids.chunks))
    if missing and len(missing) == len(ids.gold):
        right = examples(row.chunk_id for row in parts.chunks)
        cause = explain(ids.gold, ids.chunks, _chunk_metadata(parts))
        faults.error("no-shared-chunks-gold", file, None, left=examples(missing), right=right, guess=cause)
    elif missing:
        line = next(row.line for row in gold if row.chunk_id == missing[0])
        faults.warning(
            "gold-chunk-missing",
            file,
            line,
            n=len(missing),
            of=len(ids.gold),
            ids=examples(missing),
            guess=explain(ids.gold, ids.chunks, _chunk_metadata(parts), "lost-gold-chunks"),
        )


def _check_scale(parts: Parts, gold: Sequence[GoldRow], faults: Faults) -> None:
    scale = parts.settings.grade_scale
    if scale is None:
        return
    outside = [row for row in gold if row.grade > scale[-1] or row.grade < min(scale[0], 0.0)]
    if outside:
        first = outside[0]
        shown = ", ".join(f"{grade:g}" for grade in scale)
        faults.warning(
            "grade-off-scale",
            first.file or "",
            first.line,
            n=len(outside),
            grade=f"{first.grade:g}",
            scale=shown,
        )


def _check_answerable(
    parts: Parts, queries: Sequence[QueryRow], gold: Sequence[GoldRow], faults: Faults
) -> None:
    level = parts.settings.level
    relevant: dict[str, GoldRow] = {}
    for row in gold:
        if row.grade >= level and row.role != DISTRACTOR:
            relevant.setdefault(row.query_id, row)
    without = []
    for query in queries:
        answerable = query.metadata.get("answerable")
        if answerable is False and query.query_id in relevant:
            found = relevant[query.query_id]
            faults.error(
                "answerable-contradicts-gold",
                parts.queries_file or "",
                query.line,
                id=query.query_id,
                chunk=found.chunk_id,
                grade=f"{found.grade:g}",
                place=f"{found.file}:{found.line}",
            )
        elif answerable is True and query.query_id not in relevant:
            without.append(query)
    if without and gold:
        first = without[0]
        ids = examples(query.query_id for query in without)
        faults.warning(
            "answerable-without-gold", parts.queries_file or "", first.line, n=len(without), ids=ids
        )


def _check_splits(parts: Parts, queries: set[str], faults: Faults) -> None:
    for query_id in parts.split_of or ():
        if query_id not in queries:
            faults.error(
                "split-of-unknown-query",
                parts.splits_file or "",
                parts.split_lines.get(query_id),
                id=query_id,
            )


def _check_run(parts: Parts, run: Run, ids: _Ids, faults: Faults) -> None:
    """Do the ids of a run meet those of the set? The share of known chunks is always said."""
    file = run.path or parts.path
    returned = list(run.lists.query_ids)
    compared = ids.queries if parts.queries is not None else ids.judged
    unknown = [query_id for query_id in returned if query_id not in compared]
    if compared and returned and len(unknown) == len(returned):
        right = examples(sorted(compared))
        faults.error(
            "no-shared-queries",
            file,
            None,
            left=examples(unknown),
            right=right,
            guess=explain(returned, compared, _query_metadata(parts)),
        )
    elif unknown and parts.queries is not None:
        faults.warning(
            "run-of-unknown-queries",
            file,
            None,
            n=len(unknown),
            of=len(returned),
            ids=examples(unknown),
            guess=explain(returned, compared, _query_metadata(parts), "other-queries"),
        )
    _check_run_chunks(parts, run, ids, faults)


def _check_run_chunks(parts: Parts, run: Run, ids: _Ids, faults: Faults) -> None:
    known = ids.chunks | ids.gold
    chunks = list(run.lists.vocabulary)
    if not chunks or not known:
        return
    strange = [chunk for chunk in chunks if chunk not in known]
    file = run.path or ""
    if len(strange) == len(chunks):
        right = examples(sorted(ids.gold or ids.chunks))
        faults.error(
            "no-shared-chunks",
            file,
            None,
            left=examples(chunks),
            right=right,
            guess=explain(chunks, known, _chunk_metadata(parts)),
        )
    elif strange and ids.chunks:
        faults.warning(
            "run-chunks-unknown",
            file,
            None,
            n=len(strange),
            of=len(chunks),
            ids=examples(strange),
            guess=explain(chunks, known, _chunk_metadata(parts), "other-corpus"),
        )
    else:
        faults.note("known-chunks", file, None, known=len(chunks) - len(strange), of=len(chunks))


def _query_metadata(parts: Parts) -> Iterator[Mapping[str, Any]]:
    return (row.metadata for row in parts.queries or ())


def _chunk_metadata(parts: Parts) -> Iterator[Mapping[str, Any]]:
    return (row.metadata for row in parts.chunks or ())


def _line_of(gold: Iterable[GoldRow], query_id: str) -> int | None:
    return next((row.line for row in gold if row.query_id == query_id), None)
