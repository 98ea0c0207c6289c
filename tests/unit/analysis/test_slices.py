from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.slices import slices
from ragtui.errors import RagtuiError
from tests.unit.analysis.conftest import made_set, table_of


def sizes(table: QueryTable, key: str) -> dict[str, int]:
    return {found.value: found.n for found in slices(table, key)}


def test_scored_queries_by_metadata(table: QueryTable) -> None:
    assert sizes(table, "type") == {
        "multi-evidence": 1,
        "time/version": 1,
        "direct": 1,
        "Direct": 1,
        "code/API": 1,
    }
    assert sizes(table, "difficulty") == {"hard": 1, "none": 4}


def test_means_are_those_of_the_slice() -> None:
    queries = {f"q{i}": {"text": "", "kind": "a" if i < 3 else "b"} for i in range(1, 6)}
    table = table_of(made_set(queries))
    # recall@5 of q1 to q5 is 1, 1, .5, 0, 0
    found = {slice_.value: slice_.metrics["recall@5"].mean for slice_ in slices(table, "kind")}
    assert found == {"a": 1.0, "b": pytest.approx(0.5 / 3)}
    only = np.array([False, False, True, True, False])
    assert {s.value: s.metrics["recall@5"].mean for s in slices(table, "kind", rows=only)} == {"b": 0.25}


def test_a_query_counts_in_every_value_of_its_list(table: QueryTable) -> None:
    assert sizes(table, "tags") == {"air": 1, "role": 1, "form": 1, "none": 3}


def test_keys_can_be_joined_and_computed(table: QueryTable) -> None:
    assert sizes(table, "groups") == {"one": 4, "several": 1}
    assert sizes(table, "groups,difficulty") == {"one, hard": 1, "one, none": 3, "several, none": 1}
    # words, and one for each Chinese character: 7, 6, 2 + 3, 3 + 2 of the markup, 3
    assert sizes(table, "length") == {"0..5": 3, "6..10": 2}


def test_slices_under_thirty_are_small_and_others_are_not() -> None:
    queries = {f"q{i}": {"text": "", "kind": "many" if i <= 30 else "few"} for i in range(1, 60)}
    gold = [(query, "a1", 1.0, None, None) for query in queries]
    runs = {"first": {query: [("a1", 1.0)] for query in queries}}
    found = slices(table_of(made_set(queries, gold, runs)), "kind")
    assert [(s.value, s.n, s.small) for s in found] == [("many", 30, False), ("few", 29, True)]


def test_clusters_reach_the_interval() -> None:
    queries = {f"q{i}": {"text": "", "kind": "a"} for i in range(1, 6)}
    table = table_of(made_set(queries))
    cluster = pd.Series(["x", "x", "y", "y", "z"], index=table.frame.index)
    (found,) = slices(table, "kind", cluster=cluster)
    assert found.metrics["recall@5"].method.startswith("cluster-bootstrap")


def test_a_key_that_nobody_has_names_the_nearest(table: QueryTable) -> None:
    with pytest.raises(RagtuiError, match="No query has a key typ") as caught:
        slices(table, "typ")
    assert "type" in caught.value.mend
    with pytest.raises(RagtuiError) as empty:
        slices(table, "origin")  # a column that every set has and this one does not fill
    assert "length" in empty.value.mend
