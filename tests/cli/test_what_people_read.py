"""The text of `eval` for people: everything that was asked for, counted, and what to do next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

PAIR_GOLD = """\
{"query_id": "q1", "chunk_id": "a", "grade": 1, "annotator": "x"}
{"query_id": "q1", "chunk_id": "a", "grade": 3, "annotator": "y"}
{"query_id": "q1", "chunk_id": "a", "grade": 3, "annotator": "y"}
{"query_id": "q2", "chunk_id": "b", "grade": -1}
{"query_id": "q2", "chunk_id": "c", "grade": 2}
"""
PAIR_RUN = "q1 Q0 a 1 3 x\nq1 Q0 a 2 2 x\nq1 Q0 z 3 2 x\nq1 Q0 y 4 2 x\nq2 Q0 c 1 1 x\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Gold of two annotators with a repeat and a negative grade; a run with a repeat and ties."""
    gold, run = tmp_path / "gold.jsonl", tmp_path / "r.trec"
    gold.write_text(PAIR_GOLD, encoding="utf-8")
    run.write_text(PAIR_RUN, encoding="utf-8")
    return gold, run


def _metrics(text: str) -> list[str]:
    rows = text.split("metric ", 1)[1].split("\n")[1:]
    return [row.split()[0] for row in rows if "@" in row.split(" ")[0]]


@pytest.mark.parametrize("given", [["--k", "2", "--k", "1"], ["--k", "1,2"], ["--k", "2,1", "--k", "2"]])
def test_every_cut_off_that_is_given_is_shown(ragtui: Call, made: Path, given: list[str]) -> None:
    said = ragtui("eval", made, "--metrics", "mrr,recall", *given)
    assert _metrics(said.out) == ["recall@1", "recall@2", "mrr@1", "mrr@2"]


def test_options_that_take_several_values_may_be_repeated(ragtui: Call, made: Path) -> None:
    metrics = ["--metrics", "mrr@5", "--metrics", "recall@2"]
    found = ragtui("eval", made, "--json", *metrics, "--where", "type:direct", "--where", "hotel").json(
        "eval"
    )
    assert set(found["runs"]["one"]["metrics"]) == {"mrr@5", "recall@2"}
    # two of the three scored queries are direct, one of these is about hotels
    assert (found["where"], found["runs"]["one"]["counts"]["queries"]) == ("type:direct hotel", 1)


@pytest.mark.parametrize("option", ["--k", "--metrics"])
def test_an_empty_value_is_told(ragtui: Call, made: Path, option: str) -> None:
    said = ragtui("eval", made, option, " , ")
    assert said.code == 2
    assert said.err == f"{option}: The value is empty.\nGive {option} a value, or leave it out.\n"


@pytest.mark.parametrize("option", [["--k", "9" * 30], ["--metrics", f"hit@{'9' * 30}"]])
def test_a_cut_off_beyond_every_list_is_no_fault_of_ours(ragtui: Call, made: Path, option: list[str]) -> None:
    said = ragtui("eval", made, *option)
    assert said.code == 2
    assert "fault of ragtui" not in said.err
    assert "9" * 30 in said.err


def test_what_was_dropped_tied_or_disputed_is_counted_below_the_table(
    ragtui: Call, pair: tuple[Path, Path]
) -> None:
    gold, run = pair
    out = ragtui(
        "eval", "--qrels", gold, "--run", run, "--run", f"s={run}", "--k", "2", "--metrics", "mrr"
    ).out
    table, _, notes = out.partition("note: ")
    assert "mrr@2" in table
    said = notes.replace("note: ", "").splitlines()
    # the run holds a, z, y and c; a and c are in gold, z and y nowhere
    assert f"{run}: 2 of 4 chunks of the run are known" in said
    assert any("one judgment stands there twice" in line for line in said)
    # q1 has z and y with one score on both sides of the cut-off 2, after its second a was dropped
    for text in (
        "One result repeated",
        "Annotators differ on one pair",
        "One query has equal",
        "One negative",
    ):
        (line,) = [line for line in said if text in line]
        assert line.startswith("r, s: ")


def test_nothing_is_said_of_ids_that_are_all_known(ragtui: Call, made: Path) -> None:
    assert "are known" not in ragtui("eval", made).out


def test_without_a_corpus_none_is_named(ragtui: Call, pair: tuple[Path, Path], made: Path) -> None:
    gold, run = pair
    assert ragtui("eval", "--qrels", gold, "--run", run).out.splitlines()[0].endswith("grade 1")
    (made / "corpus.jsonl").unlink()
    assert "corpus   none\n" in ragtui("freeze", made).out


