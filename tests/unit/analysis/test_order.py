from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis import order
from ragtui.analysis.query_table import QueryTable
from tests.unit.analysis.conftest import FIRST, made_run, made_set, table_of
from tests.unit.analysis.test_where import shared_facts


def ids(table: QueryTable, rows: npt.NDArray[np.int64]) -> str:
    return "".join(query[1:] for query in table.query_ids[rows])


def test_worst_first(table: QueryTable) -> None:
    # At K 3 nothing is got by q2, q4 and q5. Of these b1 of q2 stands at 5, so its ndcg@10 is not 0; q4
    # and q5 have nothing at all. q1 has one of two, q3 is complete. Then no-answer, no gold, unjudged.
    assert ids(table, order.worst_first(table, "ndcg@10")) == "45213678"


def test_metrics_that_were_not_computed_are_passed_over(table: QueryTable) -> None:
    # of the misses q2 alone has a first rank, so it is the least bad one
    assert ids(table, order.worst_first(table, "ndcg@99")) == "45213678"


def test_no_answer_queries_start_with_the_surest_one() -> None:
    queries = {f"q{i}": {"text": "", "answerable": False} for i in (1, 2, 3)}
    lists = {"q1": [("a", 0.5)], "q3": [("a", 0.9)]}
    evaluation = made_set(queries, gold=[], runs={"first": lists})
    table = table_of(evaluation)
    assert ids(table, order.worst_first(table, "ndcg@10")) == "312"
    nearer = replace(made_run("first", lists), direction="lower")
    distances = table_of(replace(evaluation, runs={"first": nearer}))
    assert ids(distances, order.worst_first(distances, "ndcg@10")) == "132"


@pytest.mark.parametrize(
    ("column", "rows", "reverse"),
    [
        ("query_id", "12345678", "87654321"),
        # 1, 5, 1; the others have none and stay last
        ("first_rank", "13245678", "21345678"),
        # half, none, all, none, none
        ("got", "24513678", "31245678"),
        # numbers are no text: 10 is not before 2
        ("level", "42315678", "32415678"),
        ("type", "53461287", "82134657"),
        ("created", "12345678", "32145678"),
        ("recall@5", "45312678", "12345678"),
        ("core", "12456738", "38124567"),
    ],
)
def test_by_column_is_stable_and_keeps_the_empty_last(
    table: QueryTable, column: str, rows: str, reverse: str
) -> None:
    assert ids(table, order.by_column(table, column)) == rows
    assert ids(table, order.by_column(table, column, reverse=True)) == reverse


@given(
    st.sampled_from(["first_rank", "type", "level", "tags", "top1", "ndcg@3", "mark", "missing"]),
    st.booleans(),
)
def test_every_order_is_a_permutation(column: str, reverse: bool) -> None:
    table = shared_facts().table
    assert sorted(order.by_column(table, column, reverse=reverse)) == list(range(8))


def test_worst_first_is_a_permutation(table: QueryTable) -> None:
    for metric in table.metric_names:
        assert sorted(order.worst_first(table, metric)) == list(range(8))


def test_an_empty_table_has_an_empty_order() -> None:
    table = table_of(made_set({"q1": {"text": ""}}, gold=[], runs={"first": {"q1": FIRST["q1"]}}))
    assert list(order.worst_first(table, "ndcg@10")) == [0]
    assert list(order.by_column(table, "difficulty")) == [0]
