"""Clusters and the reasons for a missing interval."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ragtui import messages
from ragtui.stats.means import cluster_codes, cluster_sums, estimate_means


def test_queries_without_a_cluster_get_one_each() -> None:
    cluster = pd.Series({"a": "x", "b": None, "c": "x", "d": None}, dtype=object)
    codes = cluster_codes(cluster, pd.Index(["d", "c", "b", "a", "e"]))
    assert codes[1] == codes[3]
    assert len(set(codes.tolist())) == 4


def test_sums_and_sizes_of_clusters() -> None:
    sums, sizes = cluster_sums(np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]]), np.array([5, 9, 5]))
    assert sums.tolist() == [[5.0, 50.0], [2.0, 20.0]]
    assert sizes.tolist() == [2.0, 1.0]


def test_clusters_that_are_all_alike_have_no_interval() -> None:
    table = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0]}, index=list("abcd"))
    found = estimate_means(table, cluster=pd.Series(list("uuvv"), index=list("abcd")))["x"]
    assert (found.mean, found.low, found.reason) == (0.5, None, "clusters-equal")


def test_clusters_of_one_query_each_are_none() -> None:
    table = pd.DataFrame({"x": [0.0, 1.0, 1.0]}, index=list("abc"))
    found = estimate_means(table, binary={"x"}, cluster=pd.Series(list("uvw"), index=list("abc")))["x"]
    assert found.method == "wilson"


def test_clusters_are_drawn_among_the_queries_of_the_column() -> None:
    # the third cluster has no value of x, so x has two clusters: means 0, 1/2 and 1
    nan = float("nan")
    table = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0, nan, nan]}, index=list("abcdef"))
    found = estimate_means(table, cluster=pd.Series(list("uuvvww"), index=list("abcdef")))["x"]
    assert (found.mean, found.low, found.high, found.n) == (0.5, 0.0, 1.0, 4)


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize(
    "reason", ["all-equal", "clusters-equal", "one-cluster", "no-queries", "no-pairs", "one-category"]
)
def test_every_reason_has_words(reason: str, language: messages.Language) -> None:
    assert messages.t(f"stats.reason.{reason}", language, n=3)
