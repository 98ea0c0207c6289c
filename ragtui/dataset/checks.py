"""Checks between the parts of a set: ids that meet, `answerable` against gold, grades on the scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ragtui.dataset.faults import Faults
from ragtui.dataset.id_match import examples, explain
from ragtui.dataset.ids import Ids, coded, ids_of, joined, places, texts
from ragtui.dataset.model import Run
from ragtui.dataset.readers.chunk_columns import ChunkColumns
from ragtui.dataset.readers.gold_columns import GoldColumns
from ragtui.dataset.readers.rows import Parts, QueryRow

_FEW = 1000


class KnownIds(NamedTuple):
    """All ids of a set that runs are compared with; of chunks in Arrow, each id once."""

    queries: set[str]
    judged: set[str]
    chunks: Ids
    gold: Ids

    @property
    def all_chunks(self) -> set[str]:
        """Ids of corpus and gold."""
        return {*texts(self.chunks), *texts(self.gold)}


def check_set(
    parts: Parts, queries: Sequence[QueryRow], gold: GoldColumns, chunks: ChunkColumns, faults: Faults
) -> KnownIds:
    """All checks that a set has to pass.

    `gold` is what counts of inline gold and gold files, repeats included.
    """
    retired = {row.query_id for row in parts.queries or ()} - {row.query_id for row in queries}
    ids = KnownIds(
        {row.query_id for row in queries} | retired,
        set(gold.query_ids),
        chunks.ids if parts.chunks is not None else ids_of([]),
        gold.coded_chunks.dictionary,
    )
    _check_texts(parts, queries, chunks, faults)
    _check_gold(parts, gold, ids, faults)
    _check_scale(parts, gold, faults)
    _check_answerable(parts, queries, gold, faults)
    _check_splits(parts, ids.queries, faults)
    for run in parts.runs.values():
        _check_run(parts, run, ids, faults)
    return ids


def _check_texts(parts: Parts, queries: Sequence[QueryRow], chunks: ChunkColumns, faults: Faults) -> None:
    if not queries and not faults.has_errors:
        faults.error("no-queries", parts.queries_file or parts.path)
    if parts.queries is None:
        return
    if all(row.text is None for row in queries):
        return  # a file of gold that says no texts at all; ids are shown instead
    for row in queries:
        if not (row.text or "").strip():
            faults.warning("empty-query-text", parts.queries_file or "", row.line, id=row.query_id)
    if parts.chunks is not None:
        for place in chunks.without_text():
            chunk = chunks.row(int(place))
            faults.warning("empty-chunk-text", parts.chunks_file or "", chunk.line, id=chunk.chunk_id)


def _check_gold(parts: Parts, gold: GoldColumns, ids: KnownIds, faults: Faults) -> None:
    if not len(gold):
        if not faults.has_errors:
            faults.warning("no-gold", parts.path)
        return
    file = gold.row(0).file or parts.path
    unknown = [query_id for query_id in gold.query_ids if query_id not in ids.queries]
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
            gold.first_of(unknown[0]).line,
            n=len(unknown),
            of=len(ids.judged),
            ids=examples(unknown),
            guess=explain(ids.judged, ids.queries, _query_metadata(parts), "left-out-gold"),
        )
    if not len(ids.chunks):
        return
    missing = texts(ids.gold.filter(pa.array(places(ids.gold, ids.chunks) < 0)))
    if missing and len(missing) == len(ids.gold):
        right = examples(texts(ids.chunks[:3]))
        cause = explain(texts(ids.gold), texts(ids.chunks), _chunk_metadata(parts))
        faults.error("no-shared-chunks-gold", file, None, left=examples(missing), right=right, guess=cause)
    elif missing:
        why = explain(texts(ids.gold), texts(ids.chunks), _chunk_metadata(parts), "lost-gold-chunks")
        faults.warning(
            "gold-chunk-missing",
            file,
            gold.first_of_chunk(missing[0]).line,
            n=len(missing),
            of=len(ids.gold),
            ids=examples(missing),
            guess=why,
        )


def _check_scale(parts: Parts, gold: GoldColumns, faults: Faults) -> None:
    scale = parts.settings.grade_scale
    if scale is None:
        return
    outside = np.flatnonzero((gold.grades > scale[-1]) | (gold.grades < min(scale[0], 0.0)))
    if len(outside):
        first = gold.row(int(outside[0]))
        shown = ", ".join(f"{grade:g}" for grade in scale)
        faults.warning(
            "grade-off-scale",
            first.file or "",
            first.line,
            n=len(outside),
            grade=f"{first.grade:g}",
            scale=shown,
        )


def _check_answerable(parts: Parts, queries: Sequence[QueryRow], gold: GoldColumns, faults: Faults) -> None:
    if parts.queries is None or all(query.metadata.get("answerable") is None for query in queries):
        return
    is_relevant = (gold.grades >= parts.settings.level) & ~gold.is_distractor
    rows = np.flatnonzero(is_relevant)
    codes, places_of = np.unique(gold.query[rows], return_index=True)
    relevant = {gold.query_ids[c]: int(rows[p]) for c, p in zip(codes, places_of, strict=True)}
    without = []
    for query in queries:
        answerable = query.metadata.get("answerable")
        if answerable is False and query.query_id in relevant:
            found = gold.row(relevant[query.query_id])
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
    if without and len(gold):
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


def _check_run(parts: Parts, run: Run, ids: KnownIds, faults: Faults) -> None:
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


def _check_run_chunks(parts: Parts, run: Run, ids: KnownIds, faults: Faults) -> None:
    lists = run.lists
    if not len(lists.chunk_ids) or not (len(ids.chunks) or len(ids.gold)):
        return
    if not (_meets(lists.chunk_ids, ids.gold) or _meets(lists.chunk_ids, ids.chunks)):
        chunks = list(lists.vocabulary)
        known = ids.all_chunks
        right = examples(sorted(texts(ids.gold) or known))
        cause = explain(chunks, known, _chunk_metadata(parts))
        faults.error(
            "no-shared-chunks", run.path or "", None, left=examples(chunks), right=right, guess=cause
        )


def share_of_known_chunks(parts: Parts, run: Run, ids: KnownIds, faults: Faults) -> None:
    """Say how many of the chunks that a run returned the set knows; nothing where it knows none.

    It takes longer than reading the run, so it is said when somebody reads what there is to say.
    """
    chunks = run.lists.coded.dictionary
    is_known = (places(chunks, ids.chunks) >= 0) | (places(chunks, ids.gold) >= 0)
    known = int(is_known.sum())
    if known == 0:
        return
    file = run.path or ""
    if known < len(chunks) and len(ids.chunks):
        strange = chunks.filter(pa.array(~is_known))
        shown = examples(texts(strange[:3]))
        why = explain(texts(chunks), ids.all_chunks, _chunk_metadata(parts), "other-corpus")
        faults.warning("run-chunks-unknown", file, None, n=len(strange), of=len(chunks), ids=shown, guess=why)
    else:
        faults.note("known-chunks", file, None, known=known, of=len(chunks))


def _query_metadata(parts: Parts) -> Iterator[Mapping[str, Any]]:
    return (row.metadata for row in parts.queries or ())


def _chunk_metadata(parts: Parts) -> Iterator[Mapping[str, Any]]:
    return (row.metadata for row in parts.chunks or ())


def _meets(returned: Ids, known: Ids) -> bool:
    """Whether any id that was returned is known; mostly one of the first is."""
    few = joined([coded(returned[:_FEW]).dictionary])
    return bool((places(known, few) >= 0).any()) or bool((places(returned, known) >= 0).any())
