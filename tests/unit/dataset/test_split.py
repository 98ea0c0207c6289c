"""Divisions hold their promises for any mixture of types, kinds and clusters."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.dataset.model import CHUNK_COLUMNS, GOLD_COLUMNS, QUERY_COLUMNS, EvaluationSet, SetSettings
from ragtui.dataset.split import DEV, TEST, divide, size_of_test

drawn = st.lists(
    st.tuples(
        st.sampled_from(["direct", "table", None]),
        st.sampled_from([True, False, None]),
        st.one_of(st.none(), st.integers(0, 12).map(str)),
    ),
    min_size=2,
    max_size=240,
)
Query = tuple[str | None, bool | None, str | None]


def set_of(queries: list[Query]) -> EvaluationSet:
    """A set without gold of queries with type, answerable and cluster."""
    index = pd.Index([f"q{i}" for i in range(len(queries))], name="query_id")
    table = pd.DataFrame({name: pd.Series([None] * len(queries), dtype=object) for name in QUERY_COLUMNS})
    table.index = index
    for place, name in enumerate(("type", "answerable", "cluster")):
        table[name] = pd.Series([query[place] for query in queries], index=index, dtype=object)
    gold = pd.DataFrame({name: pd.Series([], dtype=object) for name in GOLD_COLUMNS})
    gold["grade"] = gold["grade"].astype(np.float64)
    return EvaluationSet(
        path=Path("set"),
        settings=SetSettings(),
        queries=table,
        chunks=pd.DataFrame(columns=list(CHUNK_COLUMNS)),
        gold=gold,
        query_split=pd.Series(["all"] * len(queries), index=index),
        runs={},
    )


@given(drawn, st.integers(0, 3))
def test_whole_clusters_and_never_more_than_half(queries: list[Query], seed: int) -> None:
    division = divide(set_of(queries), seed)
    assert list(division.split_of) == [f"q{i}" for i in range(len(queries))]
    counts = Counter(division.split_of.values())
    assert counts[TEST] <= size_of_test(len(queries)) <= len(queries) // 2
    assert (division.size(DEV), division.size(TEST)) == (counts[DEV], counts[TEST])
    splits_of_cluster = defaultdict(set)
    for (_, _, cluster), split in zip(queries, division.split_of.values(), strict=True):
        if cluster is not None:
            splits_of_cluster[cluster].add(split)
    assert all(len(splits) == 1 for splits in splits_of_cluster.values())
    assert divide(set_of(queries), seed) == division


@given(drawn)
def test_without_clusters_every_stratum_gives_its_share(queries: list[Query]) -> None:
    alone: list[Query] = [(kind, answerable, None) for kind, answerable, _ in queries]
    division = divide(set_of(alone))
    wanted = size_of_test(len(alone))
    assert division.size(TEST) == wanted
    for stratum in division.strata:
        share = (stratum.dev + stratum.test) * wanted / len(alone)
        assert abs(stratum.test - share) < 1


@pytest.mark.parametrize(
    ("queries", "size"), [(0, 0), (1, 0), (2, 1), (99, 49), (100, 50), (240, 72)], ids=str
)
def test_size(queries: int, size: int) -> None:
    assert size_of_test(queries) == size


def test_a_cluster_larger_than_half_stays_in_dev() -> None:
    division = divide(set_of([("direct", True, "all")] * 8 + [("direct", True, None)] * 2))
    assert set(list(division.split_of.values())[:8]) == {DEV}
