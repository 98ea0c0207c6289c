"""`ragtui agree`: figures of public data, sheets out and in, files of every shape."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call


def kappas(pair: dict[str, Any]) -> tuple[float, ...]:
    return tuple(round(pair[name]["value"], 4) for name in ("kappa", "kappa_linear", "kappa_quadratic"))


def test_the_figures_of_trec_rag_are_reproduced(ragtui: Call, shared: Path) -> None:
    folder = shared / "data" / "trec_rag_judges"
    expected = json.loads((folder / "EXPECTED_agreement.json").read_text())
    wanted = tuple(expected[f"kappa_{name}"] for name in ("5grade", "linear", "quadratic"))
    table = ragtui("agree", folder / "paired_human_vs_umbrela2.tsv", "--json").json("agree")
    files = [folder / "qrels.rag25.test.txt", folder / "qrels.rag25.test-umbrela2.txt"]
    pair = ragtui("agree", *files, "--json").json("agree")
    for found in (table, pair):
        (said,) = found["pairs"]
        assert kappas(said) == wanted
        assert round(said["agreement"], 4) == expected["exact_agreement"]
        assert (said["n"], said["left_out"], said["below"]) == (expected["n"], 0, True)
        assert said["kappa"]["low"] < said["kappa"]["value"] < said["kappa"]["high"]
        assert found["all_agree"][0]["n"] == expected["n"]
    assert (table["pairs"][0]["a"], table["pairs"][0]["b"]) == ("human", "umbrela2")
    assert len(table["disagreements"][0]["shown"]) == 20
    assert table["disagreements"][0]["n"] == round(expected["n"] * (1 - said["agreement"]))


def test_the_figures_of_ragchecker_are_reproduced(ragtui: Call, shared: Path) -> None:
    folder = shared / "data" / "ragchecker_meta"
    expected = json.loads((folder / "EXPECTED_agreement.json").read_text())
    found = ragtui("agree", folder / "human_labeled_data.json", "--json").json("agree")
    assert {pair["of"] for pair in found["pairs"]} == set(expected)
    for pair in found["pairs"]:
        said = expected[pair["of"]]
        plain, _, quadratic = kappas(pair)
        assert (plain, quadratic) == (said["annotator_kappa"], said["annotator_kappa_quadratic"])
        assert (round(pair["agreement"], 4), pair["n"]) == (said["exact"], 280)
    text = ragtui("agree", folder / "human_labeled_data.json").out
    assert "quadratic kappa 0.633 is below 0.7." in text
    assert "is not surely at 0.7 yet; rate more." in text


TABLE = "query_id,type,ann,bob,cid\nq1,direct,0,0,0\nq2,direct,1,1,\nq3,vague,2,1,2\nq4,vague,,2,2\n"


def test_a_table_has_a_column_for_each_rater(ragtui: Call, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(TABLE, encoding="utf-8")
    found = ragtui("agree", file, "--json").json("agree")
    assert [(pair["a"], pair["b"], pair["n"], pair["left_out"]) for pair in found["pairs"]] == [
        ("ann", "bob", 3, 1),
        ("ann", "cid", 2, 2),
        ("bob", "cid", 3, 1),
    ]
    assert found["pairs"][0]["by_type"]["direct"]["agreement"] == 1.0
    assert found["pairs"][0]["by_type"]["vague"]["n"] == 1
    # q1 and q3 were rated by all; on q1 they agree
    assert (found["all_agree"][0]["share"], found["all_agree"][0]["n"]) == (0.5, 2)
    (shown,) = found["disagreements"][0]["shown"]
    assert shown == {"item": {"query_id": "q3"}, "ratings": {"ann": 2, "bob": 1, "cid": 2}, "difference": 1}
    chosen = ragtui("agree", file, "--raters", "ann,cid", "--json").json("agree")
    assert [(pair["a"], pair["b"]) for pair in chosen["pairs"]] == [("ann", "cid")]


@pytest.mark.parametrize("by", ["annotator", "assessor"])
def test_a_table_may_have_a_row_for_each_rating(ragtui: Call, tmp_path: Path, by: str) -> None:
    rows = [("q1", "c", "ann", 0), ("q1", "c", "bob", 0), ("q2", "c", "bob", 2), ("q2", "c", "ann", 1)]
    lines = [json.dumps({"query_id": q, "chunk_id": c, by: who, "grade": g}) for q, c, who, g in rows]
    file = tmp_path / "gold.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    (pair,) = ragtui("agree", file, "--json").json("agree")["pairs"]
    assert (pair["of"], pair["a"], pair["b"], pair["n"], pair["agreement"]) == ("grade", "ann", "bob", 2, 0.5)


def test_words_are_categories_without_an_order(ragtui: Call, tmp_path: Path) -> None:
    file = tmp_path / "tags.csv"
    file.write_text(
        "query_id,causes: ann,causes: bob\nq1,noise; ranking,noise\nq2,ranking,ranking\nq3,noise,ranking\n"
    )
    found = ragtui("agree", file, "--json").json("agree")
    (pair,) = found["pairs"]
    # by hand: observed 2/3; ann noise 2 of 3, bob 1 of 3; expected 2/9 + 2/9; kappa (6/9 − 4/9) ÷ (5/9)
    assert pair["kappa"]["value"] == pytest.approx(0.4)
    assert pair["kappa_quadratic"] == {"value": None, "low": None, "high": None, "reason": "unordered"}
    assert found["disagreements"][0]["shown"][0]["ratings"] == {"ann": "noise", "bob": "ranking"}
    assert "ann and bob: kappa 0.400 is below 0.7." in ragtui("agree", file).out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,ann\nq1,1\n", "There are no two raters"),
        ("query_id,text\nq1,hello\n", "There are no two raters"),
        ("", "empty"),
    ],
    ids=["one", "none", "empty"],
)
def test_two_raters_are_needed(ragtui: Call, tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(content, encoding="utf-8")
    answer = ragtui("agree", file)
    assert answer.code == 2
    assert said in answer.err


def test_a_column_that_is_not_there_is_told(ragtui: Call, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(TABLE, encoding="utf-8")
    said = ragtui("agree", file, "--raters", "ann,eve")
    assert said.code == 2
    assert "There is no column eve." in said.err


def test_a_sample_goes_out_blind_and_comes_back_as_ratings(ragtui: Call, made: Path, tmp_path: Path) -> None:
    first, again = (ragtui("agree", made, "--pilot", "3").out for _ in "ab")
    assert first == again
    rows = list(csv.DictReader(io.StringIO(first, newline="")))
    assert list(rows[0]) == ["query_id", "chunk_id", "query", "title", "text", "grade"]
    assert len({(row["query_id"], row["chunk_id"]) for row in rows}) == 3
    assert {row["grade"] for row in rows} == {""}
    for who, grades in (("ann", "110"), ("bob", "1 0")):
        sheet = io.StringIO(newline="")
        writer = csv.DictWriter(sheet, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "grade": grade} for row, grade in zip(rows, grades, strict=True))
        (tmp_path / f"{who}.csv").write_text(sheet.getvalue(), encoding="utf-8", newline="")
        said = ragtui("agree", made, "--import", tmp_path / f"{who}.csv", "--reviewer", who)
        assert f"{len(grades.replace(' ', ''))} changes taken in." in said.err
    of_set = ragtui("agree", made, "--json").json("agree")
    pair = next(one for one in of_set["pairs"] if (one["a"], one["b"]) == ("ann", "bob"))
    of_files = ragtui("agree", tmp_path / "ann.csv", tmp_path / "bob.csv", "--json").json("agree")
    for found in (pair, of_files["pairs"][0]):
        assert (found["n"], found["agreement"], found["a"], found["b"]) == (2, 1.0, "ann", "bob")
    # ratings change no gold
    assert (
        ragtui("eval", made, "--json").json("eval")["runs"]
        == ragtui("eval", made, "--json", "--state", tmp_path / "none").json("eval")["runs"]
    )


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_sheet_of_all_ratings_goes_back_in_unchanged(
    ragtui: Call, made: Path, tmp_path: Path, form: str
) -> None:
    rated = tmp_path / "rated.csv"
    rated.write_text("query_id,chunk_id,grade: ann,grade: =bob\nq1,a#1,0,1\nq2,a#2,,0\n", encoding="utf-8")
    assert "3 changes taken in." in ragtui("agree", made, "--import", rated).err
    exported = ragtui("agree", made, "--export", form, "--reviewer", "cid").out
    before = (made / ".ragtui" / "journal.jsonl").read_bytes()
    file = tmp_path / f"all.{form}"
    file.write_text(exported, encoding="utf-8", newline="")
    assert "0 changes taken in." in ragtui("agree", made, "--import", file).err
    assert (made / ".ragtui" / "journal.jsonl").read_bytes() == before
    state = tmp_path / "other"
    assert "3 changes taken in." in ragtui("agree", made, "--import", file, "--state", state).err
    assert ragtui("agree", made, "--export", form, "--reviewer", "cid", "--state", state).out == exported
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(exported, newline="")))
        # all four pairs of gold, two of them rated by nobody else, and a column for who has not begun
        assert [(row["grade: gold"], row["grade: ann"], row["grade: =bob"]) for row in rows] == [
            ("1", "0", "1"),
            ("1", "", "0"),
            ("1", "", ""),
            ("1", "", ""),
        ]
        assert {row["grade: cid"] for row in rows} == {""}


def test_an_emptied_cell_takes_a_rating_back(ragtui: Call, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "sheet.csv"
    for grade, changes in (("0", "One change"), ("", "One change"), ("", "0 changes")):
        file.write_text(f"query_id,chunk_id,grade: ann\nq1,a#1,{grade}\n", encoding="utf-8")
        assert changes in ragtui("agree", made, "--import", file).err
    assert ragtui("agree", made, "--json").json("agree")["pairs"] == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,chunk_id,grade\nq1,a#1,good\n", "good is no grade"),
        ("query_id,chunk_id,grade\nq1,a#1,7\n", "7 is not on the scale"),
        ("query_id,chunk_id,grade\nq9,a#1,1\n", "no query q9"),
        ("query_id,grade\nq1,1\n", "no sheet of ratings"),
        ("query_id,chunk_id,text\nq1,a#1,x\n", "no sheet of ratings"),
    ],
    ids=["word", "scale", "query", "ids", "grades"],
)
def test_a_sheet_that_cannot_be_taken_in_changes_nothing(
    ragtui: Call, made: Path, tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "sheet.csv"
    file.write_text(content, encoding="utf-8")
    answer = ragtui("agree", made, "--import", file)
    assert answer.code == 2
    assert said in answer.err
    assert not (made / ".ragtui").exists()


def test_main_causes_are_compared_where_two_gave_any(ragtui: Call, made: Path) -> None:
    for who, causes in (("ann", ["noise", "ranking"]), ("bob", ["noise"])):
        options = [part for cause in causes for part in ("--tag", cause)]
        ragtui("failures", made, "--where", "taxi", *options, "--reviewer", who)
        assert len(ragtui("agree", made, "--json").json("agree")["all_agree"]) == (1 if who == "ann" else 2)
    found = ragtui("agree", made, "--json").json("agree")
    (pair,) = [one for one in found["pairs"] if one["of"] == "cause"]
    assert (pair["a"], pair["b"], pair["n"], pair["agreement"]) == ("ann", "bob", 1, 1.0)
    assert pair["kappa"]["reason"] == "one-category"
    assert "main cause" in ragtui("agree", made).out


def test_one_rater_has_nobody_to_agree_with(ragtui: Call, made: Path) -> None:
    said = ragtui("agree", made)
    assert said.code == 0
    assert "One rater: gold" in said.out
    assert "--pilot 50" in said.out
