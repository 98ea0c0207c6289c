"""`ragtui judge` without a model: rules, plans, the cache, and what is said of wrong input."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ragtui.judging.cache import open_cache
from ragtui.judging.model import Reply
from tests.cli.conftest import Call


def test_a_rule_judges_without_a_model(ragtui: Call, made: Path) -> None:
    said = ragtui("judge", made, "--json")
    found = said.json("judge")
    assert "id-overlap" in said.err
    assert (found["judge"], found["model"], found["run"], found["calls"]) == ("id-overlap", None, "one", 0)
    # q1: gold first of two; q2: gold b#1 second of two; q3 retrieved nothing; q4 has no answer
    assert found["counts"] == {"scored": 2, "nothing-retrieved": 1, "no-answer": 1}
    rows = {row["query_id"]: row for row in found["per_query"]}
    assert [rows[query]["context_precision@5"] for query in ("q1", "q2", "q3", "q4")] == [1, 0.5, 0, None]
    assert [rows[query]["context_useful@5"] for query in ("q1", "q2", "q3", "q4")] == [0.5, 0.5, 0, None]
    score = found["scores"]["context_precision@5"]
    assert (score["mean"], score["n"], score["of"]) == (0.5, 3, 3)
    assert [(v["chunk_id"], v["value"], v["status"]) for v in rows["q1"]["verdicts"]] == [
        ("a#1", 1, "ok"),
        ("b#1", 0, "ok"),
    ]
    again = ragtui("judge", made, "--json").json("judge")
    assert again["cached"] == 4
    assert again["per_query"] == found["per_query"]


def test_verdicts_are_lines_in_the_state_of_the_set(ragtui: Call, made: Path, tmp_path: Path) -> None:
    ragtui("judge", made, "--judge", "id-overlap", "--state", tmp_path / "state")
    lines = (tmp_path / "state" / "verdicts" / "id-overlap@1.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["chunk_id"] for line in lines] == ["a#1", "b#1", "c#1", "b#1"]
    assert not (made / ".ragtui").exists()


def test_text_says_value_coverage_and_what_was_left_out(ragtui: Call, made: Path) -> None:
    out = ragtui("judge", made).out
    assert "context_precision@5  0.500" in out
    assert "3/3" in out
    assert "1 query has no answer and is left out" in out
    assert "1 query retrieved nothing and counts as 0" in out


def test_filters_and_limits_narrow_what_is_judged(ragtui: Call, made: Path) -> None:
    by_type = ragtui("judge", made, "--where", "type:direct", "--json").json("judge")
    assert [row["query_id"] for row in by_type["per_query"]] == ["q1", "q3"]
    limited = ragtui("judge", made, "--limit", "1", "--k", "1", "--json").json("judge")
    assert [row["query_id"] for row in limited["per_query"]] == ["q1"]
    assert limited["scores"]["context_precision@1"]["mean"] == 1
    over_outcome = ragtui("judge", made, "--where", "hit@5:1", "--json").json("judge")
    assert over_outcome["scores"]["context_precision@5"]["mean"] is None
    assert len(over_outcome["per_query"]) == 2


def test_a_plan_asks_nothing_and_knows_no_price_of_an_unknown_model(ragtui: Call, made: Path) -> None:
    options = ("--judge", "relevance-grade", "--model", "openai/nobody-knows-it", "--plan")
    found = ragtui("judge", made, *options, "--json").json("judge")
    assert found["plan"]["calls"] == 4
    assert found["plan"]["tokens_in"] > 0
    assert found["plan"]["cost"] is None
    said = ragtui("judge", made, *options)
    assert "4 calls to make" in said.out
    assert "cost unknown" in said.out
    assert not (made / ".ragtui").exists()


def test_a_judge_that_needs_a_reference_says_how_many_lack_one(ragtui: Call, made: Path) -> None:
    options = ("--judge", "claim-coverage", "--model", "openai/m", "--plan", "--json")
    found = ragtui("judge", made, *options).json("judge")
    assert found["counts"] == {"judged": 1, "no-reference": 1, "nothing-retrieved": 1, "no-answer": 1}
    assert found["plan"]["calls"] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--judge", "no-such"), "no judge no-such"),
        (("--judge", "relevance-grade"), "none is named"),
        (("--run", "no-such"), "no-such"),
        (("--where", "type:"), "type"),
        (("--stage", "no-such"), "no-such"),
        (("--export", "verdicts.xlsx"), ".csv"),
        (("--k", "0"), "--k"),
        (("--judge", "relevance-grade", "--model", "local:no-such-model"), "GGUF"),
        (("--judge", "relevance-grade", "--model", "openai/nobody-knows", "--max-cost", "1"), "no price"),
    ],
)
def test_wrong_input_is_told(ragtui: Call, made: Path, options: tuple[str, ...], said: str) -> None:
    ended = ragtui("judge", made, *options)
    assert ended.code == 2
    assert said in ended.err


def test_a_set_with_several_runs_asks_which(ragtui: Call, made: Path) -> None:
    (made / "runs" / "two.jsonl").write_bytes((made / "runs" / "one.jsonl").read_bytes())
    ended = ragtui("judge", made)
    assert ended.code == 2
    assert "one, two" in ended.err


def test_a_judge_beside_the_set_wins(ragtui: Call, made: Path) -> None:
    folder = made / "judges" / "id-overlap"
    folder.mkdir(parents=True)
    (folder / "judge.toml").write_text(
        'schema = 1\nname = "id-overlap"\nversion = "mine"\nunit = "context"\nengine = "rule"\n'
        'scale = [0, 1]\n[defaults]\nrule = "string-similarity"\nthreshold = 0.9\n',
        encoding="utf-8",
    )
    assert ragtui("judge", made, "--json").json("judge")["version"] == "mine"


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_verdicts_are_exported(ragtui: Call, made: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"verdicts.{ending}"
    assert str(file) in ragtui("judge", made, "--export", file).err
    text = file.read_text(encoding="utf-8")
    rows = (
        list(csv.DictReader(text.splitlines())) if ending == "csv" else [*map(json.loads, text.splitlines())]
    )
    assert [row["chunk_id"] for row in rows] == ["a#1", "b#1", "c#1", "b#1"]
    assert [float(row["value"]) for row in rows] == [1, 0, 0, 1]


def test_a_judge_is_measured_on_its_own_pairs_and_on_gold(ragtui: Call, made: Path) -> None:
    options = ("--judge", "id-overlap", "--card")
    planned = ragtui("judge", made, *options, "--plan", "--json").json("judge")["plan"]
    assert planned["calls"] == 0
    assert planned["without_call"] >= 100
    ragtui("judge", made, "--judge", "id-overlap")
    found = ragtui("judge", made, *options, "--json").json("judge")
    assert found["card"]["labelled"] == found["card"]["agreement"]["n"] == planned["without_call"]
    # gold labels two of the four contexts that were judged, and the rule reads that same gold
    gold = found["gold_card"]
    assert (gold["labelled"], gold["unlabelled"], gold["agreement"]["agreement"]) == (2, 2, 1)
    assert found["corrected"]["context_precision@5"]["mean"] is None
    text = ragtui("judge", made, *options).out
    assert "kappa" in text
    assert "On the gold of this set" in text


def test_a_card_is_kept_and_said_with_the_scores(ragtui: Call, made: Path, tmp_path: Path) -> None:
    before = ragtui("judge", made, "--json").json("judge")
    assert before["kappa"] is None
    measured = ragtui("judge", made, "--judge", "id-overlap", "--card", "--json").json("judge")
    kept = made / ".ragtui" / "verdicts" / "cards" / "id-overlap@1.json"
    assert json.loads(kept.read_text(encoding="utf-8"))["card"] == measured["card"]
    assert ragtui("judge", made, "--json").json("judge")["kappa"] == measured["card"]["held_to"]
    # it was measured on pairs of its own, so it is known for every set of this user
    elsewhere = ragtui("judge", made, "--state", tmp_path / "other", "--json").json("judge")
    assert elsewhere["kappa"] == measured["card"]["held_to"]


def test_the_cache_is_looked_after(ragtui: Call, tmp_path: Path) -> None:
    cache, other = open_cache(), open_cache(tmp_path / "other")
    try:
        cache.put_many({"k1": ("openai/m", Reply("yes [/b] \x1b[31m"))})
        other.put_many({"k2": ("openai/n", Reply("no"))})
        stats = ragtui("judge", "--cache", "stats", "--json").json("judge")
        assert (stats["models"], stats["refused"]) == ({"openai/m": 1}, 0)
        assert (
            ragtui("judge", "--cache", "merge", "--from", other.folder, "--json").json("judge")["added"] == 1
        )
        listed = ragtui("judge", "--cache", "list", "--json").json("judge")["entries"]
        assert [entry["key"] for entry in listed] == ["k1", "k2"]
        assert "\x1b" not in ragtui("judge", "--cache", "list").out
        assert ragtui("judge", "--cache", "verify").code == 0
        assert ragtui("judge", "--cache", "prune", "--json").json("judge")["removed"] == 0
        assert ragtui("judge", "--cache", "prune", "--days", "0", "--json").json("judge")["removed"] == 2
        assert ragtui("judge", "--cache", "merge").code == 2
    finally:
        cache.close()
        other.close()
