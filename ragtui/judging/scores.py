"""Scores of a run from the verdicts on it: of each query, and their means with coverage and range.

Pure: selected queries and a verdict table go in, tables come out. A verdict that failed or is not there yet
is never a number. A score that needs it is not computed and leaves the mean; beside each mean stand how many
queries it is over, how many it should be over, and where it could lie if what is missing were 0 or 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ragtui.judging.items import asks_together
from ragtui.judging.model import Item, Judge
from ragtui.judging.score_formulas import average_precision, covered, extremes, ndcg, share
from ragtui.judging.selection import Selected, hashes_of
from ragtui.stats.estimate import Estimate
from ragtui.stats.means import estimate_means

LOWEST = " lowest"
HIGHEST = " highest"
"""Behind the name of a score: columns of the value it would have if what is missing were 0, or 1."""

Gold = Mapping[str, Mapping[str, float]]
_Score = tuple[float | None, float, float]


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The mean of one score.

    Attributes:
        estimate: mean and interval over the queries that have a value.
        of: queries that should have one.
        lowest: the mean over all of these if every verdict that is missing were the lowest of the scale.
        highest: the same for the highest; both None without queries.
    """

    estimate: Estimate
    of: int
    lowest: float | None
    highest: float | None

    @property
    def complete(self) -> bool:
        """Whether no query is missing from the mean and no verdict could move it."""
        return self.estimate.n == self.of and self.lowest == self.highest


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """Scores of a run.

    Attributes:
        per_query: index query_id in the order selected. `state` as text: `scored`; `partly`, `failed` or
            `unjudged`, where some or all verdicts are missing; `nothing-retrieved`, which is 0; or why the
            query is left out: `no-answer`, `no-reference`, `skipped`.
            `judged`, `failed` and `unjudged` count verdicts. A column for each score (NaN where it has no
            value), and two more with `LOWEST` and `HIGHEST` behind its name.
        scores: by name, such as `context_precision@5`.
        counts: queries by state.
        failures: verdicts that failed, by status.
    """

    per_query: pd.DataFrame
    scores: Mapping[str, JudgedScore]
    counts: Mapping[str, int]
    failures: Mapping[str, int]


def judged_scores(
    judge: Judge,
    selected: Sequence[Selected],
    verdicts: pd.DataFrame,
    *,
    at: str,
    gold: Gold | None = None,
    cluster: pd.Series[Any] | None = None,
) -> JudgedScores:
    """What the verdicts of a judge make of the lists of a run.

    Args:
        judge: whose verdicts they are.
        selected: queries with what was judged of each.
        verdicts: table of this judge and one model. Verdicts on other texts, and repeats after the first, are
            passed over.
        at: what stands behind the `@` of a score's name: K, or the stage that was judged.
        gold: grades by query and chunk on the scale of the judge, for `ndcg_judged`; without it that score is
            not computed, because an ideal order of what was retrieved hides what was missed.
        cluster: by query_id, for the intervals.
    """
    names = [f"{name}@{at}" for name in score_names(judge, with_gold=gold is not None)]
    per_query, failures = scores_of_queries(judge, selected, verdicts, at=at, gold=gold)
    counts = Counter(per_query["state"])
    return JudgedScores(per_query, aggregate(per_query, names, cluster), dict(counts), failures)


def scores_of_queries(
    judge: Judge, selected: Sequence[Selected], verdicts: pd.DataFrame, *, at: str, gold: Gold | None = None
) -> tuple[pd.DataFrame, Mapping[str, int]]:
    """The scores of each query alone, as in `JudgedScores.per_query`, and its failures: no means.

    Arguments are those of `judged_scores`.
    """
    book = _Book(verdicts)
    names = [f"{name}@{at}" for name in score_names(judge, with_gold=gold is not None)]
    depth = int(at) if at.isdecimal() else max((len(query.chunk_ids) for query in selected), default=0)
    rows = [
        _row(judge, book, query, names, None if gold is None else gold.get(query.query_id, {}), depth)
        for query in selected
    ]
    columns = ["state", "judged", "failed", "unjudged"]
    columns += [name + end for name in names for end in ("", LOWEST, HIGHEST)]
    per_query = pd.DataFrame(
        {column: [row.get(column) for row in rows] for column in columns},
        index=pd.Index([query.query_id for query in selected], name="query_id", dtype=object),
    )
    per_query[columns[4:]] = per_query[columns[4:]].astype(np.float64)
    return per_query, dict(book.failures)


