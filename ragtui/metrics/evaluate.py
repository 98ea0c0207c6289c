"""Numbers of one run: which queries count, which metrics can be had, the per-query table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.model import Direction
from ragtui.errors import RagtuiError
from ragtui.metrics import kernels
from ragtui.metrics.catalogue import METRICS, metric_name, metric_of
from ragtui.metrics.found import CONVENTIONS, Convention, Results
from ragtui.metrics.gold import Judgments
from ragtui.metrics.matrix import GradeMatrix, build_matrix
from ragtui.metrics.names import MetricName
from ragtui.metrics.notes import Note, note, warning

Missing = Literal["zero", "intersection"]

DEFAULT_KS = (1, 3, 5, 10, 20)

# 2^g − 1 beyond this grade is no gain any more but a weight that drowns all others, and soon overflows.
HIGHEST_GRADE = 20.0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many queries a result stands on, and what was met on the way.

    `queries` is the sum of `scored`, `no_answer`, `no_relevant_gold`, `unjudged` and, for an intersection,
    `missing` and `failed`.

    Attributes:
        queries: queries that were asked for.
        scored: queries in the table.
        no_answer: left out, because the corpus holds no answer.
        no_relevant_gold: left out, because gold has no relevant grade for them.
        missing: judged queries that the run lacks.
        failed: judged queries on which the system failed.
        unjudged: left out, because gold says nothing of them.
        outside: queries of the run that were not asked for.
        nothing_returned: scored queries with an empty list, missing and failed ones not among them.
        duplicates, ties, order_disagreements, all_rising, longest: see `Doubts`.
        conflicts: pairs on whose grade annotators differ.
        negatives: pairs with a negative grade, which counts as 0.
    """

    queries: int
    scored: int
    no_answer: int
    no_relevant_gold: int
    missing: int
    failed: int
    unjudged: int
    outside: int
    nothing_returned: int
    duplicates: int
    ties: int
    order_disagreements: int
    all_rising: bool
    longest: int
    conflicts: int
    negatives: int


@dataclass(frozen=True, eq=False)
class RunResult:
    """The numbers of one run, query by query.

    Attributes:
        convention, level, depth: what they were computed with; depth is that of the run card, None without
            one.
        ks: cut-offs, ascending.
        table: index query_id of the scored queries in order of the set. A float64 column for each metric,
            named as in `ndcg@5`, NaN where it does not apply; `first_rank` and `stale_rank` (float64, NaN
            without one), `groups` and `got@K` (int32, evidence groups in all and in the first K), `returned`
            (int32, length of the list).
        unavailable: metrics that were asked for and cannot be had, with the key of the reason below
            `metrics.reason`.
        counts: queries and doubts.
        missing_ids: object array of str, judged queries that the run lacks.
        notes: what is worth saying.
        matrix: of the scored queries, in the order of the table.
    """

    convention: Convention
    level: float
    depth: int | None
    ks: tuple[int, ...]
    table: pd.DataFrame
    unavailable: Mapping[str, str]
    counts: Counts
    missing_ids: npt.NDArray[np.object_]
    notes: tuple[Note, ...]
    matrix: GradeMatrix

    @property
    def metrics(self) -> list[str]:
        """Names of the metric columns, in order of the catalogue."""
        return [str(column) for column in self.table if metric_of(str(column)) is not None]

    def without_rows(self) -> RunResult:
        """The same but for an empty table: for those who keep its rows elsewhere, once."""
        return replace(self, table=self.table.iloc[:0].copy())

    @property
    def longest(self) -> int:
        """Results of the longest list."""
        return self.counts.longest


