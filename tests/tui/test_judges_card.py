"""Screen 5: the card, what needs a person, getting about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.judges import JudgesScreen
from ragtui.workspace import Workspace
from tests.tui.asked import Lab, at, job_of, judged, started, until

# the card, and what needs a person
from tests.tui.driving import opened, page, press, said, settled


async def test_the_chosen_judge_speaks_in_list_and_detail(recorded: Workspace) -> None:
    async with opened(recorded) as (pilot, screen):
        assert screen.listed is not None
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "context-precision"
        await at(pilot, "id-overlap")
        await press(pilot, "enter")
        await judged(pilot)
        await press(pilot, "1")
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "id-overlap"
        # and back, by choosing the line of the other one
        await at(pilot, "context-precision")
        await press(pilot, "1")
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "context-precision"


async def test_measuring_a_rule(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        screen = await at(pilot, "string-similarity")
        assert "unmeasured" in page(pilot)
        assert "ragtui judge" in page(pilot)
        await press(pilot, "M")
        await judged(pilot)
        # as the command line says of its 168 pairs: kappa 0.667 [0.558, 0.773]
        assert said(pilot) == ["string-similarity 1: kappa .67 [.56, .77] n=168"]
        assert "kappa .67" in page(pilot)
        assert screen.line is not None
        assert screen.line.card is not None
        assert screen.line.card.agreement.confusion.tolist() == [[84, 0], [28, 56]]
        # measured for all sets, and remembered
        await press(pilot, "M")
        assert said(pilot)[-1] == "Everything is judged already."


async def test_a_disagreement_opens_the_detail_at_its_chunk(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        # all get a 3; the furthest from it stand first
        assert screen.disputes is not None
        assert screen.disputes.differ > 0
        first = screen.disputes.row(0)
        assert abs(first["value"] - first["label"]) == 3
        await press(pilot, "tab", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.query_id == first["query_id"]
        assert detail.pane.card is not None
        assert detail.pane.card.name == first["chunk_id"]
        await press(pilot, "escape", "Y")
        assert json.loads(pilot.app.clipboard)["chunk_id"] == first["chunk_id"]


async def test_disagreements_are_exported(
    unjudged: Workspace, lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        await press(pilot, "x", "2")
        rows = (tmp_path / "travel-disputes.jsonl").read_text(encoding="utf-8").splitlines()
        assert screen.disputes is not None
        assert len(rows) == len(screen.disputes)


async def test_where_no_query_has_a_reference_that_is_counted(travel: Workspace, lab: Lab) -> None:
    async with opened(travel) as (pilot, _):
        await at(pilot, "claim-coverage")
        assert "8 have no reference and are skipped" in " ".join(page(pilot).split())
        assert "nothing to judge" in page(pilot)
        await press(pilot, "enter")
        assert "8 have no reference and are skipped" in said(pilot)[-1]


async def test_a_broken_judge_says_why(unjudged: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "travel" / "judges" / "mine"
    folder.mkdir(parents=True)
    (folder / "judge.toml").write_text("name = ", encoding="utf-8")
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5")
        assert "judge.toml" in page(pilot)
        await press(pilot, "enter", "M", "j", "tab", "R", "x", "y")
        assert isinstance(pilot.app.screen, JudgesScreen)


# getting about


async def test_the_ladder_of_esc(unjudged: Workspace) -> None:
    async with opened(unjudged, (80, 24)) as (pilot, queries):
        await press(pilot, "5", "z", "tab")
        screen = pilot.app.screen
        assert isinstance(screen, JudgesScreen)
        await press(pilot, "escape")
        assert not screen.is_zoomed
        assert screen.has_class("-use-card")
        await press(pilot, "escape")
        assert screen.has_class("-use-judges")
        await press(pilot, "escape")
        assert queries.is_current


async def test_digits_go_to_screens_from_anywhere(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, queries):
        await press(pilot, "enter", "5")
        assert isinstance(pilot.app.screen, JudgesScreen)
        await press(pilot, "5", "1")
        assert queries.is_current
        await press(pilot, "enter", "1")
        assert queries.is_current
        await pilot.click("TabLine", offset=(28, 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, JudgesScreen)
        await pilot.click("TabLine", offset=(3, 0))
        await settled(pilot)
        assert queries.is_current


async def test_without_letters(unjudged: Workspace, lab: Lab) -> None:
    """The whole loop for hands on an input method: model, plan, start, pause, stop, retry, look."""
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "end", "f8", "enter", "enter", "enter")
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "f9", "f9")
        await pilot.press("f10")
        job = await judged(pilot)
        assert job.progress.state == "cancelled"
        lab.model.gate.set()
        await press(pilot, "f7", "enter")
        job = await judged(pilot)
        assert job.progress.state == "done"
        await press(pilot, "tab", "down", "enter")
        assert isinstance(pilot.app.screen, DetailScreen)


async def test_a_set_without_runs_has_nothing_to_judge(without_runs: Workspace) -> None:
    async with opened(without_runs) as (pilot, queries):
        await press(pilot, "5")
        assert queries.is_current
        assert said(pilot) == ["This set has no run yet, so there is nothing to judge."]
