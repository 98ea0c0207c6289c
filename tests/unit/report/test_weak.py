from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from ragtui.report.weak import fewer_by_chance, weak_slices
from ragtui.stats.paired import holm


@given(st.data())
def test_chance_is_fishers_exact_test_to_one_side(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 60))
    drawn = data.draw(st.integers(1, n - 1))
    total = data.draw(st.integers(0, n))
    successes = data.draw(st.integers(max(0, drawn - (n - total)), min(drawn, total)))
    inside = [successes, drawn - successes]
    outside = [total - successes, n - drawn - (total - successes)]
    expected = fisher_exact([inside, outside], alternative="less").pvalue
    assert fewer_by_chance(successes, drawn, total, n) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def made(shares: dict[str, tuple[int, int]]) -> tuple[np.ndarray, list[tuple[str, str, np.ndarray]]]:
    """Queries by value: of each so many complete of so many."""
    complete = np.concatenate([[True] * good + [False] * (n - good) for good, n in shares.values()])
    values = np.concatenate([[value] * n for value, (_, n) in shares.items()])
    return complete.astype(bool), [("type", value, values == value) for value in shares]


def test_a_slice_that_is_more_than_chance_is_weak_and_others_may_look_low() -> None:
    complete, members = made({"bad": (5, 40), "good": (55, 60), "few": (4, 7)})
    weak, low = weak_slices(complete, members, clustered=False)
    assert [(one.value, one.n, one.complete) for one in weak] == [("bad", 40, 5)]
    expected = holm([fewer_by_chance(good, n, 64, 107) for good, n in ((5, 40), (55, 60), (4, 7))])
    assert weak[0].p_holm == pytest.approx(expected[0])
    assert weak[0].rest == pytest.approx(59 / 67)
    assert [one.value for one in low] == []  # .571 against .6 of the rest


def test_the_lowest_that_may_be_chance_are_listed_and_no_more_than_three() -> None:
    complete, members = made(
        {"a": (1, 3), "b": (2, 4), "c": (1, 2), "d": (0, 1), "e": (9, 10), "f": (10, 10)}
    )
    weak, low = weak_slices(complete, members, clustered=False)
    assert weak == ()
    assert [one.value for one in low] == ["d", "a", "b"]


def test_with_clusters_nothing_is_decided() -> None:
    complete, members = made({"bad": (5, 40), "good": (55, 60)})
    weak, low = weak_slices(complete, members, clustered=True)
    assert weak == ()
    assert [(one.value, one.p_holm) for one in low] == [("bad", None)]


def test_a_slice_of_all_or_of_none_is_no_slice() -> None:
    complete = np.array([True, False, True])
    members = [("type", "all", np.ones(3, dtype=bool)), ("type", "none", np.zeros(3, dtype=bool))]
    assert weak_slices(complete, members, clustered=False) == ((), ())