def evaluate(
    query_ids: npt.NDArray[np.object_],
    results: Results,
    *,
    metrics: Sequence[str] | None = None,
    ks: Sequence[int] = DEFAULT_KS,
    level: float = 1.0,
    convention: Convention = "ragtui",
    missing: Missing = "zero",
    depth: int | None = None,
    failed: Set[str] = frozenset(),
    no_answer: Set[str] = frozenset(),
    direction: Direction = "higher",
    top_grade: float | None = None,
    tokens: npt.NDArray[np.float64] | None = None,
) -> RunResult:
    """Score one run against gold.

    Args:
        query_ids: (q,) object array of str: the queries of the split, each once, in order.
        results: lists of the run (or of one of its stages), beside all gold of the split.
        metrics: names such as `ndcg@10`; a name without K is taken at every K of `ks`, for trec on the whole
            list. None for all.
        ks: cut-offs.
        level: a grade from here on is relevant.
        convention: `ragtui`, or `trec` for the numbers of trec_eval.
        missing: whether judged queries without a list score 0 or are left out. A failed query has no list.
        depth: how many results the system was asked for; metrics beyond it are not computed.
        failed: queries on which the system reported an error.
        no_answer: queries that the corpus holds no answer to. trec knows none: there they count if they have
            gold.
        direction: whether the better score is the higher or the lower one.
        top_grade: highest grade of the scale; the highest one in gold for None.
        tokens: (v,) tokens of each chunk of the vocabulary of the run, NaN where unknown; None without texts.

    Raises:
        RagtuiError: an unknown metric, a K below 1, a level not above 0, or grades too high for the gain of
            NDCG.
    """
    cutoffs = _checked(ks, level, convention)
    names = _names(metrics, cutoffs, convention)
    cutoffs = tuple(sorted({*cutoffs, *(name.k for name in names if name.k is not None)}))
    computed = [name for name in names if name.k is None or depth is None or name.k <= depth]
    _refuse_high_grades(results.gold, computed, convention)
    who = _Sorting.of(
        query_ids, results, no_answer=no_answer, failed=failed, level=level, convention=convention
    )
    scored = who.scored & ~who.without_list if missing == "intersection" else who.scored
    matrix = build_matrix(
        query_ids[scored],
        results,
        level=level,
        convention=convention,
        cut=None if any(name.k is None for name in computed) else cutoffs[-1],
        ks=cutoffs,
        failed=failed,
        direction=direction,
        top_grade=top_grade,
        tokens=tokens,
    )
    unavailable = {str(name): "beyond-depth" for name in names if name not in computed}
    if tokens is None:
        unavailable |= {str(name): "no-texts" for name in computed if name.metric == "tokens"}
    within = tuple(k for k in cutoffs if depth is None or k <= depth)
    counts = _counts(who, matrix, results.gold, direction)
    missing_ids = query_ids[who.missing]
    return RunResult(
        convention=convention,
        level=level,
        depth=depth,
        ks=cutoffs,
        table=_table(matrix, [name for name in computed if str(name) not in unavailable], within),
        unavailable=unavailable,
        counts=counts,
        missing_ids=missing_ids,
        notes=_notes(counts, missing_ids, depth, cutoffs),
        matrix=matrix,
    )


def _checked(ks: Sequence[int], level: float, convention: str) -> tuple[int, ...]:
    if not ks or any(int(k) != k or k < 1 for k in ks):
        raise RagtuiError("metrics.bad-k", given=", ".join(map(str, ks)))
    if not 0 < level < np.inf:
        raise RagtuiError("metrics.bad-level", level=level)
    if convention not in CONVENTIONS:
        raise RagtuiError("metrics.unknown-convention", name=convention, known=", ".join(CONVENTIONS))
    return tuple(sorted({int(k) for k in ks}))


def _names(metrics: Sequence[str] | None, ks: tuple[int, ...], convention: Convention) -> list[MetricName]:
    """Every metric with its cut-off, in order of the catalogue, then of K, the whole list last."""
    wanted = (
        [metric_name(text) for text in metrics] if metrics is not None else [MetricName(m) for m in METRICS]
    )
    names: set[MetricName] = set()
    for name in wanted:
        whole = name.k is None and convention == "trec" and METRICS[name.metric].whole_list
        if whole or name.k is not None:
            names.add(name)
        if name.k is None and (not whole or metrics is None):
            names |= {MetricName(name.metric, k) for k in ks}
    if any(name.metric == "hit_strict" for name in names):
        names |= {MetricName("hit_lenient", name.k) for name in names if name.metric == "hit_strict"}
    order = list(METRICS)
    return sorted(names, key=lambda name: (order.index(name.metric), name.k or np.inf))


def _refuse_high_grades(gold: Judgments, names: Sequence[MetricName], convention: Convention) -> None:
    gains = convention == "ragtui" and any(name.metric == "ndcg" for name in names)
    if gains and gold.highest_grade > HIGHEST_GRADE:
        raise RagtuiError("metrics.grade-too-high", grade=gold.highest_grade, highest=int(HIGHEST_GRADE))


