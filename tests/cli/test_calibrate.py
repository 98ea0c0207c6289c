"""`ragtui calibrate`: what is printed, written, refused and warned of."""

from __future__ import annotations

import json
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ragtui as package
from ragtui.messages import use
from tests.cli.conftest import Call

Lists = Mapping[str, Iterable[tuple[str, float]]]


@pytest.fixture
def case_39(shared: Path, tmp_path: Path) -> Path:
    """The case of a threshold copied between models, with cards that name them."""
    source = shared / "cases" / "39-threshold-copied-between-models"
    folder = tmp_path / "case"
    (folder / "runs").mkdir(parents=True)
    (folder / "gold.jsonl").write_bytes((source / "gold.jsonl").read_bytes())
    for name in ("model_a", "model_b"):
        (folder / "runs" / f"{name}.jsonl").write_bytes((source / f"run_{name}.jsonl").read_bytes())
        (folder / "runs" / f"{name}.toml").write_text(f'model = "{name}"\ndepth = 1\n', encoding="utf-8")
    return folder


def test_case_39_thresholds_are_per_model(ragtui: Call, case_39: Path, shared: Path) -> None:
    expected = json.loads(
        (shared / "cases" / "39-threshold-copied-between-models" / "expected.json").read_text()
    )
    found = ragtui("calibrate", case_39, "--min-auroc", 0.5, "--json").json("calibrate")
    for name, (above, up_to) in expected["perfect_interval"].items():
        run = found["runs"][name]
        assert run["auroc"]["value"] == expected["auc"]
        assert above == run["threshold"]["same_from"]
        assert above < run["threshold"]["value"] == up_to
        assert run["n"] == {"found": 10, "missed": 0, "no_answer": 6}
        assert (run["rates_on_fit"]["false_answer"]["count"], run["rates_on_fit"]["coverage"]["count"]) == (
            0,
            10,
        )


def test_case_39_perfect_separation_of_few_is_no_certainty(ragtui: Call, case_39: Path) -> None:
    """Six disjoint pairs, all won: the lower end is .025^(1/6) = .541, and so nothing is usable."""
    run = ragtui("calibrate", case_39, "--json").json("calibrate")["runs"]["model_a"]
    assert run["auroc"]["low"] == pytest.approx(0.025 ** (1 / 6))
    assert run["auroc"]["high"] == 1
    assert (run["usable"], run["threshold"], run["reason"]["kind"]) == (False, None, "auroc-unsure")
    assert run["rejected"]["value"] == 0.86


@pytest.fixture
def thresholds(ragtui: Call, case_39: Path, tmp_path: Path) -> Path:
    """Thresholds of model_a alone."""
    file = tmp_path / "thresholds.toml"
    said = ragtui("calibrate", case_39, "--run", "model_a", "--min-auroc", 0.5, "--export", file)
    assert said.code == 0
    return file


def test_case_39_a_threshold_of_another_model_is_refused(
    ragtui: Call, case_39: Path, thresholds: Path
) -> None:
    said = ragtui("calibrate", case_39, "--run", "model_b", "--apply", thresholds)
    assert (said.code, said.out) == (2, "")
    assert "model_b" in said.err
    assert "model_a" in said.err


def test_another_score_is_refused(ragtui: Call, case_39: Path, thresholds: Path) -> None:
    said = ragtui("calibrate", case_39, "--run", "model_a", "--apply", thresholds, "--score", "mean@1")
    assert (said.code, said.out) == (2, "")
    assert "top1" in said.err


def test_a_threshold_on_the_queries_it_was_fitted_on_says_so(
    ragtui: Call, case_39: Path, thresholds: Path
) -> None:
    run = ragtui("calibrate", case_39, "--run", "model_a", "--apply", thresholds, "--json").json("calibrate")
    applied = run["runs"]["model_a"]
    assert applied["applied"] == "model_a"
    assert [warning["kind"] for warning in applied["warnings"]] == ["same-queries"]
    assert applied["rates"]["method"] == "fitted"
    assert applied["rates"]["false_answer"]["at_most"] is None


def test_another_corpus_is_warned_of(ragtui: Call, case_39: Path, thresholds: Path) -> None:
    text = thresholds.read_text(encoding="utf-8")
    corpus = tomllib.loads(text)["thresholds"]["model_a"]["corpus_hash"]
    thresholds.write_text(text.replace(corpus, "0" * 64), encoding="utf-8")
    said = ragtui("calibrate", case_39, "--run", "model_a", "--apply", thresholds)
    assert said.code == 0
    assert "another corpus" in said.out


