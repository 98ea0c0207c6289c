"""The trec convention equals pytrec_eval on every query of the cleaned lists."""

from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from tests.property.made_up import KS, Case, cases

CUT = {"P": "precision", "recall": "recall", "ndcg_cut": "ndcg", "map_cut": "map", "success": "hit"}
WHOLE = {"map": "map", "ndcg": "ndcg", "recip_rank": "mrr", "set_recall": "recall"}
MEASURES = {*WHOLE, *(f"{stem}.{','.join(map(str, KS))}" for stem in CUT)}


@given(cases(), st.sampled_from([1, 2, 3]))
def test_trec_convention_equals_pytrec_eval(case: Case, level: int) -> None:
    # Gold with negative grades alone makes pytrec_eval 0.5.10 read past its table of grades, and now and then
    # it never returns. Such a query scores 0, as one whose gold is all 0.
    gold = {query: grades for query, grades in case.gold.items() if max(grades.values()) >= 0}
    theirs: dict[str, dict[str, float]] = {}
    if gold:
        evaluator = pytrec_eval.RelevanceEvaluator(gold, MEASURES, relevance_level=level)
        theirs = evaluator.evaluate(case.first_places())
    table = case.result("trec", level).table
    assert set(table.index) == set(case.gold)
    for query, row in zip(map(str, table.index), table.to_dict("records"), strict=True):
        expected = theirs.get(query, {})
        for measure, name in WHOLE.items():
            assert row[name] == pytest.approx(expected.get(measure, 0.0), abs=1e-9), (query, name)
        for stem, metric in CUT.items():
            for k in KS:
                value = expected.get(f"{stem}_{k}", 0.0)
                assert row[f"{metric}@{k}"] == pytest.approx(value, abs=1e-9), (query, metric, k)