@dataclass(frozen=True, eq=False)
class _Sorting:
    """What becomes of each of q queries: (q,) masks, of which exactly one of the first four holds.

    `outside` counts queries of the run that are none of them.
    """

    scored: npt.NDArray[np.bool_]
    no_answer: npt.NDArray[np.bool_]
    no_relevant_gold: npt.NDArray[np.bool_]
    unjudged: npt.NDArray[np.bool_]
    without_list: npt.NDArray[np.bool_]
    failed: npt.NDArray[np.bool_]
    outside: int

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        return self.scored & self.without_list & ~self.failed

    @classmethod
    def of(
        cls,
        query_ids: npt.NDArray[np.object_],
        results: Results,
        *,
        no_answer: Set[str],
        failed: Set[str],
        level: float,
        convention: Convention,
    ) -> _Sorting:
        gold = results.gold
        ids = pd.Index(query_ids, dtype=object)
        in_run = results.query_index.get_indexer(ids) >= 0
        row = gold.query_index.get_indexer(ids)
        has_gold = row >= 0
        said_unanswerable = ids.isin(list(no_answer))
        if convention == "trec":
            # its files know no roles, so a query whose labels are all distractors is not in them
            has_label = np.zeros(len(gold.query_ids) + 1, dtype=bool)
            has_label[gold.query[~gold.distractor]] = True
            scored = has_label[row]
        else:
            has_relevant = np.zeros(len(gold.query_ids) + 1, dtype=bool)
            has_relevant[gold.query[(gold.grade >= level) & ~gold.distractor]] = True
            scored = has_relevant[row] & ~said_unanswerable
        has_failed = ids.isin(list(failed))
        return cls(
            scored=scored,
            no_answer=said_unanswerable & ~scored,
            no_relevant_gold=has_gold & ~scored & ~said_unanswerable,
            unjudged=~has_gold & ~said_unanswerable,
            without_list=~in_run | has_failed,
            failed=has_failed,
            outside=len(results.query_index) - int(in_run.sum()),
        )


def _table(matrix: GradeMatrix, names: Sequence[MetricName], ks: tuple[int, ...]) -> pd.DataFrame:
    columns: dict[str, npt.NDArray[Any]] = {}
    for metric in METRICS.values():
        wanted = [name for name in names if name.metric == metric.name]
        if wanted:
            values = metric.kernel(matrix, tuple(name.k or kernels.WHOLE for name in wanted))
            columns |= {str(name): values[:, i] for i, name in enumerate(wanted)}
    columns["first_rank"] = matrix.first_rank
    columns["stale_rank"] = matrix.first_distractor
    columns["groups"] = matrix.group_count
    if ks:
        got = kernels.groups_got(matrix, ks)
        columns |= {f"got@{k}": got[:, i] for i, k in enumerate(ks)}
    columns["returned"] = matrix.lengths
    # as they are: gathering them in one block would take the memory of the whole table once more
    index = pd.Index(matrix.query_ids, dtype=object, name="query_id")
    return pd.DataFrame(columns, index=index, copy=False)


def _counts(who: _Sorting, matrix: GradeMatrix, gold: Judgments, direction: Direction) -> Counts:
    doubts = matrix.doubts
    empty = (matrix.lengths == 0) & ~matrix.missing & ~matrix.failed
    return Counts(
        queries=len(who.scored),
        scored=len(matrix.query_ids),
        no_answer=int(who.no_answer.sum()),
        no_relevant_gold=int(who.no_relevant_gold.sum()),
        missing=int(who.missing.sum()),
        failed=int((who.scored & who.failed).sum()),
        unjudged=int(who.unjudged.sum()),
        outside=who.outside,
        nothing_returned=int(empty.sum()),
        duplicates=doubts.duplicates,
        ties=doubts.ties,
        order_disagreements=doubts.order_disagreements,
        all_rising=doubts.all_rising and direction == "higher",
        longest=doubts.longest,
        conflicts=gold.conflicts,
        negatives=gold.negatives,
    )


def _notes(
    counts: Counts, missing_ids: npt.NDArray[np.object_], depth: int | None, ks: tuple[int, ...]
) -> tuple[Note, ...]:
    notes: list[Note] = []
    if depth is None and counts.longest:
        say = warning if counts.longest < ks[-1] else note
        notes.append(say("no-card", longest=counts.longest))
    if counts.missing:
        notes.append(warning("missing", n=counts.missing, first=", ".join(missing_ids[:5])))
    if counts.failed:
        notes.append(warning("failed", n=counts.failed))
    if counts.all_rising:
        notes.append(warning("all-rising"))
    elif counts.order_disagreements:
        notes.append(warning("order-disagreements", n=counts.order_disagreements))
    for kind in ("duplicates", "ties", "conflicts", "negatives"):
        if getattr(counts, kind):
            notes.append(note(kind, n=getattr(counts, kind)))
    return tuple(notes)