def test_the_exported_table_is_what_should_refuse_reads(thresholds: Path, case_39: Path) -> None:
    policy = tomllib.loads(thresholds.read_text(encoding="utf-8"))["thresholds"]["model_a"]
    assert {name: policy[name] for name in ("model", "score", "direction", "threshold", "k", "rule")} == {
        "model": "model_a",
        "score": "top1",
        "direction": "higher",
        "threshold": 0.86,
        "k": 1,
        "rule": "youden",
    }
    lines = (case_39 / "runs" / "model_a.jsonl").read_text(encoding="utf-8").splitlines()
    for record in map(json.loads, lines):
        scores = [hit["score"] for hit in record["retrieved"]]
        assert package.should_refuse(scores, policy, model="model_a") == record["query_id"].startswith("n")
    with pytest.raises(package.RagtuiError, match="model_b"):
        package.should_refuse([0.9], policy, model="model_b")


def test_json_and_toml_hold_the_same(ragtui: Call, case_39: Path, thresholds: Path, tmp_path: Path) -> None:
    file = tmp_path / "thresholds.json"
    ragtui("calibrate", case_39, "--run", "model_a", "--min-auroc", 0.5, "--export", file)
    assert json.loads(file.read_text()) == tomllib.loads(thresholds.read_text(encoding="utf-8"))


def test_nothing_is_exported_where_nothing_is_usable(ragtui: Call, case_39: Path, tmp_path: Path) -> None:
    file = tmp_path / "thresholds.toml"
    said = ragtui("calibrate", case_39, "--export", file)
    assert said.code == 2
    assert "NO USABLE THRESHOLD" in said.out
    assert not file.exists()


def test_a_run_without_a_model_is_not_exported(ragtui: Call, case_39: Path, tmp_path: Path) -> None:
    (case_39 / "runs" / "model_a.toml").unlink()
    file = tmp_path / "thresholds.toml"
    said = ragtui("calibrate", case_39, "--run", "model_a", "--min-auroc", 0.5, "--export", file)
    assert said.code == 2
    assert "model_a.toml" in said.err
    assert not file.exists()


def test_runs_of_other_models_are_left_out_where_none_was_named(
    ragtui: Call, case_39: Path, thresholds: Path
) -> None:
    """A file holds the usable thresholds alone, so that most sets have runs it says nothing of."""
    said = ragtui("calibrate", case_39, "--apply", thresholds, "--json")
    assert list(said.json("calibrate")["runs"]) == ["model_a"]
    assert "left out: model_b" in said.err


@pytest.fixture
def made_set(tmp_path: Path) -> Callable[..., Path]:
    """Makes a set with so many answerable and no-answer queries and one run over it, a normal score each."""

    def make(answerable: int, no_answer: int, *, apart: float = 2.0, sign: float = 1.0) -> Path:
        folder = tmp_path / f"made-{answerable}-{no_answer}-{apart:g}-{sign:g}"
        (folder / "qrels").mkdir(parents=True)
        (folder / "runs").mkdir()
        rng = np.random.default_rng(5)
        queries, gold, run = [], ["query-id\tcorpus-id\tscore"], []
        for number in range(answerable + no_answer):
            is_answerable = number < answerable
            metadata = {"type": "direct" if number % 2 else "table", "answerable": is_answerable}
            queries.append({"_id": f"q{number}", "text": f"query {number}", "metadata": metadata})
            if is_answerable:
                gold.append(f"q{number}\tc{number}\t1")
            top = sign * (rng.normal() + apart * is_answerable)
            first = f"c{number}" if rng.random() < 0.9 else "c0#x"
            results = [{"chunk_id": first, "score": top}, {"chunk_id": "z", "score": top - sign}]
            run.append({"query_id": f"q{number}", "results": results})
        (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)) + "\n", encoding="utf-8")
        (folder / "qrels" / "dev.tsv").write_text("\n".join(gold) + "\n", encoding="utf-8")
        (folder / "runs" / "dense.jsonl").write_text("\n".join(map(json.dumps, run)) + "\n", encoding="utf-8")
        direction = "higher" if sign > 0 else "lower"
        card = f'model = "m"\ndepth = 2\nscore_direction = "{direction}"\ndistance = "cosine"\n'
        (folder / "runs" / "dense.toml").write_text(card, encoding="utf-8")
        return folder

    return make


