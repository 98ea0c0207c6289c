"""What leads away from screen 4: the wrong side, export, copies; what other screens say of a threshold."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.tui.screens.no_answer_wrong import WrongSideScreen
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press, said, search, settled
from tests.tui.refusing import (
    NASTY_RUN,
    at,
    cursor,
    fitted,
    refusing_set,
    to_the_left_end,
)


@pytest.fixture
def refusing(tmp_path: Path) -> Workspace:
    return Workspace(refusing_set(tmp_path / "refusing"), state=tmp_path / "state")


# the wrong side


async def test_enter_lists_what_is_on_the_wrong_side_and_opens_it(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, queries):
        screen = await at(pilot)
        panel = screen.panel
        assert panel is not None
        assert panel.sample is not None
        expected = [one.query_id for one in panel.sample.wrong_side(cursor(screen))]
        await press(pilot, "enter")
        wrong = pilot.app.screen
        assert isinstance(wrong, WrongSideScreen)
        assert wrong.rows.query_ids() == expected
        assert "false answer" in page(pilot)
        await press(pilot, "j", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.query_id == expected[1]
        await press(pilot, "n", "escape")
        assert wrong.selected == expected[2]
        await press(pilot, "space")
        assert expected[2] in screen.session.marks
        assert wrong.selected == expected[3]
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        await press(pilot, "escape")
        assert queries.is_current


async def test_a_threshold_without_mistakes_has_an_empty_list(refusing: Workspace) -> None:
    names = refusing.set.queries.index[:10]
    only = replace(
        refusing.set,
        queries=refusing.set.queries.loc[names],
        gold=refusing.set.gold[refusing.set.gold["query_id"].isin(names)],
        query_split=refusing.set.query_split.loc[names],
    )
    async with opened(Workspace(only, state=refusing.state_folder)) as (pilot, _):
        await to_the_left_end(pilot, await at(pilot), "e5")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, WrongSideScreen)
        assert "0 false answers" in page(pilot)
        assert "Nothing is on the wrong side" in page(pilot)
        await press(pilot, "enter", "space", "y", "x", "j", "G")
        assert isinstance(pilot.app.screen, WrongSideScreen)


async def test_the_wrong_side_is_copied_and_written(
    refusing: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        await press(pilot, "enter", "Y")
        record = json.loads(pilot.app.clipboard)
        assert record["side"] == "false-answer"
        assert record["kind"] == "no-answer"
        await press(pilot, "y")
        assert pilot.app.clipboard.startswith("Nobody knows")
        await press(pilot, "x", "2")
        written = (tmp_path / "refusing-wrong-side.jsonl").read_text(encoding="utf-8").splitlines()
        assert json.loads(written[0]) == record


# what leaves the screen


async def test_usable_thresholds_are_exported(
    refusing: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the rule, wherever the cursor is; and none for a run whose score does not separate."""
    monkeypatch.chdir(tmp_path)
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "right", "x", "1")
        whole = tomllib.loads((tmp_path / "refusing-thresholds.toml").read_text(encoding="utf-8"))
        assert set(whole["thresholds"]) == {"e5", NASTY_RUN}
        assert whole["thresholds"]["e5"]["threshold"] == fitted(screen)
        assert whole["thresholds"][NASTY_RUN]["direction"] == "lower"
        assert any("Wrote the thresholds of e5" in one for one in said(pilot))
        assert not any("\x1b" in one for one in said(pilot))


async def test_where_none_is_usable_none_is_exported(
    refusing: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        await press(pilot, "r", "3", "x", "1")
        assert any("No threshold is usable" in one for one in said(pilot))
        assert not list(tmp_path.glob("*.toml"))


async def test_a_threshold_and_its_facts_are_copied(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "y")
        assert screen.panel is not None
        assert screen.panel.sample is not None
        copied = float(pilot.app.clipboard)
        assert screen.panel.sample.counts_at(copied) == screen.panel.sample.counts_at(fitted(screen))
        await press(pilot, "Y")
        facts = json.loads(pilot.app.clipboard)
        assert facts["n"] == {"found": 49, "missed": 12, "no_answer": 40}
        assert facts["threshold"] == fitted(screen)


# elsewhere


async def test_the_detail_says_what_the_threshold_does_to_a_query(refusing: Workspace) -> None:
    async with opened(refusing, (200, 50)) as (pilot, queries):
        screen = await at(pilot)
        panel = screen.panel
        assert panel is not None
        assert panel.sample is not None
        over = next(one.query_id for one in panel.sample.wrong_side(cursor(screen)))
        await press(pilot, "1")
        await search(pilot, queries, f"id:{over}")
        assert "is over the threshold" in page(pilot)
        assert "would answer" in page(pilot)
        await press(pilot, "enter")
        assert "is over the threshold" in page(pilot)


async def test_the_preset_lists_what_would_be_answered(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, queries):
        screen = await at(pilot)
        panel = screen.panel
        assert panel is not None
        assert panel.sample is not None
        wrong = panel.sample.wrong_side(cursor(screen))
        over = [one.query_id for one in wrong if one.side == "false-answer"]
        await press(pilot, "1", "f")
        assert "no-answer over threshold" in page(pilot)
        at_line = next(line for line in lines(pilot) if "no-answer over threshold" in line)
        assert f" {len(over)} " in at_line
        await press(pilot, at_line.split("no-answer over")[0].split()[-1])
        assert queries.listed is not None
        assert {queries.listed.query_id(n) for n in range(len(queries.listed))} == set(over)


async def test_distances_are_within_a_threshold(refusing: Workspace) -> None:
    async with opened(refusing, (200, 50)) as (pilot, queries):
        screen = await at(pilot)
        await press(pilot, "G")
        found = screen.refusals.answered_where(NASTY_RUN)
        assert found is not None
        assert found.startswith("top1<=")
        await press(pilot, "1")
        await search(pilot, queries, f"is:no-answer {found}")
        assert queries.listed is not None
        assert len(queries.listed)
        assert "is within the threshold" in page(pilot)


async def test_digits_go_to_the_histograms_from_anywhere(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, queries):
        await press(pilot, "enter", "4")
        histograms: object = pilot.app.screen
        assert isinstance(histograms, NoAnswerScreen)
        await press(pilot, "enter", "enter")
        assert pilot.app.screen.query("CardPane")
        await press(pilot, "4")
        assert histograms is pilot.app.screen
        await press(pilot, "enter", "1")
        assert queries.is_current
        await press(pilot, "4", "5", "4")
        assert isinstance(pilot.app.screen, NoAnswerScreen)


async def test_a_threshold_is_found_before_anybody_asks(refusing: Workspace) -> None:
    """In the thread that makes ready what would be waited for; called here, so that nothing is left to it."""
    async with opened(refusing) as (pilot, queries):
        queries.session.refusals.prepare("e5")
        assert queries.session.refusals.at_hand("e5") is not None
        assert not queries.session.refusals.prepare("e5")
        await settled(pilot)
