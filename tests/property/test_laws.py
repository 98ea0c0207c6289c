"""What holds of every metric whatever gold and run are."""

from __future__ import annotations

import math
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragtui.metrics import listed
from ragtui.metrics.catalogue import METRICS, metric_of
from tests.property.made_up import CHUNKS, KS, Case, Gold, cases, grades

CONVENTIONS = st.sampled_from(["ragtui", "trec"])


@given(cases(), CONVENTIONS, st.sampled_from([1.0, 2.0, 2.5]))
def test_every_metric_stays_in_its_range(case: Case, convention: str, level: float) -> None:
    table = case.result(convention, level).table  # type: ignore[arg-type]
    for column in table:
        metric = metric_of(str(column))
        if metric is not None:
            values = table[column].dropna()
            assert ((values >= 0) & (values <= 1)).all(), (column, values)
    assert not np.isinf(table.to_numpy(dtype=np.float64)).any()


@given(grades(lowest=0))
def test_a_perfect_list_scores_exactly_1(gold: Gold) -> None:
    gold = {query: of_query for query, of_query in gold.items() if max(of_query.values()) > 0}
    assume(gold)
    best = {
        query: [(chunk, float(grade)) for chunk, grade in sorted(of_query.items(), key=lambda item: -item[1])]
        for query, of_query in gold.items()
    }
    table = Case(gold, best).result("ragtui").table
    relevant = np.array([sum(grade >= 1 for grade in gold[query].values()) for query in table.index])
    for k in KS:
        for metric in ("hit", "mrr", "map", "ndcg"):
            assert (table[f"{metric}@{k}"] == 1.0).all(), (metric, k)
        enough = relevant <= k
        for metric in ("recall", "coverage", "complete"):
            assert (table.loc[enough, f"{metric}@{k}"] == 1.0).all(), (metric, k)


@given(cases(), CONVENTIONS)
def test_an_unjudged_tail_changes_nothing_above_it(case: Case, convention: str) -> None:
    tails = {
        query: [*results, *((f"tail-{i}", -5.0 - i) for i in range(3))]
        for query, results in case.lists.items()
    }
    before = case.result(convention).table  # type: ignore[arg-type]
    after = Case(case.gold, tails).result(convention).table  # type: ignore[arg-type]
    shares_of_returned = {"judged", "stale"}
    for column in before:
        metric = metric_of(str(column))
        if (metric is None or metric.name not in shares_of_returned) and column != "returned":
            assert before[column].equals(after[column]), column


@given(cases())
def test_repeats_change_nothing_but_their_count(case: Case) -> None:
    cleaned = Case(case.gold, {query: list(scores.items()) for query, scores in case.first_places().items()})
    with_repeats, without = case.result("ragtui"), cleaned.result("ragtui")
    assert with_repeats.table.equals(without.table)
    surplus = sum(
        len(case.lists[query]) - len(cleaned.lists[query])
        for query in with_repeats.table.index
        if query in case.lists
    )
    assert with_repeats.counts.duplicates == surplus
    assert without.counts.duplicates == 0


@given(cases(), CONVENTIONS, st.integers(1, 9))
def test_how_many_results_are_looked_at_together_changes_nothing(
    case: Case, convention: str, block: int
) -> None:
    at_once = case.result(convention)  # type: ignore[arg-type]
    with mock.patch.object(listed, "_BLOCK", block):
        in_blocks = case.result(convention)  # type: ignore[arg-type]
    assert in_blocks.table.equals(at_once.table)
    assert in_blocks.counts == at_once.counts


@given(cases(lowest_grade=0), st.sampled_from(CHUNKS), st.integers(0, 12))
def test_a_relevant_chunk_moved_up_never_costs(case: Case, chunk: str, place: int) -> None:
    """Putting a top-grade chunk first makes no rank metric worse."""
    gold = {query: {**of_query, chunk: 4} for query, of_query in case.gold.items()}
    lists = {query: [r for r in case.lists.get(query, []) if r[0] != chunk] for query in gold}
    lower = {query: [*results[:place], (chunk, 0.0), *results[place:]] for query, results in lists.items()}
    first = {query: [(chunk, 0.0), *results] for query, results in lists.items()}
    worse, better = Case(gold, lower).result("ragtui").table, Case(gold, first).result("ragtui").table
    for column in worse:
        metric = metric_of(str(column))
        if metric is not None and metric.higher_is_better:
            assert (better[column].fillna(0) >= worse[column].fillna(0) - 1e-12).all(), column


@given(cases(), st.permutations(range(4)))
def test_the_order_of_queries_changes_only_the_order_of_rows(case: Case, order: list[int]) -> None:
    queries = list(case.lists)
    shuffled = Case(case.gold, {queries[i]: case.lists[queries[i]] for i in order if i < len(queries)})
    assert case.result("ragtui").table.equals(shuffled.result("ragtui").table)


@given(cases())
def test_strict_is_never_above_lenient_and_both_count_the_same_queries(case: Case) -> None:
    table = case.result("ragtui").table
    for k in KS:
        strict, lenient = table[f"hit_strict@{k}"], table[f"hit_lenient@{k}"]
        assert (strict.isna() == lenient.isna()).all()
        assert (strict.dropna() <= lenient.dropna()).all()
        assert (lenient.dropna() == table.loc[lenient.notna(), f"hit@{k}"]).all()


@given(cases(), CONVENTIONS)
def test_values_rise_with_k_where_they_must(case: Case, convention: str) -> None:
    table = case.result(convention).table  # type: ignore[arg-type]
    for metric in ("hit", "hit_strict", "recall", "mrr", "coverage", "complete"):
        for low, high in pairwise(KS):
            smaller, larger = table[f"{metric}@{low}"], table[f"{metric}@{high}"]
            assert (smaller.fillna(0) <= larger.fillna(0)).all(), (metric, low, high)


@given(cases())
def test_first_rank_says_what_hit_and_mrr_say(case: Case) -> None:
    table = case.result("ragtui").table
    for query, rank in table["first_rank"].items():
        for k in KS:
            found = not math.isnan(rank) and rank <= k
            assert table[f"hit@{k}"].to_dict()[query] == float(found)
            assert table[f"mrr@{k}"].to_dict()[query] == pytest.approx(1 / rank if found else 0.0)


@given(cases())
def test_counts_add_up(case: Case) -> None:
    counts = case.result("ragtui").counts
    assert counts.queries == counts.scored + counts.no_answer + counts.no_relevant_gold + counts.unjudged
    assert counts.missing + counts.failed + counts.nothing_returned <= counts.scored


def test_the_laws_look_at_every_metric() -> None:
    result = Case({"q1": {"a": 4}}, {"q1": [("a", 1.0)]}).result("trec")
    seen = {str(column).split("@")[0] for column in result.metrics}
    assert seen == set(METRICS) - {"tokens"}