def test_too_few_no_answer_queries_are_counted(ragtui: Call, made_set: Callable[..., Path]) -> None:
    """59 are needed for 5 %; 40 can show 1 − .05^(1/40) = 7.22 %, said rounded up."""
    folder = made_set(100, 40, apart=4.0)
    run = ragtui("calibrate", folder, "--alpha", 0.05, "--json").json("calibrate")["runs"]["dense"]
    assert run["reason"]["kind"] == "too-few-no-answer"
    assert run["reason"]["values"] == {
        "n": 40,
        "needed": 59,
        "missing": 19,
        "alpha": "5",
        "attainable": "7.3",
    }
    assert (run["threshold"], run["rejected"], run["rates"]) == (None, None, None)


def test_all_reasons_are_said(ragtui: Call, made_set: Callable[..., Path]) -> None:
    """Scores of one source do not separate, and 40 no-answer queries are too few for 5 %."""
    folder = made_set(100, 40, apart=0.0)
    run = ragtui("calibrate", folder, "--alpha", 0.05, "--json").json("calibrate")["runs"]["dense"]
    assert [reason["kind"] for reason in run["reasons"]] == ["auroc", "too-few-no-answer"]
    assert run["reason"] == run["reasons"][0]
    line = next(
        line for line in ragtui("calibrate", folder, "--alpha", 0.05).out.splitlines() if "NO " in line
    )
    assert "does not separate" in line
    assert "19 are missing" in line


def test_the_threshold_lies_in_the_interval_that_is_printed(
    ragtui: Call, made_set: Callable[..., Path]
) -> None:
    """Both are rounded, to equally many decimals: the ends outwards."""
    out = ragtui("calibrate", made_set(80, 60, apart=3.0)).out
    value, low, high = re.findall(
        r"-?\d+\.\d+", next(x for x in out.splitlines() if x.startswith("threshold "))
    )
    assert float(low) <= float(value) <= float(high)
    assert len({len(text.partition(".")[2]) for text in (value, low, high)}) == 1


def test_a_run_without_the_no_answer_queries_is_not_taken_for_a_set_without_them(
    ragtui: Call, made_set: Callable[..., Path]
) -> None:
    folder = made_set(20, 20)
    file = folder / "runs" / "dense.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[:20]) + "\n", encoding="utf-8")
    assert "has a score in this run" in ragtui("calibrate", folder).out


def test_held_out_figures_stand_with_their_bound(ragtui: Call, made_set: Callable[..., Path]) -> None:
    folder = made_set(300, 200, apart=3.0)
    ragtui("split", folder)
    plain = ragtui("calibrate", folder, "--alpha", 0.1)
    assert "cross-fitted" in plain.out
    assert "--split test" in plain.out
    said = ragtui("calibrate", folder, "--alpha", 0.1, "--split", "test", "--json")
    assert "sealed" in said.err
    run = said.json("calibrate")["runs"]["dense"]
    assert run["fitted_on"] == "dev"
    rates = run["rates"]
    assert (rates["split"], rates["method"], rates["false_answer"]["n"]) == ("test", "held-out", 60)
    assert rates["false_answer"]["at_most"] > rates["false_answer"]["value"]


def test_an_unsealed_test_split_is_reported_on(ragtui: Call, made_set: Callable[..., Path]) -> None:
    folder = made_set(300, 200)
    ragtui("split", folder)
    file = folder / "splits.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace(',"sealed":true', ""), encoding="utf-8")
    said = ragtui("calibrate", folder, "--json")
    assert "sealed" not in said.err
    assert said.json("calibrate")["runs"]["dense"]["rates"]["split"] == "test"


def test_a_small_set_gets_estimates_called_so_without_a_bound(
    ragtui: Call, made_set: Callable[..., Path]
) -> None:
    rates = ragtui("calibrate", made_set(60, 40), "--json").json("calibrate")["runs"]["dense"]["rates"]
    assert rates["method"] == "cross-fitted"
    assert rates["false_answer"]["n"] == 40
    for name in ("false_answer", "false_refusal", "coverage", "risk"):
        assert (rates[name]["low"], rates[name]["high"]) == (None, None)
    assert rates["false_answer"]["at_most"] is None


def test_distances_mirror_scores(ragtui: Call, made_set: Callable[..., Path]) -> None:
    scores, distances = (
        ragtui("calibrate", made_set(80, 60, sign=sign), "--json").json("calibrate")["runs"]["dense"]
        for sign in (1.0, -1.0)
    )
    assert distances["direction"] == "lower"
    assert distances["threshold"]["value"] == -scores["threshold"]["value"]
    assert distances["threshold"]["low"] == pytest.approx(-scores["threshold"]["high"])
    assert distances["rates"] == scores["rates"]
    assert distances["auroc"] == scores["auroc"]
    assert distances["histogram"]["found"] == scores["histogram"]["found"][::-1]


