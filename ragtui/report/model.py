"""What a report says, as plain frozen data and without a word of it: renderers and languages come after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ragtui.analysis.causes.catalogue import Cause
from ragtui.analysis.causes.model import Suggestion
from ragtui.analysis.comparison import Comparison
from ragtui.analysis.judged import JudgeName
from ragtui.analysis.slices import Slice
from ragtui.analysis.targets import Target
from ragtui.judging.corrected import Corrected
from ragtui.judging.scores import JudgedScore
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
        gold_version: of corrected gold that is counted with; 0 is that of the files.
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
    gold_version: int
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
    """

    kind: str
    weight: int
    values: Mapping[str, str | int]


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
        missing: chunks of the evidence groups that have none in the first K, each with its rank or None.
        causes: names of those that people gave.
        suggestion: what a rule suggests first; None where none does, or none could be asked.
    """

    query_id: str
    text: str
    type: str | None
    got: int
    groups: int
    first_rank: int | None
    strip: str
    missing: tuple[tuple[str, int | None], ...]
    causes: tuple[str, ...] = ()
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many failing queries people gave a cause, how many of those asked rules suggest it for, and why.

    `usual` is an example of the rule that suggests it most often; None where none does.
    """

    cause: str
    given: int
    suggested: int
    usual: Suggestion | None


@dataclass(frozen=True, slots=True)
class Failures:
    """Queries whose evidence is not complete.

    Attributes:
        n, of: how many of how many.
        worst: the first of them.
        known: all causes of the set, for their titles.
        tagged: failing queries that people gave a cause.
        asked: failing queries that rules were asked about: all, or a sample of them.
        causes: by how often people give them, then rules.
        error: why decisions and suggestions could not be read; `""` where they were.
    """

    n: int
    of: int
    worst: tuple[FailedQuery, ...]
    known: tuple[Cause, ...] = ()
    tagged: int = 0
    asked: int = 0
    causes: tuple[CauseCount, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class SliceTable:
    """Slices by one key."""

    key: str
    slices: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Bins:
    """Queries by score, see `ragtui.analysis.calibration.histogram`; `without` have no score."""

    edges: tuple[float, ...]
    found: tuple[int, ...]
    missed: tuple[int, ...]
    no_answer: tuple[int, ...]
    without: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Refusals:
    """A refusal threshold, or why there is none that may be used.

    Attributes:
        score, rule: what is compared with it, and how it was chosen.
        fit_split, report_split: what it was chosen on, and what the rates are over.
        found, missed, no_answer: queries of the fitted split.
        auroc: of answerable over no-answer queries.
        threshold, written, low, high: in the units of the run; None, and `""`, without a usable one.
        reason: why none is usable, in words; `""` where one is.
        rates: `false_answer`, `false_refusal`, `coverage`, `risk`, each with its count; of the fitted
            threshold, usable or not.
        method: `held-out` or `cross-fitted`; `""` without rates, and `rates_reason` says why.
        at_most: one-sided 95 % bound of false answers; None unless held out.
        direction: whether the better score is the higher or the lower one.
    """

    score: str
    rule: str
    fit_split: str | None
    report_split: str | None
    found: int
    missed: int
    no_answer: int
    auroc: Estimate
    threshold: float | None
    written: str
    low: float | None
    high: float | None
    reason: str
    rates: Mapping[str, tuple[Estimate, int]]
    method: str
    at_most: float | None
    rates_reason: str
    bins: Bins
    direction: str

    def estimate(self, name: str) -> Estimate | None:
        """`auroc`, or a rate of a threshold that may be used; None without one."""
        if name == "auroc":
            return self.auroc
        found = self.rates.get(name)
        return found[0] if found is not None and self.threshold is not None else None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Refusals of a run; without them why they cannot be had."""

    refusals: Refusals | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """How far a judge agrees with people.

    Attributes:
        kappa: that it is held to.
        agreement: share of the pairs with the same value; None without pairs.
        n: pairs.
        flips: share of things asked again on which it changed its mind; None where nothing was.
        followed: share of planted instructions that it followed; None without any.
        failures: labelled pairs on which it failed.
    """

    kappa: Estimate
    agreement: float | None
    n: int
    flips: Estimate | None
    followed: Estimate | None
    failures: int


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """One judge on the run.

    Attributes:
        scores: means with coverage, by name.
        counts: queries by state.
        failures: verdicts that failed, by status.
        verdicts: those that were given.
        card: on its own labelled pairs; None where nobody has measured it.
        gold_card: on the gold of the set; None where gold says nothing of what it judges.
        corrected: means corrected by gold, where they can be.
    """

    name: JudgeName
    scores: Mapping[str, JudgedScore]
    counts: Mapping[str, int]
    failures: Mapping[str, int]
    verdicts: int
    card: JudgeCard | None
    gold_card: JudgeCard | None
    corrected: Mapping[str, Corrected]


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
        no_answer: refusals; None where no query lacks an answer.
        judges: with verdicts on this run.
        judges_error: why they could not be read; `""` where they were.
        comparison: with a baseline; None where none was asked for.
        texts: of the queries that got worse, by id.
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
    no_answer: NoAnswer | None
    judges: tuple[JudgeReport, ...]
    judges_error: str
    comparison: Comparison | None
    texts: Mapping[str, str]
    remarks: tuple[tuple[str, str], ...]
