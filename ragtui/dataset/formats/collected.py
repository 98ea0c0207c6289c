"""Puts together what formats without ids or run files hold: queries, gold and runs from single questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ragtui.dataset.faults import Faults
from ragtui.dataset.model import RankedLists, Run
from ragtui.dataset.readers.chunks import chunk_row
from ragtui.dataset.readers.records import Record
from ragtui.dataset.readers.rows import ChunkRow, Parts


@dataclass
class CollectedRun:
    """One run while its queries come in one by one; lists are in rank order."""

    name: str
    path: Path
    lists: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def add(self, query_id: str, chunk_ids: Sequence[str], scores: Sequence[float] | None = None) -> None:
        """The list of one query; without scores they are NaN."""
        self.lists[query_id] = list(chunk_ids)
        self.scores[query_id] = list(scores) if scores is not None else [float("nan")] * len(chunk_ids)

    def run(self) -> Run:
        """What was collected."""
        return Run(
            name=self.name,
            lists=RankedLists.from_lists(self.lists, self.scores),
            errors=self.errors,
            answers=_answer_table(self.answers),
            path=self.path,
        )


@dataclass
class CollectedTexts:
    """Texts of chunks by id; of two texts of one id the first stays, and the others are counted."""

    chunks: dict[str, ChunkRow] = field(default_factory=dict)
    differing: int = 0

    def add(self, row: ChunkRow) -> None:
        """One text; a blank one says nothing."""
        if not row.text.strip():
            return
        self.differing += self.chunks.setdefault(row.chunk_id, row).text.split() != row.text.split()

    def into(self, parts: Parts, faults: Faults) -> None:
        """Hand the texts on; where there is no corpus they are the chunks, and two texts of one id matter."""
        if self.differing and parts.chunks is None:
            faults.warning("run-chunk-with-two-texts", parts.path, n=self.differing)
        parts.run_chunks = {**self.chunks, **parts.run_chunks}


def text_row(
    chunk_id: str, text: str, title: str, metadata: Mapping[str, object], line: int | None
) -> ChunkRow:
    """A chunk from its pieces, with the metadata in our words."""
    record = {"chunk_id": chunk_id, "text": text, "title": title, "metadata": dict(metadata)}
    return chunk_row(Record(line, record))


def _answer_table(answers: Mapping[str, str]) -> pd.DataFrame | None:
    if not answers:
        return None
    table = pd.DataFrame(
        {
            "answer": pd.Series(list(answers.values()), dtype="str"),
            "answer_correct": pd.array([pd.NA] * len(answers), dtype="boolean"),
        }
    )
    table.index = pd.Index(list(answers), name="query_id")
    return table
