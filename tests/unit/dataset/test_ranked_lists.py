"""Ranked lists in Arrow: their ids, their order, and what is known of repeats."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.dataset.ids import coded, fingerprints, ids_of, places, plain, texts, with_codes
from ragtui.dataset.list_order import offsets_of, put_in_order, reordered
from ragtui.dataset.model import RankedLists
from ragtui.dataset.selection import with_renamed_chunks, without_queries

VALUES = st.sampled_from([0.0, 1.0, 1.5, -2.0, math.nan])


@given(
    lists=st.lists(st.lists(st.tuples(VALUES, st.integers(0, 2)), max_size=8), max_size=6),
    best=st.sampled_from(["higher", "lower"]),
    with_ranks=st.booleans(),
)
def test_order_is_by_value_then_rank_then_place(
    lists: list[list[tuple[float, int]]], best: str, with_ranks: bool
) -> None:
    values = np.array([value for one in lists for value, _ in one], dtype=np.float64)
    ranks = np.array([rank for one in lists for _, rank in one], dtype=np.float64)
    entries = np.arange(len(values))
    offsets = offsets_of([len(one) for one in lists])
    direction: object = best
    put_in_order(reordered(offsets, values, direction, ranks if with_ranks else None), entries)  # type: ignore[arg-type]
    sign = -1 if best == "higher" else 1
    expected = [
        start + place
        for start, one in zip(offsets.tolist(), lists, strict=False)
        for place in sorted(
            range(len(one)),
            key=lambda at: (
                math.isnan(one[at][0]),
                sign * np.nan_to_num(one[at][0]),
                one[at][1] * with_ranks,
            ),
        )
    ]
    assert entries.tolist() == expected


@given(st.lists(st.text(max_size=30), max_size=30), st.integers(0, 5))
def test_fingerprints_tell_ids_apart(ids: list[str], start: int) -> None:
    found = fingerprints(ids_of(ids)[start:]).tolist()
    assert [found.index(one) for one in found] == [ids[start:].index(one) for one in ids[start:]]


def test_the_length_of_an_id_cancels_no_byte() -> None:
    ids = ["", *("".join(map(chr, pair)) for n in range(128) for pair in ((n,), (n, 0), (0, n)))]
    distinct = list(dict.fromkeys(ids))
    assert len(set(fingerprints(ids_of(distinct)).tolist())) == len(distinct)


def test_fingerprints_see_every_byte_and_the_length() -> None:
    ids = [f"{'x' * place}{c}{'x' * (20 - place)}" for place in range(21) for c in "ab"] + [
        "x" * n for n in range(40)
    ]
    assert len(set(fingerprints(ids_of(ids)).tolist())) == len(set(ids))


@given(st.lists(st.text(max_size=3), max_size=12), st.lists(st.text(max_size=3), unique=True, max_size=8))
def test_places_are_those_of_a_list(ids: list[str], among: list[str]) -> None:
    expected = [among.index(one) if one in among else -1 for one in ids]
    for held in (ids_of(ids), coded(ids_of(ids))):
        assert places(held, ids_of(among)).tolist() == expected
        assert texts(plain(held)) == ids


@pytest.fixture(params=["plain", "coded"])
def lists(request: pytest.FixtureRequest) -> RankedLists:
    built = RankedLists.from_lists(
        {"q1": ["a", "b", "a"], "q2": [], "q3": ["c", "a"]}, {"q1": [3, 2, 1], "q2": [], "q3": [2, 1]}
    )
    return replace(built, chunk_ids=built.coded) if request.param == "coded" else built


def test_lists_are_what_they_were_built_from(lists: RankedLists) -> None:
    ids, scores = lists.list_of("q1")
    assert (ids, scores.tolist()) == (["a", "b", "a"], [3, 2, 1])
    assert lists.list_of("q2")[0] == lists.list_of("nowhere")[0] == []
    assert lists.vocabulary.tolist() == ["a", "b", "c"]
    assert lists.codes.tolist() == [0, 1, 0, 2, 0]
    assert lists.lengths.tolist() == [3, 0, 2]


def test_likenesses_are_the_same_however_ids_are_held(lists: RankedLists) -> None:
    expected = fingerprints(ids_of(["a", "b", "a", "c", "a"]))
    assert lists.likenesses(slice(0, 5)).tolist() == expected.tolist()
    places_ = np.array([3, 0, 2], dtype=np.int32)
    assert lists.likenesses(places_).tolist() == expected[places_].tolist()


def test_parts_of_lists(lists: RankedLists) -> None:
    rest = without_queries(lists, {"q1"})
    assert (rest.query_ids.tolist(), rest.list_of("q3")[0]) == (["q2", "q3"], ["c", "a"])
    renamed = with_renamed_chunks(lists, {"a": "x", "b": "x", "c": "y"}.__getitem__)
    assert renamed.list_of("q1")[0] == ["x", "x", "x"]
    assert renamed.vocabulary.tolist() == ["x", "y"]


def test_codes_of_a_dictionary_are_kept() -> None:
    held = with_codes(np.array([1, 0, 1], dtype=np.int32), ["a", "b"])
    assert texts(plain(held)) == ["b", "a", "b"]
    assert isinstance(held, pa.DictionaryArray)
