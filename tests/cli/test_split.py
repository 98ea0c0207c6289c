"""`ragtui split`: fair shares, a sealed test, and nothing replaced by accident."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragtui.workspace import Workspace
from tests.cli.conftest import Call


def a_set(folder: Path, queries: list[dict[str, Any]]) -> Path:
    """A set of these queries' metadata; an answerable one has one relevant chunk."""
    (folder / "qrels").mkdir(parents=True)
    lines, gold = [], ["query-id\tcorpus-id\tscore"]
    for number, metadata in enumerate(queries):
        lines.append(json.dumps({"_id": f"q{number}", "text": f"query {number}", "metadata": metadata}))
        if metadata.get("answerable", True):
            gold.append(f"q{number}\tc{number}\t1")
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("\n".join(gold) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def balanced(tmp_path: Path) -> Path:
    """200 queries: 100 direct, 60 table, 40 no-answer of the type direct."""
    kinds = [{"type": "direct"}] * 100 + [{"type": "table"}] * 60
    return a_set(tmp_path / "set", [*kinds, *[{"type": "direct", "answerable": False}] * 40])


def splits_of(folder: Path) -> dict[str, str]:
    lines = (folder / "splits.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["query_id"]: record["split"] for record in map(json.loads, lines)}


def test_three_tenths_of_every_stratum(ragtui: Call, balanced: Path) -> None:
    said = ragtui("split", balanced, "--json")
    found = said.json("split")
    assert said.code == 0
    assert found["splits"] == {"dev": 140, "test": 60}
    assert [(part["type"], part["answerable"], part["dev"], part["test"]) for part in found["strata"]] == [
        ("direct", "answerable", 70, 30),
        ("table", "answerable", 42, 18),
        ("direct", "no-answer", 28, 12),
    ]
    assert Counter(splits_of(balanced).values()) == {"dev": 140, "test": 60}
    assert list(splits_of(balanced)) == [f"q{n}" for n in range(200)]


def test_the_same_seed_draws_the_same(ragtui: Call, balanced: Path) -> None:
    ragtui("split", balanced)
    first = splits_of(balanced)
    ragtui("split", balanced, "--force")
    assert splits_of(balanced) == first
    ragtui("split", balanced, "--force", "--seed", 2)
    assert splits_of(balanced) != first


def test_splits_that_are_there_are_not_replaced(ragtui: Call, balanced: Path) -> None:
    ragtui("split", balanced)
    before = (balanced / "splits.jsonl").read_bytes()
    said = ragtui("split", balanced, "--seed", 3)
    assert said.code == 2
    assert "--force" in said.err
    assert (balanced / "splits.jsonl").read_bytes() == before


def test_gold_in_two_splits_is_a_division_already(ragtui: Call, balanced: Path) -> None:
    head, *rows = (balanced / "qrels" / "dev.tsv").read_text(encoding="utf-8").splitlines()
    for name, part in (("dev", rows[:80]), ("test", rows[80:])):
        (balanced / "qrels" / f"{name}.tsv").write_text("\n".join([head, *part]) + "\n", encoding="utf-8")
    assert ragtui("split", balanced).code == 2
    assert not (balanced / "splits.jsonl").exists()


@pytest.mark.parametrize(
    ("queries", "test"),
    [(2, 1), (3, 1), (60, 30), (99, 49), (100, 50), (101, 50), (160, 50), (170, 51), (1000, 300)],
    ids=str,
)
def test_at_least_50_and_at_most_half(ragtui: Call, tmp_path: Path, queries: int, test: int) -> None:
    said = ragtui("split", a_set(tmp_path / "set", [{}] * queries), "--json")
    assert said.json("split")["splits"]["test"] == test
    assert ("half" in said.err) == (test < 50)


def test_a_single_query_cannot_be_divided(ragtui: Call, tmp_path: Path) -> None:
    said = ragtui("split", a_set(tmp_path / "set", [{}]))
    assert (said.code, "divided" in said.err) == (2, True)


def test_clusters_stay_together(ragtui: Call, tmp_path: Path) -> None:
    queries = [{"type": "direct", "cluster": f"c{n // 3}"} for n in range(240)]
    said = ragtui("split", a_set(tmp_path / "set", queries), "--json").json("split")
    assert said["clusters"] == 80
    assert said["splits"] == {"dev": 168, "test": 72}
    split_of = splits_of(tmp_path / "set")
    for n in range(0, 240, 3):
        assert len({split_of[f"q{m}"] for m in range(n, n + 3)}) == 1


def test_the_test_split_is_sealed(ragtui: Call, balanced: Path, tmp_path: Path) -> None:
    ragtui("split", balanced)
    workspace = Workspace.open(balanced, state=tmp_path / "state")
    assert workspace.set.settings.sealed == ("test",)
    assert workspace.split == "dev"
    assert workspace.calibrations.report_split() == "dev"
    assert workspace.calibrations.report_split("test") == "test"


@pytest.mark.parametrize(
    "verb",
    [("eval",), ("report",), ("failures",), ("judge", "--judge", "id-overlap")],
    ids=["eval", "report", "failures", "judge"],
)
def test_what_looks_at_a_sealed_split_says_so(ragtui: Call, balanced: Path, verb: tuple[str, ...]) -> None:
    (balanced / "runs").mkdir()
    run = {"query_id": "q0", "results": [{"chunk_id": "c0", "score": 1.0}]}
    (balanced / "runs" / "one.jsonl").write_text(json.dumps(run) + "\n", encoding="utf-8")
    ragtui("split", balanced)
    name, *options = verb
    assert "sealed" not in ragtui(name, balanced, *options).err
    assert "sealed" in ragtui(name, balanced, *options, "--split", "test").err


def test_making_a_run_shows_nothing_of_a_sealed_split(ragtui: Call, balanced: Path) -> None:
    """Lists for every query, for figures on either split; no gold is read, and no figure said."""
    corpus = "".join(json.dumps({"_id": f"c{n}", "text": f"text {n}"}) + "\n" for n in range(240))
    (balanced / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    ragtui("split", balanced)
    said = ragtui("bench", balanced, "--depth", "3", "--prompt", "0", "--json")
    assert said.code == 0
    assert "sealed" not in said.err
    assert said.json("bench")["queries"] == 200
    assert not {"metrics", "splits", "gold"} & said.json("bench").keys()


def test_a_seal_goes_along_into_a_copy(ragtui: Call, balanced: Path, tmp_path: Path) -> None:
    ragtui("split", balanced)
    assert ragtui("convert", balanced, tmp_path / "copy").code == 0
    copy = Workspace.open(tmp_path / "copy", state=tmp_path / "state").set
    assert copy.settings.sealed == ("test",)
    assert dict(copy.query_split) == splits_of(balanced)


def test_a_write_that_fails_leaves_nothing(
    ragtui: Call, balanced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    said = ragtui("split", balanced)
    assert said.code == 2
    assert "No space left" in said.err
    assert sorted(path.name for path in balanced.iterdir()) == ["qrels", "queries.jsonl"]


def test_a_file_has_no_place_for_splits(ragtui: Call, tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"query_id": "q1", "query": "x", "relevant": {"a": 1}}\n', encoding="utf-8")
    assert ragtui("split", file).code == 2
    assert ragtui("split").code == 2
