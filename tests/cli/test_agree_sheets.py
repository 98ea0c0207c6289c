"""Sheets of `ragtui agree` that change gold: pairs that nobody graded, and what raters have to settle."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call

Rows = list[dict[str, str]]


def rows_of(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def written(path: Path, rows: Rows) -> Path:
    sheet = io.StringIO(newline="")
    writer = csv.DictWriter(sheet, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(sheet.getvalue(), encoding="utf-8", newline="")
    return path


def pairs(rows: Rows) -> set[tuple[str, str]]:
    return {(row["query_id"], row["chunk_id"]) for row in rows}


def events(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / ".ragtui" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def ungraded(folder: Path, k: int) -> set[tuple[str, str]]:
    """By hand: what runs have in the first K, without what the qrels name."""
    gold = {
        (line.split("\t")[0], line.split("\t")[1])
        for line in (folder / "qrels" / "dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    }
    found = set()
    for line in (folder / "runs" / "one.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found |= {(row["query_id"], result["chunk_id"]) for result in row["results"][:k]}
    return found - gold


def test_what_nobody_graded_goes_out_blind_and_comes_back_as_gold(
    ragtui: Call, made: Path, tmp_path: Path
) -> None:
    said = ragtui("agree", made, "--pool", "2")
    rows = rows_of(said.out)
    assert list(rows[0]) == ["query_id", "chunk_id", "query", "title", "text", "gold", "reason"]
    assert pairs(rows) == ungraded(made, 2)
    assert f"{len(rows)} pairs." in said.err
    assert ragtui("agree", made, "--pool", "2").out == said.out
    rows[0] |= {"gold": "1", "reason": "says it"}
    file = written(tmp_path / "pool.csv", rows)
    assert "One change taken in." in ragtui("agree", made, "--import", file, "--reviewer", "ann").err
    (event,) = events(made)
    assert (event["kind"], event["reviewer"], event["grade"], event["blind"]) == ("grade", "ann", 1.0, True)
    assert event["reason"] == "says it"
    assert "in_sight" not in event  # nobody saw a run
    # it is offered no more, an empty cell says nothing, and the sheet goes back in unchanged
    assert pairs(rows_of(ragtui("agree", made, "--pool", "2").out)) == pairs(rows[1:])
    assert "0 changes taken in." in ragtui("agree", made, "--import", file, "--reviewer", "ann").err
    out = tmp_path / "corrected"
    assert ragtui("convert", made, out, "--gold-version", "latest").code == 0
    qrels = (out / "qrels" / "dev.jsonl").read_text(encoding="utf-8")
    assert any(json.loads(line)["chunk_id"] == rows[0]["chunk_id"] for line in qrels.splitlines())


def test_a_pool_is_of_the_queries_that_a_filter_leaves(ragtui: Call, made: Path) -> None:
    rows = rows_of(ragtui("agree", made, "--pool", "2", "--where", "id:q2").out)
    assert pairs(rows) == {pair for pair in ungraded(made, 2) if pair[0] == "q2"}
    nothing = ragtui("agree", made, "--pool", "2", "--where", '"no such words"')
    assert nothing.code == 2
    assert "No query satisfies" in nothing.err


def test_what_raters_grade_differently_is_settled(ragtui: Call, made: Path, tmp_path: Path) -> None:
    assert "No two raters" in ragtui("agree", made, "--disputes").err
    rated = tmp_path / "rated.csv"
    rated.write_text("query_id,chunk_id,grade: ann,grade: bob\nq1,a#1,0,1\nq2,a#2,1,1\n", encoding="utf-8")
    ragtui("agree", made, "--import", rated)
    assert "not settled" in ragtui("agree", made).err
    (row,) = rows_of(ragtui("agree", made, "--disputes").out)
    said = (row["grade: gold"], row["grade: ann"], row["grade: bob"], row["decision"], row["reason"])
    assert said == ("1", "0", "1", "", "")
    file = written(tmp_path / "disputes.csv", [row | {"decision": "0", "reason": "old version"}])
    assert "One change taken in." in ragtui("agree", made, "--import", file, "--reviewer", "eve").err
    last = events(made)[-1]
    assert (last["kind"], last["reviewer"], last["grade"]) == ("decision", "eve", 0.0)
    assert last["heard"] == [["", 1.0], ["ann", 0.0], ["bob", 1.0]]
    # it stands in gold, is no longer asked for, and goes back in unchanged
    out = ragtui("eval", made, "--gold-version", "0", "--gold-version", "latest").out
    assert "0 -> 1" in out
    again = ragtui("agree", made, "--disputes").out
    (settled,) = rows_of(again)
    assert (settled["decision"], settled["reason"]) == ("0", "old version")
    assert "not settled" not in ragtui("agree", made).err
    assert (
        "0 changes"
        in ragtui(
            "agree", made, "--import", written(tmp_path / "again.csv", [settled]), "--reviewer", "eve"
        ).err
    )
    emptied = written(tmp_path / "emptied.csv", [settled | {"decision": ""}])
    assert "One change" in ragtui("agree", made, "--import", emptied, "--reviewer", "eve").err
    assert "not settled" in ragtui("agree", made).err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,chunk_id,gold\nq1,zz,1\n", "There is no chunk zz."),
        ("query_id,chunk_id,gold\nq1,a#1,9\n", "9 is not on the scale"),
        ("query_id,chunk_id,decision\nq1,a#1,0\n", "nothing to decide about a#1"),
    ],
    ids=["chunk", "scale", "agreed"],
)
def test_a_wrong_sheet_changes_nothing(
    ragtui: Call, made: Path, tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "sheet.csv"
    file.write_text(content, encoding="utf-8")
    answer = ragtui("agree", made, "--import", file)
    assert answer.code == 2
    assert said in answer.err
    assert not (made / ".ragtui").exists()


def test_one_sheet_at_a_time_and_of_a_set_only(ragtui: Call, made: Path, tmp_path: Path) -> None:
    both = ragtui("agree", made, "--pool", "2", "--disputes")
    assert (both.code, both.out) == (2, "")
    assert "One sheet at a time: --pool, --disputes." in both.err
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,a,b\n1,0,1\n", encoding="utf-8")
    of_file = ragtui("agree", ratings, "--pool", "2")
    assert of_file.code == 2
    assert "--pool says nothing here" in of_file.err
