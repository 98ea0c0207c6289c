"""Verdicts that travel with the example set are about its texts of today, and name judges as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from ragtui.judging.card_files import kept_card
from ragtui.judging.plan import Asker
from ragtui.workspace import Workspace

RUN, K = "e5-small", 5
MODEL = "local:SmolLM2-135M-Instruct.Q4_1"
RULES = ("id-overlap", "string-similarity")


@pytest.fixture(scope="module")
def folder(checkout: Path) -> Path:
    return checkout / "datasets" / "travel-policy-zh"


@pytest.fixture
def workspace(folder: Path, tmp_path: Path) -> Workspace:
    return Workspace.open(folder, state=tmp_path / "state")


def asker(workspace: Workspace, judge: str) -> Asker:
    return workspace.judgments.asker(judge, None if judge in RULES else MODEL)


def recorded(workspace: Workspace, judge: str) -> pd.DataFrame:
    return workspace.judgments.table(asker(workspace, judge))


def test_every_file_is_of_a_judge_as_it_is_today(workspace: Workspace) -> None:
    judges = workspace.judgments.judges
    found = workspace.judgments.recorded()
    assert sorted(found) == [
        ("id-overlap", judges["id-overlap"].version, ""),
        ("relevance-grade", judges["relevance-grade"].version, MODEL),
        ("string-similarity", judges["string-similarity"].version, ""),
    ]
    assert workspace.judgments.set_aside() == 0


@pytest.mark.parametrize("judge", [*RULES, "relevance-grade"])
def test_every_verdict_is_about_a_text_of_today(workspace: Workspace, judge: str) -> None:
    selected = workspace.judgments.selected(RUN, asker(workspace, judge), K)
    table = recorded(workspace, judge)
    joined = workspace.judgments.verdicts(selected, asker(workspace, judge))
    given = joined[(joined["status"] != "skipped").to_numpy()]
    assert len(table) > 0
    assert len(given.merge(table, on=["query_id", "chunk_id", "text_hash", "status"])) == len(table)
    if judge in RULES:  # what a model was asked by depends on its file too
        assert workspace.judgments.plan(selected, asker(workspace, judge)).known == len(table)


@pytest.mark.parametrize("judge", RULES)
def test_rules_say_today_what_was_recorded(workspace: Workspace, judge: str) -> None:
    before = recorded(workspace, judge).set_index(["query_id", "chunk_id"])["value"]
    elsewhere = Workspace.open(workspace.set.path, state=workspace.state_folder / "none")
    found = elsewhere.judgments.verdicts(
        elsewhere.judgments.selected(RUN, asker(elsewhere, judge), K), asker(elsewhere, judge)
    )
    now = found.set_index(["query_id", "chunk_id"])["value"]
    pd.testing.assert_series_equal(now.sort_index(), before.sort_index())


@pytest.mark.parametrize("judge", [*RULES, "relevance-grade"])
def test_every_judge_has_a_card_that_counts(workspace: Workspace, folder: Path, judge: str) -> None:
    who = asker(workspace, judge)
    kept = kept_card([folder / "verdicts"], who.judge, who.model)
    assert kept is not None
    assert kept.card.labelled >= 100
    assert kept.card.agreement.n + sum(kept.card.failures.values()) == kept.card.labelled
    card = workspace.judgments.card(who)
    assert card is not None
    assert card.kappa == kept.card.kappa


def test_the_small_model_is_not_believed(workspace: Workspace) -> None:
    """It is there to show what a judge without judgement looks like, and nothing may rest on it."""
    card = workspace.judgments.card(asker(workspace, "relevance-grade"))
    assert card is not None
    assert card.kappa.high is not None
    assert card.kappa.high < 0.4


def test_the_first_screen_has_a_judge_and_says_which(workspace: Workspace) -> None:
    for run in workspace.runs:
        judged = workspace.judged_table(run, K).judged
        assert judged is not None
        assert judged.judges["context_precision"].text.startswith("id-overlap ")


def test_lines_hold_the_fields_of_a_verdict_and_no_other(folder: Path) -> None:
    for file in sorted((folder / "verdicts").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert set(json.loads(line)) <= {
                *("schema", "query_id", "chunk_id", "value", "reason", "status", "judge", "version", "model"),
                *("text_hash", "latency_ms", "tokens_in", "tokens_out", "request", "time", "raw", "repeat"),
            }
