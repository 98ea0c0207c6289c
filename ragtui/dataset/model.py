"""What is evaluated, as plain frozen data: queries, chunks, gold and runs. No input or output here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.faults import Fault, in_order
from ragtui.dataset.hashes import Hashes, hashes
from ragtui.dataset.ids import Ids, coded, codes_of, fingerprints, ids_of
from ragtui.dataset.list_order import order_within
from ragtui.dataset.ranked_lists import RankedLists

# Hashes and RankedLists have files of their own and are part of the model.
__all__ = [
    "CHUNK_COLUMNS",
    "GOLD_COLUMNS",
    "QUERY_COLUMNS",
    "Direction",
    "EvaluationSet",
    "GoldCodes",
    "Hashes",
    "RankedLists",
    "Run",
    "RunCard",
    "SetSettings",
]

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
class GoldCodes:
    """Ids of the gold table as numbers, as reading it needed them anyway.

    Attributes:
        query, chunk: (m,) int32, index into `query_ids` and `chunk_ids`.
        query_ids, chunk_ids: plain Arrow text, each id once.
    """

    query: npt.NDArray[np.int32]
    chunk: npt.NDArray[np.int32]
    query_ids: Ids
    chunk_ids: Ids

    @cached_property
    def keys(self) -> npt.NDArray[np.int64]:
        """(m,) one number for each pair of query and chunk."""
        return self.query * np.int64(len(self.chunk_ids)) + self.chunk

    @cached_property
    def by_key(self) -> npt.NDArray[np.int64]:
        """(m,) rows in ascending order of their keys: query by query."""
        if (self.query[1:] < self.query[:-1]).any():
            return np.argsort(self.keys)
        return order_within(np.bincount(self.query, minlength=1), self.chunk)

    @cached_property
    def has_repeats(self) -> bool:
        """Whether any pair is judged twice."""
        in_order = self.keys[self.by_key]
        return bool((in_order[1:] == in_order[:-1]).any())

    @cached_property
    def likenesses(self) -> npt.NDArray[np.uint64]:
        """(m,) one number for each judged chunk, the same for the same, and hardly ever for others."""
        return fingerprints(self.chunk_ids)[self.chunk]

    def prepare(self) -> None:
        """Work out now what checks and metrics will ask for."""
        _ = self.has_repeats, self.likenesses

    @classmethod
    def of(cls, gold: pd.DataFrame) -> GoldCodes:
        """Codes of a table with the columns query_id and chunk_id."""
        query, chunk = coded(ids_of(gold["query_id"])), coded(ids_of(gold["chunk_id"]))
        return cls(codes_of(query), codes_of(chunk), query.dictionary, chunk.dictionary)


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
        said: warnings and notes of reading.
        said_later: more of them, such as the share of known chunks, which nobody waits for who wants numbers.
        given_hashes: of a set that is made up rather than read; else they are computed.
    """

    path: Path
    settings: SetSettings
    queries: pd.DataFrame
    chunks: pd.DataFrame
    gold: pd.DataFrame
    query_split: pd.Series[Any]
    runs: Mapping[str, Run]
    retired: int = 0
    format: str = "native"
    said: tuple[Fault, ...] = ()
    said_later: Callable[[EvaluationSet], Sequence[Fault]] = lambda _: ()
    given_hashes: Hashes | None = None

    @cached_property
    def warnings(self) -> tuple[Fault, ...]:
        """Warnings of reading, then notes."""
        return in_order((*self.said, *self.said_later(self)))

    @cached_property
    def gold_codes(self) -> GoldCodes:
        """Codes of the ids of `gold`."""
        return GoldCodes.of(self.gold)

    def with_codes(self, codes: GoldCodes) -> EvaluationSet:
        """This set, with the codes of its gold that reading made; a set made from it makes its own."""
        self.__dict__["gold_codes"] = codes
        return self

    @cached_property
    def hashes(self) -> Hashes:
        """Of corpus, queries and gold, computed when they are first asked for."""
        return self.given_hashes or hashes(self.queries, self.chunks, self.gold)

    @property
    def hashes_at_hand(self) -> Hashes | None:
        """`hashes` where nobody has to wait for them: they take seconds for a large corpus."""
        return self.given_hashes or self.__dict__.get("hashes")

    @property
    def name(self) -> str:
        return self.settings.name or self.path.resolve().name

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits, in order of first appearance."""
        return tuple(str(s) for s in pd.unique(self.query_split.dropna()))
