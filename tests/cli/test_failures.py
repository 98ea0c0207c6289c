"""`ragtui failures`: what fails and why, what people say of it, and the way through a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

JOURNAL = Path(".ragtui") / "journal.jsonl"


def test_failing_queries_with_what_a_rule_suggests(ragtui: Call, made: Path) -> None:
    found = ragtui("failures", made, "--json").json("failures")
    # q1 is found at rank 1; of the two chunks of q2 one is; the run lacks q3; q4 has no answer
    assert (found["run"], found["k"], found["scored"], found["failing"]) == ("one", 5, 3, 2)
    by_id = {row["query_id"]: row for row in found["failures"]}
    assert (by_id["q2"]["mark"], by_id["q2"]["got"], by_id["q2"]["groups"]) == ("~", 1, 2)
    assert by_id["q2"]["missed"] == ["a#2"]
    assert by_id["q2"]["suggested"]["cause"] == "partial-evidence"
    assert (by_id["q3"]["mark"], by_id["q3"]["suggested"], by_id["q3"]["run_state"]) == ("x", None, "lacks")
    assert found["causes"] == [{"cause": "partial-evidence", "given": 0, "suggested": 1}]
    assert not (made / ".ragtui").exists()


def test_the_text_says_what_the_json_says(ragtui: Call, made: Path) -> None:
    out = ragtui("failures", made).out
    assert "2 of 3 scored queries fail in the first 5; 0 of them have a cause." in out
    assert "1 of 2 parts of the evidence are in the first 5; a#2 is missing." in out
    assert "partial-evidence?" in out
    assert "The run has no list for this query." in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_a_tag_is_kept_filtered_by_and_undone(ragtui: Call, made: Path) -> None:
    tagged = ragtui(
        "failures", made, "--where", "type:time/version", "--tag", "旧版干扰", "--reviewer", "ann", "--json"
    )
    (row,) = tagged.json("failures")["failures"]
    assert row["tags"] == [{"reviewer": "ann", "causes": ["stale-version"], "note": None}]
    (event,) = map(json.loads, (made / JOURNAL).read_text(encoding="utf-8").splitlines())
    assert (event["reviewer"], event["causes"], event["k"]) == ("ann", ["stale-version"], 5)
    for verb in (["failures"], ["eval", "--per-query"]):
        said = ragtui(*verb, made, "--where", "cause:stale-version", "--json")
        assert "q2" in said.out
        assert "q3" not in said.out
    rest = ragtui("failures", made, "--where", "cause:none", "--json").json("failures")
    assert [row["query_id"] for row in rest["failures"]] == ["q3"]
    assert "0 decisions undone" in ragtui("failures", made, "--undo", "--reviewer", "bob").err
    again = ragtui("failures", made, "--undo", "--reviewer", "ann", "--json")
    assert again.json("failures")["tagged"] == 0
    assert "One decision undone" in again.err


def test_an_unknown_cause_keeps_nothing(ragtui: Call, made: Path) -> None:
    said = ragtui("failures", made, "--tag", "rankin")
    assert said.code == 2
    assert "Did you mean ranking?" in said.err
    assert not (made / ".ragtui").exists()


def test_a_set_has_causes_of_its_own(ragtui: Call, made: Path) -> None:
    (made / "set.toml").write_text('[causes]\nocr = "Scan unreadable"\n', encoding="utf-8")
    ragtui("failures", made, "--tag", "scan unreadable")
    assert "Scan unreadable" in ragtui("failures", made, "--where", "cause:ocr").out


def test_guarded_queries_say_how_they_stand(ragtui: Call, made: Path) -> None:
    ragtui("failures", made, "--where", "taxi", "--guard")

    def state() -> list[dict[str, str] | None]:
        found = ragtui("failures", made, "--run", "one", "--where", "is:guarded", "--json").json("failures")
        return [row["guarded"] for row in found["failures"]]

    assert state() == [{"state": "open", "run": None}]
    line = {"query_id": "q3", "results": [{"chunk_id": "c#1", "score": 1.0}]}
    (made / "runs" / "two.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert state() == [{"state": "fixed", "run": "two"}]
    line["results"] = []
    (made / "runs" / "two-b.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    (made / "runs" / "two.jsonl").rename(made / "runs" / "two-a.jsonl")
    assert state() == [{"state": "broke-again", "run": "two-b"}]


def test_guarded_queries_are_a_set_of_their_own(ragtui: Call, made: Path, tmp_path: Path) -> None:
    out = tmp_path / "regression"
    assert "No query is guarded." in ragtui("failures", made, "--regression", out).err
    ragtui("failures", made, "--guard")
    said = ragtui("failures", made, "--regression", out)
    assert f"2 guarded queries in {out}." in said.err
    assert ragtui("check", out).code == 0
    found = ragtui("failures", out, "--json").json("failures")
    whole = ragtui("failures", made, "--json").json("failures")
    assert [row["query_id"] for row in found["failures"]] == [row["query_id"] for row in whole["failures"]]
    assert (found["scored"], found["failing"]) == (2, 2)
    assert (
        ragtui("eval", out, "--where", "guarded:open*", "--json").json("eval")["runs"]["one"]["counts"][
            "queries"
        ]
        == 2
    )
    assert ragtui("failures", made, "--regression", out).code == 2  # it is there already


def test_a_sample_is_the_same_each_time_and_counted(ragtui: Call, made: Path) -> None:
    first, second = (ragtui("failures", made, "--sample", "1", "--json").json("failures") for _ in "ab")
    assert first == second
    assert (len(first["failures"]), first["failing"], first["seed"]) == (1, 2, 20240229)
    assert "1 of 2 drawn at random, seed 20240229." in ragtui("failures", made, "--sample", "1").out
    assert ragtui("failures", made, "--sample", "9", "--json").json("failures")["seed"] is None


NOTE = "=SUM(A1)\nrow two; “quoted”, 也算"


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_an_export_goes_back_in_unchanged(ragtui: Call, made: Path, tmp_path: Path, form: str) -> None:
    ragtui("failures", made, "--where", "taxi", "--tag", "noise", "--tag", "ranking", "--reviewer", "ann")
    ragtui("failures", made, "--where", "taxi", "--tag", "no-evidence", "--note", NOTE, "--reviewer", "=bob")
    file, before = tmp_path / f"out.{form}", (made / JOURNAL).read_bytes()
    exported = ragtui("failures", made, "--export", form).out
    file.write_text(exported, encoding="utf-8", newline="")
    assert "0 changes taken in." in ragtui("failures", made, "--import", file).err
    assert (made / JOURNAL).read_bytes() == before
    # into a state where nobody has said anything
    state = tmp_path / "other"
    assert "2 changes taken in." in ragtui("failures", made, "--import", file, "--state", state).err
    assert ragtui("failures", made, "--export", form, "--state", state).out == exported


def test_a_spreadsheet_gets_every_reviewer_and_runs_nothing(ragtui: Call, made: Path) -> None:
    ragtui("failures", made, "--where", "taxi", "--tag", "noise", "--note", NOTE, "--reviewer", "ann")
    exported = ragtui("failures", made, "--export", "csv", "--reviewer", "bob").out
    rows = list(csv.DictReader(io.StringIO(exported, newline="")))
    assert [row["query_id"] for row in rows] == ["q3", "q2"]
    assert [row["causes: ann"] for row in rows] == ["noise", ""]
    assert [row["causes: bob"] for row in rows] == ["", ""]
    assert rows[0]["note: ann"] == f"'{NOTE}"
    marked = ragtui("failures", made, "--export", "csv", "--bom", "--reviewer", "bob").out
    assert marked == "\ufeff" + exported


def test_what_was_filled_in_is_taken_in_and_what_was_emptied_is_taken_back(
    ragtui: Call, made: Path, tmp_path: Path
) -> None:
    ragtui("failures", made, "--where", "taxi", "--tag", "noise", "--reviewer", "ann")
    file = tmp_path / "filled.csv"
    file.write_text("query_id,causes: ann,note: bob\nq3,,look again\nq2,排序; noise,\n", encoding="utf-8")
    assert "3 changes taken in." in ragtui("failures", made, "--import", file).err
    rows = ragtui("failures", made, "--json").json("failures")["failures"]
    assert {row["query_id"]: row["tags"] for row in rows} == {
        "q2": [{"reviewer": "ann", "causes": ["ranking", "noise"], "note": None}],
        "q3": [{"reviewer": "bob", "causes": [], "note": "look again"}],
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,causes: ann\nq9,noise\n", "no query q9"),
        ("query_id,causes: ann\nq3,nosie\n", "Did you mean noise?"),
        ("query_id,text\nq3,taxi\n", "no column of a reviewer"),
        ("id,causes: ann\nq3,noise\n", "no column query_id"),
        ("", "empty"),
    ],
    ids=["query", "cause", "reviewer", "column", "empty"],
)
def test_a_file_that_cannot_be_taken_in_changes_nothing(
    ragtui: Call, made: Path, tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "filled.csv"
    file.write_text(content, encoding="utf-8")
    answer = ragtui("failures", made, "--import", file)
    assert answer.code == 2
    assert said in answer.err
    assert not (made / ".ragtui").exists()


def test_markdown_shows_hostile_text_and_obeys_none_of_it(ragtui: Call, made: Path) -> None:
    ragtui(
        "failures",
        made,
        "--where",
        "taxi",
        "--tag",
        "noise",
        "--note",
        "[x](http://y) |",
        "--reviewer",
        "ann",
    )
    out = ragtui("failures", made, "--export", "md").out
    assert out.startswith("# 2 failing queries of one in the first 5\n\n| query\\_id |")
    assert "\\[x\\](http://y) \\|" in out


def test_a_damaged_journal_is_told_and_no_reason_to_stop(ragtui: Call, made: Path) -> None:
    ragtui("failures", made, "--where", "taxi", "--tag", "noise")
    with (made / JOURNAL).open("ab") as file:
        file.write(b'{"schema": 2, "id": "x"}\nno event\n{"schema":1,"id":')
    said = ragtui("failures", made, "--where", "cause:noise", "--json")
    assert said.json("failures")["failing"] == 1
    assert "One line of the journal is no event" in said.err
    assert "One event was written by a newer version" in said.err


def test_a_state_that_cannot_be_written_is_told(ragtui: Call, made: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    said = ragtui("failures", made, "--tag", "noise", "--state", tmp_path / "file" / "state")
    assert said.code == 2
    assert "Decisions cannot be kept here: " in said.err
    assert ragtui("failures", made, "--state", tmp_path / "file" / "state").code == 0


def test_beyond_the_depth_nobody_knows_what_fails(ragtui: Call, made: Path) -> None:
    (made / "runs" / "one.toml").write_text("depth = 2\n", encoding="utf-8")
    said = ragtui("failures", made)
    assert said.code == 2
    assert "The cut-off 5 lies beyond the depth of one, which is 2" in said.err
    assert ragtui("failures", made, "--k", "2").code == 0


def test_what_the_system_said_when_it_failed_is_told(ragtui: Call, made: Path) -> None:
    line = {"query_id": "q3", "results": [], "error": "index \x1b[31mdown"}
    with (made / "runs" / "one.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    said = ragtui("failures", made)
    assert "The system failed on this query: index ␛[31mdown" in said.out


def test_what_would_mislead_is_said_of_the_run(ragtui: Call, made: Path) -> None:
    said = ragtui("failures", made, "--k", "2").err
    assert "warning: one: One judged query has no results in the run: q3" in said
    assert "no card" not in said  # the longest list has two results
    deep = ragtui("failures", made, "--k", "3").err
    assert "Results in the longest: 2." in deep


def test_of_several_runs_the_first_is_taken_and_said(ragtui: Call, made: Path) -> None:
    (made / "runs" / "two.jsonl").write_bytes((made / "runs" / "one.jsonl").read_bytes())
    assert "Using the run one, the first of one, two." in ragtui("failures", made).err
    assert "Using the run" not in ragtui("failures", made, "--run", "two").err
    assert ragtui("failures", made, "--run", "three").code == 2
    assert ragtui("failures", made, "--stage", "prompt").code == 2
