"""Questions with what was retrieved for them and what should have been, made into a set.

Contexts and questions without ids get ids from their texts (see `content_ids`), so that a context that is
retrieved and needed is one chunk, and so that two files about the same questions are two runs of one set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragtui.dataset.content_ids import KnownTexts, chunk_id_of, query_id_of
from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.collected import CollectedRun, CollectedTexts, text_row
from ragtui.dataset.readers.contexts import Context
from ragtui.dataset.readers.rows import GoldRow, Parts, QueryRow
from ragtui.dataset.readers.values import BadValue, InexactId


@dataclass(frozen=True, slots=True)
class Sample:
    """One question.

    Attributes:
        query_id: None where the file has none.
        retrieved: contexts in rank order; None where nothing is said, empty where nothing was found.
        needed: contexts that should be found, every one of them; None where nothing is said.
        answer: what the system answered.
        error: why it failed.
        metadata: what else is said of the question, in our words, reference answer included.
    """

    line: int | None
    query_id: str | None
    text: str
    retrieved: Sequence[Context] | None = None
    needed: Sequence[Context] | None = None
    answer: str | None = None
    error: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


Identified = Sequence[tuple[str, Sample]]
"""Samples with the ids of their queries, each id once."""


class SampleSet:
    """Makes parts of a set out of samples.

    First `learn` from all samples and `identify` those of each file, then `add_questions` of the main file
    and `add_run` for every file.
    """

    def __init__(self, parts: Parts, faults: Faults) -> None:
        """Start with what is there: a corpus and queries that were named know ids of texts."""
        self._parts = parts
        self._faults = faults
        self._texts = CollectedTexts()
        self._chunks = KnownTexts((row.text, row.chunk_id) for row in parts.chunks or ())
        self._queries = KnownTexts((row.text or "", row.query_id) for row in parts.queries or ())

    def learn(self, samples: Iterable[Sample]) -> None:
        """Learn which texts have ids."""
        for sample in samples:
            if sample.query_id is not None:
                self._queries.learn(sample.text, sample.query_id)
            for context in (*(sample.retrieved or ()), *(sample.needed or ())):
                if context.chunk_id is not None:
                    self._chunks.learn(context.text, context.chunk_id)

    def identify(self, samples: Iterable[Sample], path: Path) -> Identified:
        """Samples of one file with their query ids.

        The same text again without an id is another query, the same id again is a fault.
        """
        found: dict[str, Sample] = {}
        for sample in samples:
            query_id = sample.query_id or self._queries.id_of(sample.text)
            if query_id is None:
                query_id = _free(query_id_of(sample.text), found)
            elif query_id in found:
                first = found[query_id].line
                self._faults.error("query-twice-in-run", path, sample.line, id=query_id, first=first)
                continue
            found[query_id] = sample
        return tuple(found.items())

    def add_questions(self, samples: Identified, path: Path) -> None:
        """Queries and gold of one file; where queries were named, only those count, with their own gold."""
        parts = self._parts
        if parts.queries is None:
            parts.queries_file = path
            parts.queries = [
                QueryRow(one, sample.text, sample.metadata, sample.line) for one, sample in samples
            ]
        said = dict(samples)
        for row in parts.queries:
            sample = said.get(row.query_id)
            if sample is not None and sample.needed is not None and row.gold is None:
                row.gold = self._gold(row.query_id, sample, path)
        self._texts.into(parts, self._faults)

    def add_run(self, name: str, samples: Identified, path: Path) -> None:
        """What was retrieved in one file; nothing where no sample says it."""
        run = CollectedRun(name, path)
        for query_id, sample in samples:
            if sample.answer is not None:
                run.answers[query_id] = sample.answer
            if sample.error is not None:
                run.errors[query_id] = sample.error
            if sample.retrieved is not None:
                ids = [self._chunk(context, sample.line) for context in sample.retrieved]
                run.add(query_id, ids, [context.score for context in sample.retrieved])
        if run.lists or run.errors:
            self._parts.runs[name] = run.run()
        self._texts.into(self._parts, self._faults)

    def _gold(self, query_id: str, sample: Sample, path: Path) -> list[GoldRow]:
        ids = dict.fromkeys(self._chunk(context, sample.line) for context in sample.needed or ())
        return [GoldRow(query_id, one, 1.0, file=path, line=sample.line) for one in ids]

    def _chunk(self, context: Context, line: int | None) -> str:
        chunk_id = context.chunk_id or self._chunks.id_of(context.text) or chunk_id_of(context.text)
        try:
            self._texts.add(text_row(chunk_id, context.text, context.title, context.metadata, line))
        except (BadValue, InexactId):  # metadata of foreign shape is no reason to lose the text
            self._texts.add(text_row(chunk_id, context.text, context.title, {}, line))
        return chunk_id


def with_gold_queries(parts: Parts) -> None:
    """Add the queries that only gold names: a file of results need not hold all of them."""
    queries = parts.queries or []
    known = {row.query_id for row in queries}
    named = dict.fromkeys(row.query_id for row in parts.gold or ())
    parts.queries = [*queries, *(QueryRow(one, None, {}, None) for one in named if one not in known)]


def _free(query_id: str, taken: Mapping[str, Sample]) -> str:
    number = 1
    while (name := query_id if number == 1 else f"{query_id}-{number}") in taken:
        number += 1
    return name
