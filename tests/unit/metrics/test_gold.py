"""Gold coded once: conflicts decided, groups and roles kept."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from ragtui.errors import RagtuiError
from ragtui.metrics.gold import GoldTable


def table_of(*rows: tuple[Any, ...], columns: str = "query_id chunk_id grade") -> GoldTable:
    return GoldTable.from_frame(pd.DataFrame(rows, columns=columns.split()))


@pytest.mark.parametrize(
    ("grades", "decided", "conflicts"),
    [
        ([2], 2, 0),
        ([2, 2], 2, 0),
        ([3, 1, 3], 3, 1),
        ([1, 3], 1, 1),
        ([3, 1], 1, 1),
        ([0, 0, 3, 3, 2], 0, 1),
        ([3, 2, 1], 1, 1),
        ([-1, 2, 2], 2, 1),
    ],
)
def test_the_majority_decides_and_ties_go_to_the_lower_grade(
    grades: list[int], decided: float, conflicts: int
) -> None:
    # a pair before and one after, so that neighbours cannot leak into the count
    table = table_of(("q", "a", 5), *(("q", "b", grade) for grade in grades), ("q", "c", 5))
    assert table.grade.tolist() == [5, decided, 5]
    assert table.conflicts == conflicts


def test_group_and_role_are_those_of_the_grade_that_counts() -> None:
    table = table_of(
        ("q", "a", 0, "g1", "distractor"),
        ("q", "a", 2, "g2", None),
        ("q", "a", 2, "g3", None),
        ("q", "b", 1, "g2", None),
        columns="query_id chunk_id grade group role",
    )
    assert table.distractor.tolist() == [False, False]
    assert table.group[0] == table.group[1]


def test_chunks_without_a_group_stand_alone() -> None:
    table = table_of(
        ("q1", "a", 1, "g"),
        ("q1", "b", 1, "g"),
        ("q1", "c", 1, None),
        ("q1", "d", 1, ""),
        ("q2", "a", 1, "g"),
        columns="query_id chunk_id grade group",
    )
    first, second, third, fourth, other = table.group.tolist()
    assert first == second
    assert len({first, third, fourth, other}) == 4


def test_rows_are_sorted_by_key() -> None:
    table = table_of(("q2", "b", 1), ("q1", "a", 2), ("q2", "a", 3))
    assert (table.keys[1:] > table.keys[:-1]).all()
    pairs = {
        (table.query_ids[q], table.chunk_ids[c]): grade
        for q, c, grade in zip(table.query, table.chunk, table.grade, strict=True)
    }
    assert pairs == {("q2", "b"): 1, ("q1", "a"): 2, ("q2", "a"): 3}


def test_negative_grades_are_counted_and_kept() -> None:
    table = table_of(("q", "a", -1), ("q", "b", -2), ("q", "c", 1))
    assert table.negatives == 2
    assert table.highest_grade == 1


@pytest.mark.parametrize("grade", [float("nan"), float("inf")])
def test_a_grade_that_is_no_number_is_refused(grade: float) -> None:
    with pytest.raises(RagtuiError, match="chunk b for query q"):
        table_of(("q", "a", 1), ("q", "b", grade))


def test_no_gold() -> None:
    table = GoldTable.from_frame(pd.DataFrame({"query_id": [], "chunk_id": [], "grade": []}))
    assert len(table.keys) == 0
    assert table.highest_grade == 0
