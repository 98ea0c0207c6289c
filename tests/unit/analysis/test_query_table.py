from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ragtui.analysis.chunk_pairs import ChunkPairs
from ragtui.analysis.query_table import QueryTable
from tests.unit.analysis.conftest import FIRST, QUERIES, made_run, made_set, table_of


def test_one_row_per_query_in_order_of_the_set(table: QueryTable) -> None:
    assert list(table.query_ids) == ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"]
    assert (table.row_of("q4"), table.row_of("q9")) == (3, None)
    assert table.frame.loc["q4", "text"] == "who approves [b]flights[/b]"


def test_states_follow_gold(table: QueryTable) -> None:
    assert list(table.frame["state"]) == [*["scored"] * 5, "no-answer", "no-gold", "unjudged"]


def test_marks_and_counts_of_evidence(table: QueryTable) -> None:
    assert list(table.frame["mark"]) == ["~", "x", "", "x", "x", "", "", ""]
    assert list(table.frame["got"]) == [1, 0, 1, 0, 0, 0, 0, 0]
    assert list(table.frame["groups"]) == [2, 1, 1, 1, 1, 0, 0, 0]


def test_ranks_scores_and_lengths(table: QueryTable) -> None:
    np.testing.assert_array_equal(table.frame["first_rank"], [1, 5, 1, *[np.nan] * 5])
    np.testing.assert_array_equal(table.frame["stale_rank"], [3, *[np.nan] * 7])
    np.testing.assert_array_equal(table.frame["top1"], [0.9, 0.9, 0.95, 0.4, np.nan, 0.85, 0.5, 0.6])
    assert list(table.frame["returned"]) == [5, 5, 2, 2, 0, 2, 1, 2]
    assert list(table.frame["missing"]) == [*[False] * 4, True, *[False] * 3]


def test_metrics_stand_beside_the_facts_and_are_nan_where_not_scored(table: QueryTable) -> None:
    np.testing.assert_array_equal(table.frame["recall@5"], [1, 1, 0.5, 0, 0, *[np.nan] * 3])
    assert "ndcg@5" in table.metric_names
    assert not {"first_rank", "got@5", "returned"} & set(table.metric_names)


def test_metadata_keeps_its_names_unless_a_fact_has_it() -> None:
    queries = {query: {**row, "mark": "own", "mood": "good"} for query, row in QUERIES.items()}
    table = table_of(made_set(queries))
    assert {"type", "mood", "metadata.mark"} <= set(table.metadata_names)
    assert list(table.frame["metadata.mark"]) == ["own"] * 8
    assert table.frame["mark"].iat[1] == "x"


@pytest.mark.parametrize(
    ("query", "strip"),
    [
        ("q1", "3?.|?2     "),
        ("q2", "???|?1     "),
        ("q3", "+? |       "),
        ("q4", "?? |       "),
        ("q5", "   |       "),
        ("q6", ".? |       "),
        ("q7", ".  |       "),
        ("q8", "?  |       "),
    ],
)
def test_strip_shows_the_grade_at_each_rank(table: QueryTable, query: str, strip: str) -> None:
    assert table.strip(table.row_of(query) or 0) == strip


def test_strip_is_as_wide_as_asked_and_has_the_bar_only_within(table: QueryTable) -> None:
    assert table.strip(0, 2) == "3?"
    assert table.strip(0, 3) == "3?.|"
    assert table.strip(0, 5) == "3?.|?2"


def test_strip_reads_past_the_matrix(table: QueryTable) -> None:
    narrow = table_of(made_set(), k=1, ks=(1,))
    assert narrow.result.matrix.width == 1
    assert narrow.strip(0, 5) == "3|?.?2"


def test_grades_that_are_no_digit_are_a_plus() -> None:
    lists = {"q4": [("c1", 1.0)], "q3": [("b2", 1.0), ("b1", 0.5)]}
    table = table_of(made_set(runs={"first": lists}))
    assert table.strip(3, 2) == "+ "
    assert table.strip(2, 2) == "+1"


def test_k_beyond_the_depth_is_not_known() -> None:
    evaluation = made_set()
    run = made_run("first", FIRST, depth=5)
    table = table_of(replace(evaluation, runs={"first": run}), k=10)
    assert list(table.frame["got"]) == [-1] * 5 + [0] * 3
    assert set(table.frame["mark"]) == {""}


def test_failed_queries_are_said(table: QueryTable) -> None:
    run = replace(table.run, errors={"q3": "timeout", "elsewhere": "x"})
    failing = table_of(replace(made_set(), runs={"first": run}))
    assert list(np.flatnonzero(failing.frame["failed"])) == [2]
    assert failing.frame["mark"].iat[2] == "x"


def test_queries_left_out_of_an_intersection_are_their_own_state() -> None:
    table = table_of(made_set(), missing="intersection")
    assert table.frame.loc["q5", "state"] == "left-out"


def test_at_another_cut_off_it_is_the_table_made_for_it(table: QueryTable) -> None:
    for k in (1, 3, 10):
        made, other = table_of(made_set(), k=k), table.at(k)
        pd.testing.assert_frame_equal(other.frame, made.frame)
        assert [other.strip(row) for row in range(8)] == [made.strip(row) for row in range(8)]
    assert list(table.frame["mark"]) == ["~", "x", "", "x", "x", "", "", ""]


def test_needed_and_retrieved_chunks(table: QueryTable) -> None:
    assert pairs(table.needed) == [
        (0, "a1"),
        (0, "a2"),
        (1, "b1"),
        (2, "b1"),
        (2, "b2"),
        (3, "c1"),
        (4, "a1"),
    ]
    assert pairs(table.retrieved) == sorted(
        (int(query[1]) - 1, chunk) for query, hits in FIRST.items() for chunk, _ in hits
    )


def pairs(found: ChunkPairs) -> list[tuple[int, str]]:
    """Row and chunk of each pair."""
    rows = np.repeat(found.rows, np.diff(found.offsets)).tolist()
    chunks = [found.chunks.texts[code] for code in found.chunks.codes]
    return sorted(zip(rows, chunks, strict=True))


def test_lists_of_queries_outside_the_table_count_nowhere() -> None:
    # rows 0 and 1 have a, b and b; a list of no row of the table has b and c
    rows, offsets, codes = np.array([0, -1, 1]), np.array([0, 2, 4, 5]), np.array([0, 1, 1, 2, 1])
    found = ChunkPairs.of(rows, offsets, codes, ["a", "b", "c"])
    assert list(found.counts_in(np.array([True, True]))) == [1, 2, 0]
    assert list(found.counts_in(np.array([False, True]))) == [0, 1, 0]
    assert list(found.rows_with(np.array([False, True, False]), 2)) == [True, True]
    assert list(found.rows_with(np.array([False, False, True]), 2)) == [False, False]


def test_a_set_without_lists_or_gold_still_has_its_rows() -> None:
    table = table_of(made_set(gold=[], runs={"first": {}}))
    assert len(table) == 8
    assert set(table.frame["state"]) == {"no-answer", "unjudged"}
    assert table.strip(0) == "   |       "
