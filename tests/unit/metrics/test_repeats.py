"""Repeats are found exactly, however much the quick look at ids errs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

import ragtui
from ragtui.dataset import model, ranked_lists
from ragtui.dataset.ids import Ids, fingerprints
from ragtui.dataset.model import RankedLists
from ragtui.metrics.ranking import Ranking

LISTS = {
    "q1": ["a", "b", "a", "c", "b", "a"],
    "q2": ["a"],
    "q3": [],
    "q4": ["a", "b", "c"],
    "q5": ["c", "c"],
    "q6": [f"d{i % 70}" for i in range(90)],
}
CLEANED = {query: list(dict.fromkeys(listed)) for query, listed in LISTS.items()}


def all_alike(ids: Ids) -> npt.NDArray[np.uint64]:
    return np.zeros(len(ids), dtype=np.uint64)


@pytest.mark.parametrize("look", [fingerprints, all_alike])
@pytest.mark.parametrize("left_out", [[], ["q6"]])  # without the long list the rest fill a matrix
def test_the_first_place_is_kept(
    monkeypatch: pytest.MonkeyPatch, look: Callable[[Ids], npt.NDArray[np.uint64]], left_out: list[str]
) -> None:
    monkeypatch.setattr(ranked_lists, "fingerprints", look)
    of_run = {query: listed for query, listed in LISTS.items() if query not in left_out}
    lists = RankedLists.from_lists(of_run)
    ranking = Ranking.of(lists, np.arange(len(of_run)))
    ids = lists.chunk_ids.take(ranking.entry).to_pylist()
    ends = np.cumsum(ranking.lengths)
    found = {q: ids[end - n : end] for q, end, n in zip(of_run, ends, ranking.lengths, strict=True)}
    assert found == {query: CLEANED[query] for query in of_run}
    assert ranking.repeats == sum(len(of_run[q]) - len(CLEANED[q]) for q in of_run)


def test_what_looks_judged_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every chunk looks like every other one, the ids decide."""
    gold = {"q1": ["b", "x"], "q4": ["c", "a"], "q5": ["a"], "q6": ["d69", "a"]}
    expected = ragtui.per_query(gold, LISTS, k=(1, 2, 100))
    monkeypatch.setattr(ranked_lists, "fingerprints", all_alike)  # unlike gold: nothing may be found
    assert (ragtui.per_query(gold, LISTS, ["recall"], k=100)["recall@100"] == 0).all()
    monkeypatch.setattr(model, "fingerprints", all_alike)
    pd.testing.assert_frame_equal(ragtui.per_query(gold, LISTS, k=(1, 2, 100)), expected)
    assert expected["first_rank"].tolist()[:2] == [2, 1]


def test_two_keys_may_be_one_id() -> None:
    table = ragtui.evaluate({"q": {"1": 1}}, {"q": {1: 3.0, "1": 2.0, "2": 1.0}}, ["precision@2"])
    assert table.attrs["counts"]["run"]["duplicates"] == 1
    assert table["precision@2"].item() == 0.5


def test_so_may_two_queries() -> None:
    table = ragtui.evaluate({"1": {"a": 1}}, {1: {"a": 3.0}, "1": {"a": 2.0, "b": 1.0}}, ["recall@2"])
    assert table.attrs["counts"]["run"]["duplicates"] == 1
