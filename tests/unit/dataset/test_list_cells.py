"""Lists that came back from a CSV file as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.dataset.readers.list_cells import CELL_LIMIT, listed
from ragtui.dataset.readers.values import BadValue


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("", None),
        ("  ", None),
        ("[]", []),
        ("['a', \"b's\"]", ["a", "b's"]),
        ('["a", "b"]', ["a", "b"]),
        ("plain text", ["plain text"]),
        ("[1] a citation", ["[1] a citation"]),
        ("see [1]", ["see [1]"]),
        ("[not a list]", ["[not a list]"]),
        ("[007, 012]", ["007", "012"]),
        ("[7 12]", ["7", "12"]),
        ("('a', 'b')", ["('a', 'b')"]),
    ],
)
def test_cells(text: str | None, expected: list[Any] | None) -> None:
    assert listed(text, "contexts") == expected


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), max_size=6))
def test_what_python_and_json_write_is_read_back(texts: list[str]) -> None:
    assert listed(str(texts), "contexts") == texts
    assert listed(orjson.dumps(texts).decode(), "contexts") == texts


@given(st.lists(st.text("abc '\"\n", min_size=1, max_size=12), min_size=2, max_size=8))
def test_what_numpy_prints_is_not_joined(texts: list[str]) -> None:
    assert listed(str(np.array(texts, dtype=object)), "contexts") == texts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[Document(page_content='a')]", "list-as-text"),
        ("['a', 'b', nan]", "list-as-text"),
        ("['a' + 'b']", "list-as-text"),
        ("[__import__('os').getcwd()]", "list-as-text"),
        ("['a' 'b' ... 'y' 'z']", "list-cut-short"),
        (str(np.array(["a"] * 2000)), "list-cut-short"),
        ("[" * 5000 + "]" * 5000, "list-as-text"),
        ("['" + "a" * CELL_LIMIT + "',]", "list-as-text"),
        (7, "not-a-list"),
        ({"a": 1}, "not-a-list"),
    ],
)
def test_what_cannot_be_read_back_is_refused(text: object, kind: str) -> None:
    with pytest.raises(BadValue) as raised:
        listed(text, "contexts")
    assert raised.value.kind == kind
