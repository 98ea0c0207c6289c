"""Queries whose evidence is not complete: the worst of them, and why that may be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ragtui.analysis import order
from ragtui.analysis.causes.model import Suggestion
from ragtui.errors import RagtuiError
from ragtui.report.facts import Facts
from ragtui.report.model import CauseCount, FailedQuery, Failures
from ragtui.stats.bootstrap import SEED
from ragtui.workspace.review import Review

WORST_SHOWN = 20
ASKED = 20
"""Failing queries that rules are asked about, some milliseconds each; of more a sample."""


def failed(facts: Facts) -> Failures:
    """All failing queries counted, the worst listed, causes by how often people and rules name them."""
    ordered = order.worst_first(facts.table, facts.primary)
    rows = [int(row) for row in ordered if facts.failing[row]]
    review, error = _review(facts)
    asked = _asked(rows)
    ids = facts.table.query_ids
    suggested = {str(ids[row]): _suggestion(facts, review, str(ids[row])) for row in asked} if review else {}
    shown = rows[:WORST_SHOWN]
    for row in shown:
        query_id = str(ids[row])
        if review is not None and query_id not in suggested:
            suggested[query_id] = _suggestion(facts, review, query_id)
    given = {} if review is None else review.causes_by_query
    failing_ids = [str(ids[row]) for row in rows]
    return Failures(
        n=len(rows),
        of=int(facts.scored.sum()),
        worst=tuple(_query(facts, row, given.get(str(ids[row]), ()), suggested) for row in shown),
        known=() if review is None else review.causes,
        tagged=sum(query_id in given for query_id in failing_ids),
        asked=len(asked) if review is not None else 0,
        causes=_counts(
            [given.get(query_id, ()) for query_id in failing_ids],
            [suggested.get(str(ids[row])) for row in asked],
        ),
        error=error,
    )


def _review(facts: Facts) -> tuple[Review | None, str]:
    """What people decided; without it why it cannot be read."""
    review = facts.workspace.review
    try:
        review.causes_by_query  # noqa: B018 – reads the journal
    except RagtuiError as error:
        return None, error.what
    return review, ""


def _asked(rows: Sequence[int]) -> list[int]:
    if len(rows) <= ASKED:
        return list(rows)
    drawn = np.random.default_rng(SEED).choice(len(rows), size=ASKED, replace=False)
    return [rows[place] for place in sorted(drawn.tolist())]


def _suggestion(facts: Facts, review: Review, query_id: str) -> Suggestion | None:
    return next(iter(review.suggestions(facts.run, query_id, facts.k)), None)


def _counts(given: Sequence[Sequence[str]], suggested: Sequence[Suggestion | None]) -> tuple[CauseCount, ...]:
    by_people = Counter(cause for causes in given for cause in causes)
    by_rules: dict[str, list[Suggestion]] = defaultdict(list)
    for one in suggested:
        if one is not None:
            by_rules[one.cause].append(one)
    names = {*by_people, *by_rules}
    counts = [
        CauseCount(name, by_people[name], len(by_rules[name]), _usual(by_rules[name])) for name in names
    ]
    return tuple(sorted(counts, key=lambda one: (-one.given, -one.suggested, one.cause)))


def _usual(suggestions: Sequence[Suggestion]) -> Suggestion | None:
    """An example of the rule that suggests a cause most often."""
    if not suggestions:
        return None
    rule, _ = Counter(one.rule for one in suggestions).most_common(1)[0]
    return next(one for one in suggestions if one.rule == rule)


def _query(
    facts: Facts,
    row: int,
    given: Sequence[str],
    suggested: dict[str, Suggestion | None],
) -> FailedQuery:
    table = facts.table
    line = table.frame.iloc[row]
    query_id = str(table.query_ids[row])
    evidence = facts.workspace.evidence(facts.run, query_id, facts.k)
    first, kind = line["first_rank"], line.get("type")
    return FailedQuery(
        query_id=query_id,
        text=str(line["text"]),
        type=kind if isinstance(kind, str) else None,
        got=int(line["got"]),
        groups=int(line["groups"]),
        first_rank=None if np.isnan(first) else int(first),
        strip=table.strip(row),
        missing=tuple((need.chunk_id, need.rank) for need in evidence.missed),
        causes=tuple(given),
        suggestion=suggested.get(query_id),
    )
