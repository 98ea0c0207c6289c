"""What production asks, and the file it asks by."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ragtui.analysis.calibration.policy import should_refuse
from ragtui.analysis.calibration.policy_file import Policy, chosen_policy, read_policies
from ragtui.analysis.calibration.score_names import score_name
from ragtui.errors import RagtuiError

POLICY: dict[str, Any] = {"model": "m", "score": "top1", "direction": "higher", "threshold": 0.8, "k": 5}


@pytest.mark.parametrize(
    ("scores", "refused"),
    [([0.9, 0.1], False), ([0.8], False), ([0.7999999], True), ([], True)],
    ids=str,
)
def test_the_threshold_itself_is_answered(scores: list[float], refused: bool) -> None:
    assert should_refuse(scores, POLICY) == refused
    assert should_refuse([-s for s in scores], POLICY | {"direction": "lower", "threshold": -0.8}) == refused


def test_one_result_has_no_margin() -> None:
    policy = POLICY | {"score": "margin", "threshold": 0.0}
    assert should_refuse([0.9], policy)
    assert not should_refuse([0.9, 0.9], policy)


def test_another_model_is_refused() -> None:
    assert not should_refuse([0.9], POLICY, model="m")
    with pytest.raises(RagtuiError, match="belongs to m"):
        should_refuse([0.9], POLICY, model="n")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "high", 10**400], ids=range(6))
def test_a_score_that_is_no_number_is_an_error_and_no_answer(bad: Any) -> None:
    with pytest.raises(RagtuiError, match="finite"):
        should_refuse([bad], POLICY)


@pytest.mark.parametrize(
    "change",
    [
        {"threshold": "much"},
        {"threshold": math.nan},
        {"threshold": None},
        {"threshold": 10**400},
        {"direction": "up"},
        {"score": "top9"},
        {"score": None},
    ],
    ids=range(7),
)
def test_what_is_no_policy(change: dict[str, Any]) -> None:
    with pytest.raises(RagtuiError):
        should_refuse([0.9], POLICY | change)
    with pytest.raises(RagtuiError, match="policy"):
        should_refuse([0.9], {name: POLICY[name] for name in POLICY if name not in change})


def test_production_loads_nothing_heavy() -> None:
    script = (
        "import ragtui, sys\n"
        "ragtui.should_refuse([0.9], {'score': 'mean@2', 'direction': 'higher', 'threshold': 0.5})\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = ("numpy", "pandas", "pyarrow", "scipy", "textual", "typer", "pydantic", "orjson", "tomli_w")
    assert not [name for name in heavy if f"'{name}'" in done.stdout], done.stdout


def written(tmp_path: Path, content: object) -> Path:
    file = tmp_path / "thresholds.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_a_file_is_read_in_either_form(tmp_path: Path) -> None:
    as_json = written(tmp_path, {"schema": 1, "thresholds": {"餐补 run": POLICY}})
    as_toml = tmp_path / "thresholds.toml"
    as_toml.write_text(
        '\ufeffschema = 1\n[thresholds."餐补 run"]\nmodel = "m"\nscore = "top1"\ndirection = "higher"\n'
        "threshold = 0.8\nk = 5\n",
        encoding="utf-8",
    )
    assert read_policies(as_json) == read_policies(as_toml) == (Policy("餐补 run", POLICY),)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[",
        {"schema": 1},
        {"schema": 1, "thresholds": {}},
        {"schema": 1, "thresholds": []},
        {"schema": 2, "thresholds": {"a": POLICY}},
        {"schema": 1, "thresholds": {"a": 3}},
        {"schema": 1, "thresholds": {"a": {}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"k": 0}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"threshold": True}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"threshold": "0.8"}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"direction": "up"}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"model": 3}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"score": "top9"}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"threshold": 10**400}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"k": 10**400}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"k": True}}},
        {"schema": 1, "thresholds": {"a": POLICY | {"low": "a"}}},
    ],
    ids=range(19),
)
def test_a_file_that_holds_no_policies_says_so(tmp_path: Path, content: object) -> None:
    with pytest.raises(RagtuiError) as error:
        read_policies(written(tmp_path, content))
    assert "thresholds.json" in error.value.where


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "thresholds.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RagtuiError, match="UTF-8"):
        read_policies(file)


def test_two_scores_of_one_model_have_to_be_told_apart() -> None:
    policies = (Policy("a", POLICY), Policy("b", POLICY | {"score": "margin"}))
    with pytest.raises(RagtuiError, match="a, b"):
        chosen_policy(policies, place="file", run="r", model="m", score=None)
    chosen = chosen_policy(policies, place="file", run="r", model="m", score=score_name("margin"))
    assert chosen.name == "b"
    with pytest.raises(RagtuiError, match="model"):
        chosen_policy(policies, place="file", run="r", model=None, score=None)
