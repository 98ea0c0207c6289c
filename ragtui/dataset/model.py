"""What is evaluated, as plain frozen data: queries, chunks, gold and runs. No input or output here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.faults import Fault

Direction = Literal["higher", "lower"]

QUERY_COLUMNS = (
    "text",
    "type",
    "difficulty",
    "answerable",
    "reference",
    "origin",
    "core",
    "created",
    "cluster",
)
CHUNK_COLUMNS = ("title", "text", "doc_id", "source", "version", "valid_from")
GOLD_COLUMNS = ("query_id", "chunk_id", "grade", "reason", "annotator", "group", "role", "split")


@dataclass(frozen=True, slots=True)
class SetSettings:
    """What `set.toml` says of a set; every field has a default, so a set without the file is complete."""

    name: str = ""
    language: str | None = None
    grade_scale: tuple[float, ...] | None = None
    relevant_from: float | None = None
    strict: float | None = None
    k: tuple[int, ...] = (1, 3, 5, 10, 20)
    start_k: int = 5
    primary: str = "ndcg@10"
    gold_complete: bool = False
    sealed: tuple[str, ...] = ()
    targets: Mapping[str, float] = field(default_factory=dict)
    causes: Mapping[str, str] = field(default_factory=dict)

    @property
    def level(self) -> float:
        """Lowest grade that is relevant: what the set says, else 2 on the declared scale 0–3, else 1."""
        if self.relevant_from is not None:
            return self.relevant_from
        return 2.0 if self.grade_scale == (0.0, 1.0, 2.0, 3.0) else 1.0


@dataclass(frozen=True, slots=True)
class Hashes:
    """Hex SHA-256 of what an experiment stands on: a run on corpus and queries, a result also on gold."""

    corpus: str
    queries: str
    gold: str


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Ranked lists of many queries in compressed rows: the list of query i is `[offsets[i]:offsets[i + 1]]`.

    Order is that of the file (for TREC files: by score), nothing is cleaned: repeats are still there.

    Attributes:
        query_ids: (n,) object array of str, each id once.
        offsets: (n + 1,) int64, from 0 to m.
        codes: (m,) int32, index into `vocabulary`.
        vocabulary: (v,) object array of str, each chunk id once.
        scores: (m,) float64 as written; NaN where the file gave none.
    """

    query_ids: npt.NDArray[np.object_]
    offsets: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int32]
    vocabulary: npt.NDArray[np.object_]
    scores: npt.NDArray[np.float64]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """(n,) how many results each query has, repeats included."""
        return np.diff(self.offsets)

    def row_of(self, query_id: str) -> int | None:
        """Row of a query, None where the run has none for it."""
        return self._rows.get(query_id)

    @property
    def _rows(self) -> dict[str, int]:
        rows = self.__dict__.get("_row_index")
        if rows is None:
            rows = {query_id: row for row, query_id in enumerate(self.query_ids)}
            object.__setattr__(self, "_row_index", rows)
        return rows

    def list_of(self, query_id: str) -> tuple[list[str], npt.NDArray[np.float64]]:
        """Chunk ids and scores of one query in rank order; both empty where the run lacks it."""
        row = self.row_of(query_id)
        if row is None:
            return [], np.empty(0)
        where = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        return list(self.vocabulary[self.codes[where]]), self.scores[where]

    @classmethod
    def from_lists(
        cls, lists: Mapping[str, list[str]], scores: Mapping[str, list[float]] | None = None
    ) -> RankedLists:
        """Build from `{query_id: [chunk_id, ...]}`, already in rank order."""
        codes: dict[str, int] = {}
        flat = [codes.setdefault(chunk, len(codes)) for ranked in lists.values() for chunk in ranked]
        sizes = [len(ranked) for ranked in lists.values()]
        values = [s for query in lists for s in scores[query]] if scores is not None else [np.nan] * len(flat)
        return cls(
            query_ids=_objects(list(lists)),
            offsets=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            codes=np.asarray(flat, dtype=np.int32),
            vocabulary=_objects(list(codes)),
            scores=np.asarray(values, dtype=np.float64),
        )


