"""What the readers hand on: plain rows that still know where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragtui.dataset.model import Run, SetSettings

if TYPE_CHECKING:
    from ragtui.dataset.readers.chunk_columns import ChunkColumns
    from ragtui.dataset.readers.gold_columns import GoldColumns


DISTRACTOR = "distractor"
"""The role of a chunk that misleads."""


class GoldRow(NamedTuple):
    """One judgment as it was written."""

    query_id: str
    chunk_id: str
    grade: float
    reason: str = ""
    annotator: str = ""
    group: str | None = None
    role: str | None = None
    split: str = "all"
    file: Path | None = None
    line: int | None = None


@dataclass(slots=True)
class QueryRow:
    """One query as it was written.

    `text` is None where the file says none, `gold` None where it holds no gold.
    """

    query_id: str
    text: str | None
    metadata: Mapping[str, Any]
    line: int | None
    gold: list[GoldRow] | None = None


@dataclass(slots=True)
class ChunkRow:
    """One chunk as it was written."""

    chunk_id: str
    title: str
    text: str
    metadata: Mapping[str, Any]
    line: int | None = None


@dataclass
class Parts:
    """Everything that was read of a set, before it is put together.

    Attributes:
        queries: None where there is no file of queries; then the ids of gold and runs are the queries.
        inline_gold: gold that stood inside the queries; counts only as far as `gold` leaves room for it.
        gold: judgments of gold files; None where there is none.
        split_of: query id to split, from `splits.jsonl`; None without the file.
        run_queries: texts of queries that stood inside runs.
        run_chunks: texts of chunks that stood inside runs.
    """

    path: Path
    format: str
    settings: SetSettings = field(default_factory=SetSettings)
    queries: list[QueryRow] | None = None
    queries_file: Path | None = None
    chunks: list[ChunkRow] | ChunkColumns | None = None
    chunks_file: Path | None = None
    gold: list[GoldRow] | GoldColumns | None = None
    split_of: Mapping[str, str] | None = None
    split_lines: Mapping[str, int | None] = field(default_factory=dict)
    splits_file: Path | None = None
    runs: dict[str, Run] = field(default_factory=dict)
    run_queries: dict[str, str] = field(default_factory=dict)
    run_chunks: dict[str, ChunkRow] = field(default_factory=dict)
    snapshot: Path | None = None

    @property
    def inline_gold(self) -> list[GoldRow] | None:
        """Gold that stood inside the queries, None where no query holds any."""
        held = [row.gold for row in self.queries or () if row.gold is not None]
        return [judgment for gold in held for judgment in gold] if held else None
