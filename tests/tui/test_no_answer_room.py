"""Screen 4 at other sizes, and where there is little or nothing to show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragtui.dataset.model import RankedLists
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press
from tests.tui.refusing import (
    at,
    figures,
    refusing_set,
)


@pytest.fixture
def refusing(tmp_path: Path) -> Workspace:
    return Workspace(refusing_set(tmp_path / "refusing"), state=tmp_path / "state")


# what there is room for


async def test_tab_shows_the_curve_where_there_is_no_room_beside(refusing: Workspace) -> None:
    async with opened(refusing, (80, 24)) as (pilot, _):
        await at(pilot)
        assert "risk by coverage" not in page(pilot)
        await press(pilot, "tab")
        assert "risk by coverage" in page(pilot)
        await press(pilot, "tab")
        assert "false refusals" in page(pilot)


async def test_zoom_gives_one_run_the_screen(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "z")
        assert [run for run, one in screen.histograms.items() if one.display] == ["e5"]
        await press(pilot, "j")
        assert [run for run, one in screen.histograms.items() if one.display] == ["flat"]
        await press(pilot, "escape")
        assert all(one.display for one in screen.histograms.values())
        assert pilot.app.screen is screen


@pytest.mark.parametrize("size", [(40, 8), (41, 9), (50, 12), (60, 15), (39, 7), (300, 80)])
async def test_any_size_is_survived(refusing: Workspace, size: tuple[int, int]) -> None:
    async with opened(refusing, size) as (pilot, _):
        await at(pilot)
        await press(pilot, "right", "tab", "z", "enter", "escape")
        assert len(lines(pilot)) == size[1]


async def test_a_run_that_stands_alone_is_numbered(refusing: Workspace) -> None:
    async with opened(refusing, (80, 24)) as (pilot, _):
        screen = await at(pilot)
        assert "run 1/3" in lines(pilot)[0]
        await press(pilot, "j")
        assert "run 2/3" in lines(pilot)[0]
        footer = screen.query_one(KeyFooter)
        assert [action.id for action in footer.entries[:4]] == ["wrong_side", "lower", "rule", "curve"]
        assert "tab curve" in lines(pilot)[-1]
        await press(pilot, "tab")
        assert "tab rates" in lines(pilot)[-1]


async def test_what_is_all_in_sight_is_not_turned_over(refusing: Workspace) -> None:
    async with opened(refusing, (200, 50)) as (pilot, _):
        screen = await at(pilot)
        assert "run 1/3" not in lines(pilot)[0]
        assert "curve" not in [action.id for action in screen.query_one(KeyFooter).entries]


async def test_all_runs_stand_side_by_side_where_there_is_room(refusing: Workspace) -> None:
    async with opened(refusing, (200, 50)) as (pilot, _):
        screen = await at(pilot)
        assert "all runs, cross-fitted" in page(pilot)
        of_flat = next(line for line in lines(pilot) if "none (" in line)
        found = screen.panels["flat"].calibration
        assert found is not None
        assert found.rates is not None
        assert found.rates.false_answer.value is not None
        assert f"{found.rates.false_answer.value * 100:.1f} %" in of_flat
    async with opened(refusing, (120, 36)) as (pilot, _):
        await at(pilot)
        assert "all runs" not in page(pilot)


# first states


async def test_without_runs_the_command_that_makes_one_is_shown(without_runs: Workspace) -> None:
    async with opened(without_runs) as (pilot, _):
        await at(pilot)
        assert "ragtui bench" in page(pilot)
        await press(pilot, "y", "x", "r", "escape", "right", "enter", "z", "tab", "j", "escape")
        assert isinstance(pilot.app.screen, QueriesScreen)
        assert "ragtui bench" in pilot.app.clipboard


async def test_few_no_answer_queries_are_said(tmp_path: Path) -> None:
    few = refusing_set(tmp_path / "few", no_answer=12)
    async with opened(Workspace(few, state=tmp_path / "state")) as (pilot, _):
        await at(pilot)
        # no success in 12 trials: the one-sided bound is one minus the twelfth root of .05, which is .2209
        assert "Only 12 no-answer queries" in page(pilot)
        assert "22.1 %" in page(pilot)


async def test_no_no_answer_query_is_said(tmp_path: Path) -> None:
    none = refusing_set(tmp_path / "none", no_answer=0)
    async with opened(Workspace(none, state=tmp_path / "state")) as (pilot, _):
        assert "nothing says when to refuse" in figures(await at(pilot))


async def test_a_run_without_scores_does_not_hide_the_others(refusing: Workspace) -> None:
    run = refusing.set.runs["flat"]
    names = list(run.lists.query_ids)
    bare = replace(run, lists=RankedLists.from_lists({name: ["other#1"] for name in names}))
    without = replace(refusing.set, runs={**refusing.set.runs, "flat": bare})
    async with opened(Workspace(without, state=refusing.state_folder)) as (pilot, _):
        await at(pilot)
        assert "A threshold needs the score of every result" in page(pilot)
        assert page(pilot).count("found 49") == 2
        await press(pilot, "j", "right", "enter", "y", "Y", "z")
        assert isinstance(pilot.app.screen, NoAnswerScreen)


async def test_a_run_that_returned_nothing_is_said(refusing: Workspace) -> None:
    empty = replace(refusing.set.runs["flat"], lists=RankedLists.from_lists({"a00": []}))
    nothing = replace(refusing.set, runs={"flat": empty})
    async with opened(Workspace(nothing, state=refusing.state_folder)) as (pilot, _):
        await at(pilot)
        await press(pilot, "right", "enter", "x")
        assert "Nothing was returned for any query" in page(pilot)
