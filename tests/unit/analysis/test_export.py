from __future__ import annotations

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.analysis.export import as_csv, as_jsonl, as_markdown, as_written, export, plain, records
from ragtui.analysis.query_table import QueryTable


def test_records_are_plain_and_in_the_given_order(table: QueryTable) -> None:
    found = records(table, np.array([4, 0]))
    assert [row["query_id"] for row in found] == ["q5", "q1"]
    assert found[0]["first_rank"] is None
    assert found[1] | {"got": 1, "groups": 2, "type": "multi-evidence", "mark": "~"} == found[1]
    assert found[1]["gold_by_rank"] == "3?.|?2"
    assert "ndcg@3" in found[0]
    assert "ndcg@5" not in found[0]
    assert "origin" not in found[0]


def test_json_lines_hold_no_nan(table: QueryTable) -> None:
    lines = export(table, np.arange(8), "jsonl").splitlines()
    assert [json.loads(line)["query_id"] for line in lines] == [f"q{i}" for i in range(1, 9)]
    assert "NaN" not in "".join(lines)


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "＝1"])
def test_cells_that_a_spreadsheet_would_run_are_defused(start: str) -> None:
    text = as_csv([{"text": start, "=header": "a=b", "score": -1.5}])
    header, row = list(csv.reader(io.StringIO(text, newline="")))
    assert header == ["text", "'=header", "score"]
    assert row == [f"'{start}", "a=b", "-1.5"]


@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), min_size=1
    )
)
def test_csv_is_read_back(cells: list[str]) -> None:
    row = {f"c{i}": cell for i, cell in enumerate(cells)}
    read = list(csv.reader(io.StringIO(as_csv([row]), newline="")))
    assert [as_written(cell) for cell in read[1]] == cells


@pytest.mark.parametrize("text", ["=1", "'=1", "''=1", "'tis", "'", "", "＝x", "'-"])
def test_what_was_defused_is_given_back_unchanged(text: str) -> None:
    (cell,) = list(csv.reader(io.StringIO(as_csv([{"text": text}]), newline="")))[1:][0] or [""]
    assert as_written(cell) == text
    assert not cell.startswith(("=", "＝", "-"))


def test_markdown_obeys_nothing_of_a_text() -> None:
    text = as_markdown([{"text": "a|b\n# <b> [x](y) `c` *d*\x1b[31m", "n": 0.123456, "none": None}])
    assert text.splitlines() == [
        "| text | n | none |",
        "| --- | --- | --- |",
        "| a\\|b␊\\# \\<b\\> \\[x\\](y) \\`c\\` \\*d\\*␛\\[31m | 0.1235 |  |",
    ]


def test_excel_gets_a_byte_order_mark(table: QueryTable) -> None:
    plain_text, marked = export(table, np.arange(2), "csv"), export(table, np.arange(2), "excel")
    assert marked == "\ufeff" + plain_text


def test_nothing_to_export_is_an_empty_text() -> None:
    assert as_csv([]) == as_jsonl([]) == as_markdown([]) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64("nan"), None),
        (float("inf"), None),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (pd.NA, None),
        ([np.nan, {"a": np.float32(0.5)}], [None, {"a": 0.5}]),
        (pd.Timestamp("2024-01-02"), "2024-01-02 00:00:00"),
    ],
)
def test_values_become_what_json_can_hold(value: object, expected: object) -> None:
    assert plain(value) == expected
