"""`ragtui report`: what it writes, where, in which language, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragtui.workspace import Workspace
from tests.cli.conftest import RUN, Call


def test_the_example_gives_a_sentence_and_four_figures(ragtui: Call) -> None:
    said = ragtui("report", "datasets/travel-policy-zh", "--run", "e5-small")
    assert said.code == 0
    assert "61 of 90 questions: 67.8 % (95 %: 57.6–76.5 %)" in said.out  # Wilson for 61 of 90
    assert [line.split("`")[-2] for line in said.out.splitlines() if "| **" in line] == [
        "complete@5",
        "ndcg@10",
        "stale@5",
        "auroc",
    ]
    assert "## What is weak" in said.out
    assert "## What to do next" in said.out
    assert "## What this does not show" in said.out


def test_programs_get_what_the_page_says(ragtui: Call) -> None:
    found = ragtui(
        "report", "datasets/travel-policy-zh", "--run", "e5-small", "--baseline", "bm25", "--json"
    ).json("report")
    complete = found["figures"][0]["estimate"]
    assert (complete["mean"], complete["n"]) == (pytest.approx(61 / 90), 90)
    assert found["basis"]["run"] == "e5-small"
    assert found["comparison"]["baseline"] == "bm25"
    assert found["failures"]["of"] == 90


def test_the_best_of_several_runs_is_taken_and_that_is_said(ragtui: Call) -> None:
    said = ragtui("report", "datasets/travel-policy-zh")
    assert "run e5-small" in said.out
    assert "best of 3 by `ndcg@10`" in said.out


def test_chinese_where_it_is_asked_for_and_english_beside_it(ragtui: Call, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    said = ragtui("report", "datasets/travel-policy-zh", "--language", "zh", "-o", file)
    assert said.out == ""
    assert "Report in" in said.err
    assert "## 下一步做什么" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "begins"), [("a.html", "<!DOCTYPE html>"), ("a.md", "# "), ("a", "# ")])
def test_the_ending_of_the_file_tells_the_format(
    ragtui: Call, made: Path, tmp_path: Path, name: str, begins: str
) -> None:
    assert ragtui("report", made, "-o", tmp_path / name).code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_a_filter_narrows_what_it_is_about(ragtui: Call, made: Path) -> None:
    said = ragtui("report", made, "--where", "type:direct")
    assert "2 queries, 2 scored" in said.out
    assert "where type:direct" in said.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--run", "none"], "none"),
        (["--run", "one", "--baseline", "one"], "its own baseline"),
        (["--where", "hit@5:0"], "only mirror it"),
        (["--where", "type:nothing"], "No query satisfies"),
        (["--where", "type:"], "no value"),
        (["--split", "none"], "none"),
        (["-o", "no/such/folder.md"], "cannot"),
    ],
    ids=["run", "own baseline", "outcome", "no match", "bad filter", "split", "folder"],
)
def test_what_cannot_be_is_refused(ragtui: Call, made: Path, arguments: list[str], told: str) -> None:
    said = ragtui("report", made, *arguments)
    assert said.code == 2
    assert said.out == ""
    assert told in said.err


def test_a_set_without_runs_says_how_to_make_one(ragtui: Call, made: Path) -> None:
    (made / "runs" / "one.jsonl").unlink()
    said = ragtui("report", made)
    assert said.code == 2
    assert "ragtui bench" in said.err


def test_two_runs_are_one_too_many(ragtui: Call, made: Path) -> None:
    (made / "runs" / "two.jsonl").write_text(RUN, encoding="utf-8")
    said = ragtui("report", made, "--run", "one", "--run", "two")
    assert said.code == 2
    assert "--baseline" in said.err


def test_corrected_gold_counts_where_it_is_asked_for(ragtui: Call, made: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    Workspace.open(made, state=state).review.grade("q3", "c#1", 0)
    before = ragtui("report", made, "--state", state)
    assert "4 queries, 3 scored" in before.out
    assert "the journal holds version 1, and these numbers are of version 0" in before.out
    after = ragtui("report", made, "--state", state, "--gold-version", "latest")
    assert "4 queries, 2 scored" in after.out
    assert "| gold version | 1 |" in after.out
    assert "--gold-version 1" in after.out
