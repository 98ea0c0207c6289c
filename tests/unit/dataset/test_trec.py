"""TREC files: any white space, three to six columns, comments, any tag and junk after it."""

from __future__ import annotations

from typing import Any

import pytest

from ragtui.dataset.reading import open_set

QRELS = "q1 0 A 1\nq2 0 B 1\n"


def test_mixed_white_space_line_ends_comments_and_blank_lines(folder: Any) -> None:
    files = {
        "qrels.trec": "# judged by hand\r\nq1\t0\tA\t2\r\nq1\t0\tB\t1\r\n\r\nq2  0   C#1  1  \r\n",
        "run.trec": "q1 Q0  B  1   0.9  s \nq1\tQ0\tA\t2\t0.8\ts\nq2 Q0 X 1 9.5e-1 s\n"
        "q2 Q0 C#1 2 +0.5 s more junk\n\n",
    }
    found = open_set(folder(files))
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        ["q1", "A", 2.0],
        ["q1", "B", 1.0],
        ["q2", "C#1", 1.0],
    ]
    lists = found.runs["run"].lists
    assert lists.list_of("q1")[0] == ["B", "A"]
    assert lists.list_of("q2")[1].tolist() == [0.95, 0.5]


def test_a_run_is_ordered_by_score_then_rank_then_line(folder: Any) -> None:
    files = {
        "qrels.trec": QRELS,
        "run.trec": "q1 Q0 C 3 0.5 s\nq1 Q0 A 1 0.5 s\nq1 Q0 D 3 0.5 s\nq1 Q0 B 9 0.9 s\n"
        "q2 Q0 B 1 1 s\nq1 Q0 E 1 0.1 s\n",
    }
    lists = open_set(folder(files)).runs["run"].lists
    assert lists.list_of("q1")[0] == ["B", "A", "C", "D", "E"]


def test_a_card_that_says_distances_turns_the_order(folder: Any) -> None:
    files = {
        "qrels.trec": QRELS,
        "run.d.trec": "q1 Q0 A 1 0.9 s\nq1 Q0 B 2 0.1 s\nq2 Q0 B 1 1 s\n",
        "run.d.toml": 'score_direction = "lower"\n',
    }
    run = open_set(folder(files)).runs["d"]
    assert run.direction == "lower"
    assert run.lists.list_of("q1")[0] == ["B", "A"]


@pytest.mark.parametrize(
    ("lines", "scores"),
    [
        ("q1 Q0 A 1 0.9 tag\nq1 Q0 B 2 0.8 tag\n", [0.9, 0.8]),
        ("q1 Q0 A 1 0.9\nq1 Q0 B 2 0.8\n", [0.9, 0.8]),
        ("q1 A 1 0.9 tag\nq1 B 2 0.8 tag\n", [0.9, 0.8]),
        ("q1 A 1 0.9\nq1 B 2 0.8\n", [0.9, 0.8]),
        ("q1 Q0 A 0.9\nq1 Q0 B 0.8\n", [0.9, 0.8]),
        ("q1 A 0.9\nq1 B 0.8\n", [0.9, 0.8]),
        ("q1 A 1\nq1 B 2\nq2 B 1\n", None),
        ("q1 Q0 A 1\nq1 Q0 B 2\n", None),
    ],
)
def test_three_to_six_columns(folder: Any, lines: str, scores: list[float] | None) -> None:
    lists = open_set(folder({"qrels.trec": QRELS, "run.trec": lines})).runs["run"].lists
    chunk_ids, found = lists.list_of("q1")
    assert chunk_ids == ["A", "B"]
    if scores is None:  # one number that counts 1, 2, 3 is a rank
        assert all(found != found)  # noqa: PLR0124 - NaN
    else:
        assert found.tolist() == scores


def test_tab_separated_gold_with_and_without_header(folder: Any) -> None:
    for qrels in (
        "query-id\tcorpus-id\tscore\nq1\tA b\t1\n",
        "query-id corpus-id score\nq1 A 1\n",
        "q1\tA\t1\n",
    ):
        gold = open_set(folder({"qrels.tsv": qrels})).gold
        assert gold["query_id"].to_list() == ["q1"]
        assert gold["grade"].to_list() == [1.0]


def test_repeated_results_are_kept(folder: Any) -> None:
    files = {"qrels.trec": QRELS, "run.trec": "q1 Q0 A 1 3 s\nq1 Q0 A 2 2 s\nq1 Q0 B 3 1 s\n"}
    assert open_set(folder(files)).runs["run"].lists.list_of("q1")[0] == ["A", "A", "B"]
