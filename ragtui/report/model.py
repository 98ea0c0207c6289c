"""What a report says, as plain frozen data and without a word of it: renderers and languages come after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ragtui.analysis.comparison import Comparison
from ragtui.analysis.slices import Slice
from ragtui.analysis.targets import Target
from ragtui.stats.estimate import Estimate

Chosen = Literal["named", "only", "best"]


@dataclass(frozen=True, slots=True)
class Basis:
    """What all numbers of a report stand on.

    Attributes:
        set_name, path: of the set; the path as it was given.
        run: the run that the report is about.
        chosen: how it was chosen; `best` is the one with the highest mean of the primary metric of several.
        runs: names of all runs of the set.
        split: None where the set has none.
        k: cut-off that evidence is looked for within.
        primary: the metric that decides, such as `ndcg@10`.
        level: grade from which a chunk is relevant.
        convention: of the metrics.
        where: the filter, `""` for none.
        queries, scored, no_answer, other: how many there are; they add up.
        hashes: of corpus, queries and gold, hex; corpus None without one.
        card: fields of the run card; None without one.
        time: when the report was made, ISO 8601; version: of ragtui.
    """

    set_name: str
    path: str
    run: str
    chosen: Chosen
    runs: tuple[str, ...]
    split: str | None
    k: int
    primary: str
    level: float
    convention: str
    where: str
    queries: int
    scored: int
    no_answer: int
    other: int
    hashes: Mapping[str, str | None]
    card: Mapping[str, Any] | None
    time: str
    version: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the owner's figures.

    Attributes:
        kind: what it stands for: `complete`, `primary`, `stale`, `mrr`, `false-answer`, `auroc`, `hit`.
        name: of the metric.
        estimate: None as mean where it could not be had.
        count: queries that have it, of a share; None for other means.
        target: None where the set wants nothing of it.
    """

    kind: str
    name: str
    estimate: Estimate
    count: int | None
    target: Target | None


@dataclass(frozen=True, slots=True)
class WeakSlice:
    """A slice whose evidence is complete less often than that of the rest.

    Attributes:
        key, value: which queries.
        n, complete: how many they are, and of how many the evidence is complete in the first K.
        share, low, high: with Wilson's interval.
        rest: the same share of all other scored queries.
        p_holm: chance of so few or fewer if the slice were drawn at random (hypergeometric), adjusted for
            all slices that were looked at; None where queries belong to clusters.
    """

    key: str
    value: str
    n: int
    complete: int
    share: float
    low: float
    high: float
    rest: float
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do next, with what says so.

    Attributes:
        kind: key below `report.step`.
        weight: queries that it is about; the heaviest stand first.
        values: of its texts.
        command: that helps; `""` for none.
    """

    kind: str
    weight: int
    values: Mapping[str, str | int]
    command: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that the numbers do not show: key below `report.limit`, and the values of its text."""

    kind: str
    values: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class FailedQuery:
    """A query whose evidence is not complete in the first K.

    Attributes:
        got, groups: evidence groups found and needed.
        first_rank: of the first relevant chunk; None where it was not retrieved.
        strip: gold grade at each of the first ranks, see `Strips.strip`.
        missing: relevant chunks that are not in the first K, each with its rank in the list or None.
    """

    query_id: str
    text: str
    type: str | None
    got: int
    groups: int
    first_rank: int | None
    strip: str
    missing: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Failures:
    """Queries whose evidence is not complete: how many of how many, and the worst of them."""

    n: int
    of: int
    worst: tuple[FailedQuery, ...]


@dataclass(frozen=True, slots=True)
class SliceTable:
    """Slices by one key."""

    key: str
    slices: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report says.

    Attributes:
        figures: of the owner's page, four.
        targets: in order of `set.toml`.
        weak: slices that are decisively worse than the rest, worst first.
        low: of the others those with the lowest share, which may be chance.
        steps: what to do next, the weightiest first.
        limits: what the numbers do not show.
        metrics: mean of every metric of the run, by name.
        others: a few of them for each of the other runs, by run.
        slices: by key.
        failures: queries that failed.
        comparison: with a baseline; None where none was asked for.
        remarks: warnings and notes of reading and of the run, as texts.
    """

    basis: Basis
    figures: tuple[Figure, ...]
    targets: tuple[Target, ...]
    weak: tuple[WeakSlice, ...]
    low: tuple[WeakSlice, ...]
    steps: tuple[Step, ...]
    limits: tuple[Limit, ...]
    metrics: Mapping[str, Estimate]
    others: Mapping[str, Mapping[str, Estimate]]
    slices: tuple[SliceTable, ...]
    failures: Failures
    comparison: Comparison | None
    remarks: tuple[tuple[str, str], ...]
