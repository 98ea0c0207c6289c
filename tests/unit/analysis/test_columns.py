"""Coded columns: comparison of texts, places in sorting, values that are lists."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.columns import Column, fold

MIXED = st.one_of(st.text(st.characters(codec="ascii")), st.text())


def column(*values: Any) -> Column:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return Column.of(objects)


@given(MIXED)
def test_ascii_is_folded_as_any_text(text: str) -> None:
    assert fold(text) == unicodedata.normalize("NFKC", text).casefold().strip()


@given(st.lists(st.text(st.sampled_from("aAbBé二"), min_size=1, max_size=3), min_size=1))
def test_places_sort_as_texts_do_and_equal_ones_share_theirs(texts: list[str]) -> None:
    coded = column(*texts)
    places = coded.places[coded.codes]
    assert [fold(texts[i]) for i in np.argsort(places, kind="stable")] == sorted(map(fold, texts))
    assert len(set(places)) == len(set(map(fold, texts)))


def test_numbers_keep_their_own_places() -> None:
    assert list(column("10", "9", 2.5).places) == [10, 9, 2.5]


def test_a_list_holds_what_one_of_its_items_holds() -> None:
    tags = column(["Air", "role"], None, "air", [], ["form"])
    assert list(tags.rows(tags.holding(lambda item: item == "air"))) == [True, False, True, False, False]
    assert tags.items == (("Air", "role"), ("air",), ("form",))
    assert list(tags.is_empty) == [False, True, False, True, False]


def test_counts_are_of_the_rows_asked_for() -> None:
    kinds = column("a", "b", "a", None, "a")
    assert list(kinds.counts_in(np.array([True, True, True, True, True]))) == [3, 1]
    assert list(kinds.counts_in(np.array([False, True, True, True, False]))) == [1, 1]
