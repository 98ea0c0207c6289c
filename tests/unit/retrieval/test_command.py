"""The command on a run card, typed in again."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ragtui.cli.main import main
from ragtui.retrieval import bench as module
from tests.unit.retrieval.conftest import LetterEmbedder


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a set in it, as a person stands in it."""
    folder = tmp_path / "my set"
    (folder / "qrels").mkdir(parents=True)
    chunks = {"d#1": "aab 住宿标准", "d#2": "b 高铁", "d#3": "bb 高铁"}
    (folder / "corpus.jsonl").write_text(lines([{"_id": i, "text": text} for i, text in chunks.items()]))
    (folder / "queries.jsonl").write_text(
        lines([{"_id": "q1", "text": "ab 高铁"}, {"_id": "q2", "text": "b"}])
    )
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td#1\t1\nq2\td#2\t1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "embedder_named", lambda _name, _settings: LetterEmbedder())
    return folder


def run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as finished:
        main(list(arguments))
    assert finished.value.code == 0


def without_times(file: Path) -> list[dict[str, Any]]:
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(record.pop("latency_ms") for record in records)
    return records


@pytest.mark.parametrize("options", [("bm25",), ("dense", "--model", "org/letters", "--distance", "dot")])
def test_it_makes_the_same_lists_and_scores(home: Path, options: tuple[str, ...]) -> None:
    run("bench", "my set", "--name", "a run", "--depth", "2", "--prompt", "1", "--retriever", *options)
    file, card = home / "runs" / "a run.jsonl", home / "runs" / "a run.toml"
    first, first_card = without_times(file), tomllib.loads(card.read_text())
    file.unlink()
    card.unlink()

    ragtui, *arguments = shlex.split(first_card["command"])
    assert ragtui == "ragtui"
    run(*arguments)
    assert without_times(file) == first
    assert len(first[0]["results"]) == 2
    assert len(first[0]["stages"]["prompt"]) == 1
    again = tomllib.loads(card.read_text())
    assert {key for key in again if again[key] != first_card[key]} <= {"time"}
