"""Means with their intervals, each over its own queries."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from ragtui.metrics.summary import summarise
from ragtui.stats.intervals import wilson

NAN = math.nan


def table_of(**columns: list[float]) -> pd.DataFrame:
    frame = pd.DataFrame({name.replace("__", "@"): values for name, values in columns.items()}, dtype=float)
    frame.index = pd.Index([f"q{i}" for i in range(len(frame))], name="query_id")
    return frame


def test_metrics_of_0_and_1_get_wilsons_interval() -> None:
    found = summarise(table_of(hit__5=[1, 1, 0, 1], mrr__1=[1, 0, 0, 0]))
    assert (found["hit@5"].mean, found["hit@5"].n, found["hit@5"].method) == (0.75, 4, "wilson")
    assert (found["hit@5"].low, found["hit@5"].high) == wilson(3, 4)
    assert found["mrr@1"].method == "wilson"


def test_others_get_a_bootstrap_that_is_named() -> None:
    found = summarise(table_of(ndcg__5=[0.1, 0.5, 0.9, 0.4]), seed=7)["ndcg@5"]
    assert found.method == "bootstrap, 10000 resamples, seed 7"
    assert found.mean == pytest.approx(0.475)
    assert found.low is not None
    assert found.high is not None
    assert 0.1 <= found.low < 0.475 < found.high <= 0.9


def test_each_column_is_over_its_own_queries() -> None:
    found = summarise(
        table_of(hit_strict__5=[1, NAN, 0, NAN], hit_lenient__5=[1, NAN, 1, NAN], hit__5=[1, 1, 1, 0])
    )
    assert {name: (e.mean, e.n) for name, e in found.items()} == {
        "hit_strict@5": (0.5, 2),
        "hit_lenient@5": (1.0, 2),
        "hit@5": (0.75, 4),
    }


def test_the_interval_of_a_column_does_not_depend_on_gaps_of_another() -> None:
    table = table_of(
        ndcg__5=[0.1, 0.5, 0.9, 0.4], judged__5=[0.1, NAN, 0.9, 0.4], stale__5=[NAN, 0.1, 0.2, 0.6]
    )
    together = summarise(table)
    assert together == {name: summarise(table[[name]])[name] for name in together}
    assert all(estimate.low is not None for estimate in together.values())


def test_where_nothing_varies_there_is_no_interval() -> None:
    found = summarise(table_of(ndcg__5=[0.3, 0.3, 0.3], judged__5=[NAN, NAN, NAN], recall__5=[0.5, NAN, NAN]))
    assert (found["ndcg@5"].mean, found["ndcg@5"].low, found["ndcg@5"].reason) == (0.3, None, "all-equal")
    assert (found["judged@5"].mean, found["judged@5"].n, found["judged@5"].reason) == (None, 0, "no-queries")
    assert (found["recall@5"].n, found["recall@5"].reason) == (1, "all-equal")


def test_columns_that_are_no_metrics_are_passed_over() -> None:
    assert list(summarise(table_of(first_rank=[1, 2], groups=[1, 1], got__5=[1, 0], ndcg__5=[1, 0]))) == [
        "ndcg@5"
    ]


def test_what_cannot_be_had_is_named_with_its_reason() -> None:
    found = summarise(table_of(ndcg__5=[1, 0]), unavailable={"ndcg@50": "beyond-depth"})
    assert (found["ndcg@50"].mean, found["ndcg@50"].reason) == (None, "beyond-depth")


def test_with_clusters_all_metrics_are_drawn_by_cluster() -> None:
    table = table_of(hit__5=[1, 1, 1, 0, 0, 0] * 5, ndcg__5=[0.9, 0.8, 0.7, 0.2, 0.1, 0.0] * 5)
    cluster = pd.Series(np.repeat(np.arange(10), 3), index=table.index).astype(object)
    together = summarise(table, cluster)
    apart = summarise(table)
    for name in table:
        wide, narrow = together[str(name)], apart[str(name)]
        assert wide.method.startswith("cluster-bootstrap, 10000 resamples")
        assert wide.mean == narrow.mean
        assert wide.low is not None
        assert narrow.low is not None
        assert wide.low < narrow.low


def test_a_query_without_a_cluster_stands_alone() -> None:
    table = table_of(ndcg__5=[0.1, 0.5, 0.9, 0.4])
    alone = summarise(table, pd.Series([None] * 4, index=table.index, dtype=object))
    assert alone == summarise(table)


def test_one_cluster_says_nothing_of_others() -> None:
    table = table_of(ndcg__5=[0.1, 0.5])
    found = summarise(table, pd.Series(["a", "a"], index=table.index))["ndcg@5"]
    assert (found.mean, found.low, found.reason) == (0.3, None, "one-cluster")


def test_an_empty_table() -> None:
    assert summarise(table_of(ndcg__5=[]))["ndcg@5"].reason == "no-queries"
