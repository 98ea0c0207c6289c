"""Lists are sorted as one long sort of all their results sorts them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.dataset.list_order import offsets_of, order_within, put_in_order, reordered, sorted_values

INF, NAN = float("inf"), float("nan")
LISTS = st.lists(
    st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.0, -1.0, INF, -INF, NAN]), st.integers(1, 3)))
)


@pytest.mark.parametrize("with_ranks", [True, False])
@given(LISTS)
def test_by_value_then_rank_then_place(with_ranks: bool, lists: list[list[tuple[float, int]]]) -> None:
    lengths = np.array([len(one) for one in lists], dtype=np.int64)
    values = np.array([value for one in lists for value, _ in one], dtype=np.float64)
    ranks = np.array([rank for one in lists for _, rank in one], dtype=np.int32)
    row = np.repeat(np.arange(len(lists)), lengths)
    expected = np.lexsort((ranks, values, row) if with_ranks else (values, row))
    places = np.arange(len(values))
    put_in_order(reordered(offsets_of(lengths), values, "lower", ranks if with_ranks else None), places)
    assert places.tolist() == expected.tolist()


@given(st.lists(st.lists(st.integers(0, 2**40))))
def test_each_list_alone(lists: list[list[int]]) -> None:
    lengths = np.array([len(one) for one in lists], dtype=np.int64)
    values = np.array([value for one in lists for value in one], dtype=np.int64)
    expected = [value for one in lists for value in sorted(one)]
    assert values[order_within(lengths, values)].tolist() == expected
    assert sorted_values(lengths, values.astype(np.float64)).tolist() == expected