def score_names(judge: Judge, *, with_gold: bool = False) -> tuple[str, ...]:
    """Names of the scores that a judge gives, without what follows the `@`.

    `context_precision` and `context_useful` of 0 and 1 on contexts, `mean_grade` (on the scale of the judge)
    and `ndcg_judged` of grades, `context_recall` of a reference, `claim_coverage` of statements. All but
    `mean_grade` lie in [0, 1].
    """
    if judge.unit == "reference":
        return ("context_recall",)
    if judge.unit == "statement-context":
        return ("claim_coverage",)
    if judge.scale == (0.0, 1.0):
        return ("context_precision", "context_useful")
    return ("mean_grade", "ndcg_judged") if with_gold else ("mean_grade",)


def aggregate(
    per_query: pd.DataFrame, names: Sequence[str], cluster: pd.Series[Any] | None = None
) -> dict[str, JudgedScore]:
    """Means of scores over the queries that have them, and their ranges over all that should.

    Args:
        per_query: index query_id; for each name a column, NaN where there is no value, and columns `LOWEST`
            and `HIGHEST`, NaN where the query is left out.
        names: of the scores.
        cluster: by query_id, for the intervals.
    """
    estimates = estimate_means(per_query[list(names)], cluster=cluster)
    found = {}
    for name in names:
        low, high = per_query[name + LOWEST].dropna(), per_query[name + HIGHEST].dropna()
        ends = (float(low.mean()), float(high.mean())) if len(low) else (None, None)
        found[name] = JudgedScore(estimates[name], len(low), *ends)
    return found


def means_on_both(
    first: JudgedScores, second: JudgedScores, name: str
) -> tuple[float | None, float | None, int]:
    """Mean of a score in two runs over the queries that have a value in both, and how many these are."""
    both = pd.concat([first.per_query[name], second.per_query[name]], axis=1, join="inner").dropna()
    if both.empty:
        return None, None, 0
    return float(both.iloc[:, 0].mean()), float(both.iloc[:, 1].mean()), len(both)


class _Book:
    """Values of verdicts by what they are about, and the failures among those that were looked up."""

    def __init__(self, verdicts: pd.DataFrame) -> None:
        self._rows: dict[tuple[str, str], list[tuple[str | None, str | None, float | None, str]]] = {}
        self.failures: Counter[str] = Counter()
        columns = ("query_id", "text_hash", "chunk_id", "claim", "value", "status", "repeat")
        for query_id, digest, chunk_id, claim, value, status, repeat in zip(
            *(verdicts[name].tolist() for name in columns), strict=True
        ):
            if repeat == 0:
                known = float(value) if status == "ok" else None
                self._rows.setdefault((query_id, digest), []).append((chunk_id, claim, known, status))

    def on(self, query_id: str, digest: str, chunk_id: str) -> tuple[float | None, str]:
        """Value and status of the verdict on a chunk, `unjudged` where there is none."""
        rows = self._rows.get((query_id, digest), [])
        found = next((row for row in reversed(rows) if row[0] == chunk_id), None)
        return self._noted(found[2:] if found else (None, "unjudged"))

    def on_statements(self, query_id: str, digest: str) -> list[tuple[float | None, str]]:
        """Value and status of the verdicts on a reference; the one failure where nothing succeeded."""
        rows = self._rows.get((query_id, digest), [])
        given = [row[2:] for row in rows if row[3] == "ok"]
        return [self._noted(row) for row in given or [row[2:] for row in rows[-1:]] or [(None, "unjudged")]]

    def _noted(self, verdict: tuple[float | None, str]) -> tuple[float | None, str]:
        if verdict[1] not in ("ok", "unjudged", "skipped"):
            self.failures[verdict[1]] += 1
        return verdict