def test_documents_are_named_where_they_are_what_is_counted(ragtui: Call, made: Path) -> None:
    assert "documents, not chunks" in ragtui("eval", made, "--level", "document").out.splitlines()[0]
    assert "documents" not in ragtui("eval", made).out
    assert ragtui("eval", made, "--level", "document", "--json").json("eval")["unit"] == "document"


def test_each_run_has_its_own_n_where_they_differ(ragtui: Call, made: Path) -> None:
    lines = (made / "runs" / "one.jsonl").read_text(encoding="utf-8").splitlines()
    (made / "runs" / "two.jsonl").write_text(f"{lines[0]}\n", encoding="utf-8")
    arguments = ("eval", made, "--metrics", "hit@1", "--intersection")
    # `one` lacks q3 of the three scored queries, `two` has q1 alone
    assert ragtui(*arguments).out.splitlines()[-2:] == [
        "metric  one                   n  two                   n",
        "hit@1   0.500 [0.095, 0.905]  2  1.000 [0.207, 1.000]  1",
    ]
    header = ragtui("eval", made, "--metrics", "hit@1").out.splitlines()[-2]
    assert header.split() == ["metric", "one", "two", "n"]


def test_without_a_single_mean_there_is_a_reason_and_no_table(ragtui: Call, made: Path) -> None:
    said = ragtui("eval", made, "--where", "hit@5:1")
    assert "metric" not in said.out.split("- ", 1)[0]
    assert "--per-query" in said.out
    assert said.out.count("all metrics") == 1


def test_a_level_that_no_grade_reaches_says_the_highest(ragtui: Call, made: Path) -> None:
    said = ragtui("eval", made, "--level", "2")
    assert "No grade reaches the level 2: the highest in gold is 1." in said.err
    assert "--level" in said.err
    assert "No grade" not in ragtui("eval", made, "--level", "1").err


def test_what_holds_for_several_runs_is_said_once(ragtui: Call, made: Path) -> None:
    (made / "runs" / "two.jsonl").write_bytes((made / "runs" / "one.jsonl").read_bytes())
    err = ragtui("eval", made, "--where", "type:direct moon").err
    assert [line.split(":")[1] for line in err.splitlines() if "No query" in line] == [" one, two"]
    assert ragtui("eval", made).err.count("q3") == 1


@pytest.mark.parametrize("columns", [30, 60, 100])
def test_the_head_breaks_between_its_parts(
    ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr("ragtui.cli.eval_text.PIPED_WIDTH", columns)
    head = ragtui("eval", made).out.split("\n4 queries")[0].splitlines()
    assert all(len(line) <= columns for line in head)
    parts = [part for line in head for part in line.split("   ")]
    assert parts[:4] == ["made", "split dev", "convention ragtui", "relevant from grade 1"]


def test_long_values_of_a_slice_leave_room_for_numbers(ragtui: Call, made: Path) -> None:
    query = {"_id": "q1", "text": "hotel", "metadata": {"type": "long " * 60}}
    rest = (made / "queries.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    lines = [json.dumps(query), *rest]
    (made / "queries.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    out = ragtui("eval", made, "--metrics", "hit@1", "--by", "type").out
    (row,) = [line for line in out.splitlines() if line.startswith("long ")]
    assert row.split("…")[1].split() == ["1", "(<30)", "1.000", "[0.207,", "1.000]"]


def test_a_filter_on_an_outcome_is_no_reason_to_doubt_the_ids(ragtui: Call, made: Path) -> None:
    ids = [f"q{n}" for n in range(12)]
    queries = "".join(json.dumps({"_id": i, "text": "hotel"}) + "\n" for i in ids)
    (made / "queries.jsonl").write_text(queries, encoding="utf-8")
    gold = "query-id\tcorpus-id\tscore\n" + "".join(f"{i}\ta#1\t1\n" for i in ids)
    (made / "qrels" / "dev.tsv").write_text(gold, encoding="utf-8")
    lists = "".join(json.dumps({"query_id": i, "results": ["b#1"]}) + "\n" for i in ids)
    (made / "runs" / "one.jsonl").write_text(lists, encoding="utf-8")
    doubt = "Do gold and run name the chunks of the same corpus?"
    assert doubt in ragtui("eval", made).err
    assert doubt not in ragtui("eval", made, "--where", "hit@5:0").err
