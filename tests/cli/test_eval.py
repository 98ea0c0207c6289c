from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragtui.judging.interpret import failed_verdicts
from ragtui.judging.table import append
from ragtui.workspace import Workspace
from tests.cli.conftest import CORPUS, RUN, Call, matches_schema


def test_json_holds_what_can_be_computed_by_hand(ragtui: Call, made: Path) -> None:
    said = ragtui("eval", made, "--json")
    assert said.code == 0
    found = said.json("eval")
    assert (found["set"], found["split"], found["convention"], found["level"]) == ("made", "dev", "ragtui", 1)
    run = found["runs"]["one"]
    assert run["depth"] is None
    # of q1, q2, q3 the first finds its chunk at rank 1, the second one of two at rank 2, the third is missing
    means = {name: run["metrics"][name]["mean"] for name in ("hit@1", "mrr@5", "recall@5", "complete@5")}
    assert means == {
        "hit@1": pytest.approx(1 / 3),
        "mrr@5": pytest.approx(1.5 / 3),
        "recall@5": pytest.approx(1.5 / 3),
        "complete@5": pytest.approx(1 / 3),
    }
    assert run["metrics"]["hit@1"]["n"] == 3
    assert run["counts"] == {
        "queries": 4,
        "scored": 3,
        "no_answer": 1,
        "no_relevant_gold": 0,
        "missing": 1,
        "failed": 0,
        "unjudged": 0,
        "duplicates": 0,
        "ties": 0,
    }
    assert "per_query" not in run
    assert any(warning["kind"] == "missing" and "q3" in warning["what"] for warning in found["warnings"])
    assert "q3" in said.err


def test_per_query_has_one_row_per_scored_query(ragtui: Call, made: Path) -> None:
    rows = ragtui("eval", made, "--json", "--per-query").json("eval")["runs"]["one"]["per_query"]
    assert [(row["query_id"], row["first_rank"], row["recall@5"]) for row in rows] == [
        ("q1", 1, 1),
        ("q2", 2, 0.5),
        ("q3", None, 0),
    ]


def test_slices(ragtui: Call, made: Path) -> None:
    slices = ragtui("eval", made, "--json", "--by", "type", "--by", "groups,type").json("eval")
    by_type = slices["runs"]["one"]["slices"]["type"]
    assert {value: part["n"] for value, part in by_type.items()} == {"direct": 2, "time/version": 1}
    assert by_type["direct"]["metrics"]["recall@5"]["mean"] == 0.5
    assert by_type["direct"]["small"] is True
    assert set(slices["runs"]["one"]["slices"]["groups,type"]) == {"one, direct", "several, time/version"}


def test_a_filter_narrows_every_number(ragtui: Call, made: Path) -> None:
    found = ragtui("eval", made, "--json", "--where", "type:direct").json("eval")
    run = found["runs"]["one"]
    assert found["where"] == "type:direct"
    assert (run["counts"]["queries"], run["metrics"]["recall@5"]["mean"]) == (2, 0.5)


def test_no_mean_stands_under_a_filter_on_an_outcome(ragtui: Call, made: Path) -> None:
    run = ragtui("eval", made, "--json", "--per-query", "--where", "hit@2:0").json("eval")["runs"]["one"]
    assert run["metrics"]["recall@5"] == {
        "mean": None,
        "low": None,
        "high": None,
        "n": 1,
        "method": None,
        "reason": "outcome-filter",
    }
    assert [row["query_id"] for row in run["per_query"]] == ["q3"]


def test_a_filter_may_name_a_cut_off_that_is_not_asked_for(ragtui: Call, made: Path) -> None:
    run = ragtui("eval", made, "--json", "--k", "5", "--where", "hit@7:1").json("eval")["runs"]["one"]
    assert run["counts"]["queries"] == 2
    assert {name.split("@")[1] for name in run["metrics"]} == {"5"}


def test_a_filter_that_matches_nothing_says_what_would(ragtui: Call, made: Path) -> None:
    said = ragtui("eval", made, "--where", "type:direct moon")
    assert said.code == 0
    # without the word both direct queries are left, without the type the one on the moon: the narrower
    assert "moon has 1" in said.err
    assert "0 queries" in said.out


