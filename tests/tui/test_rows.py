"""Columns leave a narrow screen in their order, and the flexible one takes what is left."""

from __future__ import annotations

import pytest

from ragtui.tui.state.rows import GAP, Column, fitting

COLUMNS = (
    Column("mark", "", 2),
    Column("id", "id", 6, leaves=2),
    Column("query", "query", 24, is_flexible=True),
    Column("type", "type", 10, leaves=1),
    Column("got", "got", 4),
)
# 2 + 6 + 24 + 10 + 4 cells and four gaps of two
ALL = 46 + 4 * GAP


@pytest.mark.parametrize(
    ("width", "staying", "query"),
    [
        (ALL + 30, "mark id query type got", 54),
        (ALL, "mark id query type got", 24),
        (ALL - 1, "mark id query got", 24 + 10 + GAP - 1),
        (ALL - 13, "mark query got", 24 + 10 + 6 + 2 * GAP - 13),
        (20, "mark query got", 10),
        (5, "mark query got", 1),
    ],
)
def test_columns_that_have_room(width: int, staying: str, query: int) -> None:
    found = fitting(COLUMNS, width)
    assert [column.id for column, _ in found] == staying.split()
    assert next(cells for column, cells in found if column.id == "query") == query