@dataclass(frozen=True, slots=True)
class RunCard:
    """How a run was made: the fields of its TOML file as they stand."""

    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def depth(self) -> int | None:
        """How many results the system was asked for; metrics beyond it are not computed."""
        value = self.fields.get("depth")
        return int(value) if value is not None else None

    @property
    def direction(self) -> Direction:
        """Whether a better result has the higher score, or the lower (a distance)."""
        return "lower" if self.fields.get("score_direction") == "lower" else "higher"

    @property
    def model(self) -> str | None:
        value = self.fields.get("model")
        return str(value) if value is not None else None


@dataclass(frozen=True, eq=False)
class Run:
    """What one retrieval system returned.

    Attributes:
        name: its name in the set; unique there.
        lists: the final list of every query.
        stages: further lists by stage (`retrieved`, `reranked`, `prompt`), scores NaN.
        card: None where the run came without one.
        direction: of the scores; from the card, or from a field called distance.
        latency_ms: index query_id, one column per stage (`total` for a single figure), milliseconds; None
            without.
        errors: query_id to message, for queries on which the system failed.
        answers: index query_id, columns `answer` (str) and `answer_correct` (bool or NA); None without.
        routes: columns query_id, chunk_id, route, rank: where each route had it; None without.
        path: the file it was read from.
    """

    name: str
    lists: RankedLists
    stages: Mapping[str, RankedLists] = field(default_factory=dict)
    card: RunCard | None = None
    direction: Direction = "higher"
    latency_ms: pd.DataFrame | None = None
    errors: Mapping[str, str] = field(default_factory=dict)
    answers: pd.DataFrame | None = None
    routes: pd.DataFrame | None = None
    path: Path | None = None

    @property
    def depth(self) -> int | None:
        """Depth of the card, None without a card."""
        return self.card.depth if self.card is not None else None

    def depth_of(self, stage: str | None) -> int | None:
        """How deep a stage was asked to be: a number of the card under its name; for None the run's depth."""
        if stage is None or self.card is None:
            return self.depth
        depth = self.card.fields.get(stage)
        return depth if isinstance(depth, int) else None

    def stage(self, name: str | None) -> RankedLists | None:
        """The lists of a stage, the final lists for None; None where the run has no such stage."""
        return self.lists if name is None else self.stages.get(name)


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """A frozen evaluation: queries, chunks, gold and runs, with what was noticed while reading.

    Attributes:
        path: folder or file it was opened from.
        settings: what `set.toml` says, with defaults.
        queries: index `query_id` (str, unique, order of the file). Always the columns `QUERY_COLUMNS`: text
            (str), type, difficulty, reference, origin, created, cluster (object, None where unsaid),
            answerable (object: True, False, None where unsaid), core (bool). Further metadata keys follow as
            object columns. Retired queries are left out.
        chunks: index `chunk_id` (str, unique). Always the columns `CHUNK_COLUMNS` (title, text: str, `""`
            where unsaid; the others object, None where unsaid; doc_id falls back to the id before `#`, else
            to the chunk id). Further metadata keys follow. Empty where the set came without a corpus.
        gold: columns `GOLD_COLUMNS`, one row per judgment, merged: (split, query_id, chunk_id, annotator) is
            unique. grade float64 as written; reason and annotator `""`, group and role None where unsaid.
        query_split: index query_id, the split of each query as str, None for a query in none.
        runs: by name, in order of the files.
        retired: how many queries were left out as retired.
        format: name of the format it was read from.
        warnings: warnings and notes of reading, in order.
        hashes: of corpus, queries and gold.
    """

    path: Path
    settings: SetSettings
    queries: pd.DataFrame
    chunks: pd.DataFrame
    gold: pd.DataFrame
    query_split: pd.Series[Any]
    runs: Mapping[str, Run]
    hashes: Hashes
    retired: int = 0
    format: str = "native"
    warnings: tuple[Fault, ...] = ()

    @property
    def name(self) -> str:
        return self.settings.name or self.path.resolve().name

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits, in order of first appearance."""
        return tuple(str(s) for s in pd.unique(self.query_split.dropna()))


def _objects(values: list[str]) -> npt.NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