def test_metrics_and_cut_offs_can_be_chosen(ragtui: Call, made: Path) -> None:
    metrics = ragtui("eval", made, "--json", "--metrics", "ndcg@2, recall", "--k", "3,1").json("eval")
    assert list(metrics["runs"]["one"]["metrics"]) == ["recall@1", "recall@3", "ndcg@2"]


def test_trec_convention_and_intersection(ragtui: Call, made: Path) -> None:
    trec = ragtui("eval", made, "--json", "--convention", "trec", "--metrics", "mrr").json("eval")
    assert trec["convention"] == "trec"
    assert trec["runs"]["one"]["metrics"]["mrr"]["mean"] == pytest.approx(1.5 / 3)
    found = ragtui("eval", made, "--json", "--metrics", "mrr@5", "--intersection").json("eval")
    estimate = found["runs"]["one"]["metrics"]["mrr@5"]
    assert (estimate["mean"], estimate["n"]) == (0.75, 2)


def test_level(ragtui: Call, made: Path) -> None:
    found = ragtui("eval", made, "--json", "--level", "2").json("eval")
    assert found["level"] == 2
    assert found["runs"]["one"]["counts"]["no_relevant_gold"] == 3
    documents = ragtui("eval", made, "--json", "--level", "document", "--metrics", "recall@5").json("eval")
    # at the level of documents q1 needs a, q2 a and b, q3 c: found are a; b; nothing
    assert documents["runs"]["one"]["metrics"]["recall@5"]["mean"] == pytest.approx((1 + 0.5 + 0) / 3)


def test_depth_of_the_card_bounds_the_metrics(ragtui: Call, made: Path) -> None:
    (made / "runs" / "one.toml").write_text("depth = 2\n", encoding="utf-8")
    run = ragtui("eval", made, "--json").json("eval")["runs"]["one"]
    assert run["depth"] == 2
    assert run["metrics"]["recall@5"]["mean"] is None
    assert run["metrics"]["recall@5"]["reason"] == "beyond-depth"
    assert "beyond the depth" in ragtui("eval", made).out


def test_a_stage_is_read_in_place_of_the_list(ragtui: Call, made: Path) -> None:
    lines = [json.loads(line) for line in RUN.splitlines()]
    lines[1]["stages"] = {"prompt": ["a#2", "b#1"]}
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (made / "runs" / "one.jsonl").write_text(text, encoding="utf-8")
    run = ragtui("eval", made, "--json", "--stage", "prompt", "--per-query").json("eval")["runs"]["one"]
    assert [row["recall@5"] for row in run["per_query"]] == [0, 1, 0]


def test_a_bare_pair_needs_no_set(ragtui: Call, tmp_path: Path) -> None:
    qrels, run = tmp_path / "q.qrels", tmp_path / "bm25.run"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n", encoding="utf-8")
    run.write_text("1 Q0 d2 1 9.5 x\n1 Q0 d1 2 8.5 x\n2 Q0 d3 1 3.0 x\n", encoding="utf-8")
    found = ragtui("eval", "--qrels", qrels, "--run", run, "--json").json("eval")
    (metrics,) = [part["metrics"] for part in found["runs"].values()]
    assert metrics["mrr@5"]["mean"] == 0.75
    named = ragtui("eval", "--qrels", qrels, "--run", f"mine={run}", "--json").json("eval")
    assert list(named["runs"]) == ["mine"]


def test_runs_are_chosen_by_name_and_added_by_file(ragtui: Call, made: Path, tmp_path: Path) -> None:
    other = tmp_path / "two.jsonl"
    other.write_text(RUN, encoding="utf-8")
    both = ragtui("eval", made, "--run", "one", "--run", other, "--json").json("eval")
    assert list(both["runs"]) == ["one", "two"]
    assert list(ragtui("eval", made, "--run", other, "--json").json("eval")["runs"]) == ["two"]


