"""Dictionaries looked through as they stand give what lists of them give, and what pytrec_eval gives."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import ragtui
from ragtui.dataset.model import Direction
from ragtui.metrics.dictionaries import GradedChunks, ScoredChunks
from ragtui.metrics.found import CONVENTIONS, Convention
from tests.property.made_up import CHUNKS, KS, QUERIES, SCORES, grades

# beyond single precision, where it overflows and where it has two zeros
RANGE = (*SCORES, 1e300, float("inf"), -0.0)

Run = dict[str, dict[str, float]]

runs = st.dictionaries(
    st.sampled_from((*QUERIES, "unjudged")),
    st.dictionaries(st.sampled_from((*CHUNKS, "unjudged")), st.sampled_from(RANGE), max_size=11),
    min_size=1,
)


@given(grades(-1), runs, st.sampled_from(CONVENTIONS), st.sampled_from(["higher", "lower"]))
def test_the_same_as_lists(
    gold: dict[str, dict[str, int]], run: Run, convention: Convention, direction: Direction
) -> None:
    graded = GradedChunks.of(gold)
    assert graded is not None
    assert ScoredChunks.of(run, graded) is not None
    how: Any = {"convention": convention, "direction": direction, "k": KS}
    if gold.keys().isdisjoint(run):
        with pytest.raises(ragtui.RagtuiError):
            ragtui.per_query(gold, run, **how)
        return
    # a number of another kind among the ids makes no difference but that all of it is read as lists
    read: dict[Any, Any] = {**run, 7: {}}
    as_lists = ragtui.per_query(gold, read, **how)
    as_they_stand = ragtui.per_query(gold, run, **how)
    pd.testing.assert_frame_equal(as_they_stand, as_lists)
    counts = as_lists.attrs["counts"]["run"]
    assert (
        as_they_stand.attrs["counts"]["run"]
        | {name: counts[name] for name in ("outside", "queries", "unjudged")}
        == counts
    )
    assert as_they_stand.attrs["notes"] == as_lists.attrs["notes"]


@given(grades(0), runs)
def test_the_same_as_pytrec_eval(gold: dict[str, dict[str, int]], run: Run) -> None:
    shared = [query for query in gold if query in run]
    if not shared:
        return
    theirs = pytrec_eval.RelevanceEvaluator(gold, {"map", "ndcg", "recip_rank", "P.1,5"}).evaluate(run)
    names = {"map": "map", "ndcg": "ndcg", "mrr": "recip_rank", "precision@1": "P_1", "precision@5": "P_5"}
    ours = ragtui.per_query(gold, run, list(names), convention="trec").loc["run"]
    for query in shared:
        for name, measure in names.items():
            assert ours.loc[query, name] == pytest.approx(theirs[query][measure], abs=1e-9)