def _row(
    judge: Judge,
    book: _Book,
    query: Selected,
    names: Sequence[str],
    gold: Mapping[str, float] | None,
    depth: int,
) -> dict[str, Any]:
    """One row of the per-query table."""
    if query.state == "nothing-retrieved":
        zeros = {name + end: judge.scale[0] for name in names for end in ("", LOWEST, HIGHEST)}
        return {"state": query.state, "judged": 0, "failed": 0, "unjudged": 0, **zeros}
    if query.state != "judged":
        return {"state": query.state, "judged": 0, "failed": 0, "unjudged": 0}
    digests = hashes_of(judge, query)
    found = [
        _found(judge, book, query, item, digest) for item, digest in zip(query.items, digests, strict=True)
    ]
    statuses = Counter(status for verdicts in found for _, status in verdicts)
    row: dict[str, Any] = {
        "state": _state(statuses),
        "judged": statuses["ok"],
        "failed": statuses.total() - statuses["ok"] - statuses["unjudged"] - statuses["skipped"],
        "unjudged": statuses["unjudged"] + statuses["skipped"],
    }
    if row["state"] != "skipped":
        values = [value for verdicts in found for value, _ in verdicts]
        for name, (value, low, high) in zip(names, _scores(judge, query, values, gold, depth), strict=True):
            row |= {name: value, name + LOWEST: low, name + HIGHEST: high}
    return row


def _state(statuses: Counter[str]) -> str:
    found = set(statuses)
    if found <= {"skipped"}:
        return "skipped"
    if "ok" in found:
        return "scored" if found == {"ok"} else "partly"
    return "unjudged" if found <= {"unjudged", "skipped"} else "failed"


def _found(
    judge: Judge, book: _Book, query: Selected, item: Item, digest: str
) -> list[tuple[float | None, str]]:
    if judge.unit == "reference":
        return book.on_statements(item.query_id, digest)
    if asks_together(judge):
        return [book.on(item.query_id, digest, chunk_id) for chunk_id in query.chunk_ids]
    return [book.on(item.query_id, digest, item.chunk_id)]


def _scores(
    judge: Judge,
    query: Selected,
    values: Sequence[float | None],
    gold: Mapping[str, float] | None,
    depth: int,
) -> Iterator[_Score]:
    """Value, lowest and highest of each score, in the order of `score_names`."""
    ends = (judge.scale[0], judge.scale[-1])
    known = [value for value in values if value is not None]
    complete = len(known) == len(values)
    if judge.unit == "reference":
        yield (share(known), share(known), share(known)) if complete else (None, *ends)
    elif judge.unit == "statement-context":
        yield _coverage(values, len(query.chunk_ids))
    elif judge.scale == (0.0, 1.0):
        yield (average_precision(known) if complete else None, *extremes(average_precision, values, ends))
        yield (share(known) if known else None, *extremes(share, values, ends))
    else:
        yield (share(known) if known else None, *extremes(share, values, ends))
        if gold is not None:
            yield _ndcg(query, values, gold, depth, ends)


def _ndcg(
    query: Selected,
    values: Sequence[float | None],
    gold: Mapping[str, float],
    depth: int,
    ends: tuple[float, float],
) -> _Score:
    """NDCG with judged grades in place of gold's; a query without any grade above 0 is left out."""
    others = [grade for chunk_id, grade in gold.items() if chunk_id not in query.chunk_ids]
    known = [value for value in values if value is not None]
    if len(known) == len(values):
        value = ndcg(known, others, depth)
        return (None, math.nan, math.nan) if value is None else (value, value, value)
    return None, *extremes(lambda grades: ndcg(grades, others, depth) or 0.0, values, ends)


def _coverage(values: Sequence[float | None], contexts: int) -> _Score:
    """Claim coverage: decided where every statement has a context for it, or a verdict on every context."""
    support = [values[start : start + contexts] for start in range(0, len(values), contexts)]
    low = covered([[value or 0.0 for value in statement] for statement in support])
    high = covered([[1.0 if value is None else value for value in statement] for statement in support])
    return (low if low == high else None), low, high