def test_records_hold_everything_of_a_query(ragtui: Call, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    said = ragtui("eval", made, "--records", file, "--json")
    assert str(file) in said.err
    said.json("eval")
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for record in records:
        matches_schema(record, "records")
    assert [record["query_id"] for record in records] == ["q1", "q2", "q3", "q4"]
    second = records[1]
    assert [(r["rank"], r["chunk_id"], r["score"], r["grade"]) for r in second["results"]] == [
        (1, "c#1", 0.8, None),
        (2, "b#1", 0.7, 1.0),
    ]
    assert [(gold["chunk_id"], gold["rank"]) for gold in second["missing_gold"]] == [("a#2", None)]
    assert second["metrics"]["recall@5"] == 0.5
    assert records[3]["state"] == "no-answer"
    assert records[3]["metrics"]["recall@5"] is None
    assert [record["verdicts"] for record in records] == [[], [], [], []]


def test_records_hold_the_verdicts_of_every_judge_with_its_name(
    ragtui: Call, made: Path, tmp_path: Path
) -> None:
    for judge in ("id-overlap", "string-similarity"):
        ragtui("judge", made, "--judge", judge)
    workspace = Workspace.open(made)
    asker = workspace.judgments.asker("relevance-grade", "lab/small")
    (item, *_) = workspace.judgments.selected("one", asker, 5)[1].items
    failed = failed_verdicts(asker.judge, item, "parse-error", "broken-json", model=asker.model, raw="{[/b]")
    append(workspace.judgments.folder, asker.judge, asker.model, [("key", failed)])
    file = tmp_path / "records.jsonl"
    ragtui("eval", made, "--records", file)
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for record in records:
        matches_schema(record, "records")
    said = [
        [
            (v["judge"], v["version"], v["model"], v["chunk_id"], v["value"], v["status"])
            for v in r["verdicts"]
        ]
        for r in records
    ]
    # q2: gold b#1 is second; no rule says anything of q3, which retrieved nothing, and of q4, without answer
    assert said[1] == [
        ("id-overlap", "1", None, "c#1", 0, "ok"),
        ("id-overlap", "1", None, "b#1", 1, "ok"),
        ("relevance-grade", "1", "lab/small", "c#1", None, "parse-error"),
        ("string-similarity", "1", None, "c#1", 0, "ok"),
        ("string-similarity", "1", None, "b#1", 1, "ok"),
    ]
    assert said[2:] == [[], []]
    (failure,) = [v for v in records[1]["verdicts"] if v["status"] != "ok"]
    assert (failure["raw"], failure["repeat"]) == ("{[/b]", 0)
    assert "JSON" in failure["reason"]


def test_save_appends_one_line_to_the_state(ragtui: Call, made: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    for _ in range(2):
        ragtui("eval", made, "--save", "--state", state, "--json")
    lines = (state / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["set"] for line in lines] == ["made", "made"]


def test_a_torn_last_line_does_not_swallow_the_next_result(ragtui: Call, made: Path, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(b'{"schema": 1, "torn')
    ragtui("eval", made, "--save", "--state", tmp_path)
    torn, whole = (tmp_path / "results.jsonl").read_bytes().splitlines()
    assert torn == b'{"schema": 1, "torn'
    assert json.loads(whole)["set"] == "made"


def test_without_save_nothing_is_written(ragtui: Call, made: Path) -> None:
    before = sorted(made.rglob("*"))
    ragtui("eval", made)
    assert sorted(made.rglob("*")) == before


def test_text_names_what_the_numbers_stand_on(ragtui: Call, made: Path) -> None:
    said = ragtui("eval", made, "--by", "type", "--per-query")
    assert said.code == 0
    head, composition, *rest = said.out.splitlines()
    assert "made   split dev   convention ragtui   relevant from grade 1   corpus " in head
    assert composition == "4 queries = 3 scored + 1 no-answer"
    text = "\n".join(rest)
    assert "recall@5       0.500 [0.000, 1.000]  3" in text
    assert "2 (<30)" in text
    assert "旧版餐补" in text


def test_foreign_text_is_shown_inert(ragtui: Call, made: Path) -> None:
    nasty = CORPUS.splitlines()[0]
    queries = json.dumps({"_id": "q1", "text": "[red]x[/b] \x1b[31m\x00 end"}) + "\n"
    (made / "queries.jsonl").write_text(queries, encoding="utf-8")
    (made / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta#1\t1\n", encoding="utf-8")
    (made / "corpus.jsonl").write_text(nasty + "\n", encoding="utf-8")
    (made / "runs" / "one.jsonl").write_text(RUN.splitlines()[0] + "\n", encoding="utf-8")
    said = ragtui("eval", made, "--per-query")
    assert "[red]x[/b] ␛[31m␀ end" in said.out
    assert "\x1b" not in said.out + said.err


def test_texts_follow_the_language(ragtui: Call, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGTUI_LANGUAGE", "zh")
    said = ragtui("eval", made)
    assert "4 个查询 = 3 计分 + 1 无答案" in said.out