def test_text_is_for_people(ragtui: Call, made_set: Callable[..., Path]) -> None:
    out = ragtui("calibrate", made_set(80, 60), "--run", "dense", "--bins", 8, "--per-query").out
    lines = out.splitlines()
    assert sum("|" in line for line in lines) == 8
    assert sum("answered from here up" in line for line in lines) == 1
    assert "false answers" in out
    assert "should be refused" in out


def test_a_picture_asks_no_server_and_escapes(
    ragtui: Call, made_set: Callable[..., Path], tmp_path: Path
) -> None:
    folder = made_set(80, 60)
    (folder / "set.toml").write_text('name = "<script>餐补&\\u001b[31m"\n', encoding="utf-8")
    file = tmp_path / "no-answer.svg"
    assert ragtui("calibrate", folder, "--export", file).code == 0
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<script>餐补&␛[31m" in texts
    assert "http" not in file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")


def test_a_png_of_letters_it_lacks_is_refused(
    ragtui: Call, made_set: Callable[..., Path], tmp_path: Path
) -> None:
    folder = made_set(80, 60)
    file = tmp_path / "no-answer.png"
    assert ragtui("calibrate", folder, "--export", file).code == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    file.unlink()
    use("zh")
    assert ragtui("calibrate", folder, "--export", file).code == 0, (
        "words are English, for which it has letters"
    )
    use(None)
    file.unlink()
    (folder / "set.toml").write_text('name = "餐补"\n', encoding="utf-8")
    said = ragtui("calibrate", folder, "--export", file)
    assert (said.code, file.exists()) == (2, False)
    assert ".svg" in said.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--score", "top2"], "top1"),
        (["--score", "mean@0"], "mean@3"),
        (["--score", "mean@3"], "depth"),
        (["--k", "3"], "depth"),
        (["--rule", "best"], "youden"),
        (["--rule", "youden", "--alpha", "0.1"], "max-false-answers"),
        (["--alpha", "1"], "0.05"),
        (["--alpha", "5"], "5 %"),
        (["--alpha", "many"], "5 %"),
        (["--costs", "a:1"], "5:1"),
        (["--costs", "0:1"], "5:1"),
        (["--prior", "1"], "0.8"),
        (["--split", "holdout"], "dev"),
        (["--run", "none"], "dense"),
        (["--export", "x.pdf"], ".svg"),
        (["--where", "hit@2:0"], "own results"),
        (["--where", "type:none-such"], ""),
        (["--apply", "absent.toml"], "absent.toml"),
        (["--apply", "absent.toml", "--k", "1"], "change nothing"),
        (["--apply", "absent.toml", "--min-auroc", "0.5"], "--min-auroc"),
        (["--export", "absent/thresholds.toml"], "no folder absent"),
    ],
    ids=" ".join,
)
def test_bad_wishes_are_explained(
    ragtui: Call, made_set: Callable[..., Path], arguments: list[str], word: str
) -> None:
    said = ragtui("calibrate", made_set(20, 10), *arguments)
    assert (said.code, said.out) == (2, "")
    assert word in said.err


def test_a_filter_narrows_both_kinds(ragtui: Call, made_set: Callable[..., Path]) -> None:
    run = ragtui("calibrate", made_set(80, 60), "--where", "type:table", "--json").json("calibrate")
    assert sum(run["runs"]["dense"]["n"].values()) == 70


def test_queries_without_a_list_are_left_out_and_said(ragtui: Call, made_set: Callable[..., Path]) -> None:
    folder = made_set(20, 20)
    file = folder / "runs" / "dense.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    failed = json.dumps({"query_id": "q38", "results": [], "error": "timeout"})
    empty = json.dumps({"query_id": "q39", "results": []})
    file.write_text("\n".join([*lines[1:38], failed, empty]) + "\n", encoding="utf-8")
    found: dict[str, Any] = ragtui("calibrate", folder, "--json").json("calibrate")["runs"]["dense"]
    assert found["left_out"] == {"failed": 1, "missing": 1}
    assert sum(found["n"].values()) == 38
    assert found["histogram"]["without_score"] == {"found": 0, "missed": 0, "no_answer": 1}
    out = ragtui("calibrate", folder).out
    assert "failed" in out
    assert "lacks" in out
