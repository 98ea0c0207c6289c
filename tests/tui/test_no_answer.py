"""Screen 4: histograms, the cursor, rules, scores and splits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.no_answer_wrong import WrongSideScreen
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press, said, settled
from tests.tui.refusing import (
    NASTY_RUN,
    at,
    cursor,
    figures,
    fitted,
    refusing_set,
    to_the_left_end,
    with_test_split,
)


@pytest.fixture
def refusing(tmp_path: Path) -> Workspace:
    return Workspace(refusing_set(tmp_path / "refusing"), state=tmp_path / "state")


@pytest.fixture
def split(tmp_path: Path) -> Workspace:
    """The same with a test split that is not sealed."""
    return Workspace(with_test_split(refusing_set(tmp_path / "split")), state=tmp_path / "state")


# histograms


async def test_every_run_has_a_histogram_on_its_own_axis(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        shown = page(pilot)
        assert "[4 No-answer]" in lines(pilot)[1]
        assert shown.count("found 49") == 3
        assert shown.count("missed 12") == 3
        assert shown.count("no-answer 40") == 3
        assert "e5" in shown
        assert "flat" in shown
        assert "l2 [/b]" in shown
        assert "\x1b" not in shown
        # one axis in hundredths, one in tens, one in tenths
        assert " .88 " in shown
        assert " 20 " in shown


async def test_the_cursor_starts_at_the_threshold_of_the_rule(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        assert cursor(screen) == fitted(screen)
        assert "threshold" in page(pilot)


async def test_distances_are_answered_left_of_the_cursor(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        feet = [line for line in lines(pilot) if "refused" in line and "answered" in line]
        assert [foot.index("refused") < foot.index("answered") for foot in feet] == [True, True, False]


async def test_no_usable_threshold_is_said_with_its_reason(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        await press(pilot, "right_curly_bracket")
        assert "no usable threshold" in page(pilot)
        assert "is under 0.7" in page(pilot)


# the cursor


async def test_coarse_steps_move_a_bin_and_back(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        found = screen.histograms["e5"].histogram
        assert found is not None
        await press(pilot, "right", "right")
        assert cursor(screen) in found.edges.tolist()
        there = cursor(screen)
        await press(pilot, "left")
        assert found.edges.tolist().index(there) - found.edges.tolist().index(cursor(screen)) == 1


@pytest.mark.parametrize(
    ("there", "back"), [("shift+right", "shift+left"), ("full_stop", "comma"), ("。", "，")]
)
async def test_fine_steps_go_to_the_next_score(refusing: Workspace, there: str, back: str) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        start = cursor(screen)
        scores = sorted(screen.panel.sample.values.tolist()) if screen.panel and screen.panel.sample else []
        await press(pilot, there)
        assert cursor(screen) == scores[scores.index(start) + 1]
        await press(pilot, back)
        assert cursor(screen) == start


async def test_rates_follow_the_cursor(refusing: Workspace) -> None:
    """Left of all scores everything is answered: 40 of 40, and no answerable query is refused."""
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await to_the_left_end(pilot, screen, "e5")
        await press(pilot, "left")
        assert "40 of 40  100.0 %" in page(pilot)
        assert "0 of 61" in page(pilot)
        await press(pilot, "0")
        assert cursor(screen) == fitted(screen)
        assert "101 of 101" not in page(pilot)


async def test_a_moved_cursor_is_said_and_0_takes_it_back(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        footer = pilot.app.screen.query_one(KeyFooter)
        assert "usual" not in [action.id for action in footer.entries]
        await press(pilot, "right")
        assert "cursor moved to" in page(pilot)
        assert "usual" in [action.id for action in footer.entries]
        await press(pilot, "0")
        assert "cursor moved to" not in page(pilot)


async def test_the_mouse_puts_the_cursor(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        flat = screen.histograms["flat"]
        await pilot.click(flat, offset=(40, 2))
        await settled(pilot)
        assert screen.session.run == "flat"
        assert flat.histogram is not None
        assert screen.panels["flat"].moved in flat.histogram.edges.tolist()
        await pilot.click(screen.histograms["e5"], offset=(3, 0))
        await settled(pilot)
        assert screen.session.run == "e5"
        assert screen.panels["e5"].moved is None


# runs, cut-offs, rules, scores


async def test_runs_are_stepped_through_round_about_and_by_arrows(refusing: Workspace) -> None:
    async with opened(refusing, (80, 24)) as (pilot, _):
        screen = await at(pilot)
        seen = [screen.session.run]
        for key in (
            "right_curly_bracket",
            "j",
            "j",
            "k",
            "left_curly_bracket",
            "left_curly_bracket",
            "G",
            "g",
        ):
            await press(pilot, key)
            seen.append(screen.session.run)
        e5, flat, last = screen.panels
        assert seen == [e5, flat, last, last, flat, e5, last, last, e5]
        # in a low terminal there is room for one, which is the one in use
        await press(pilot, "G")
        assert "l2 [/b]" in page(pilot)
        assert "l2 [/b]" in lines(pilot)[0]


async def test_the_cursor_of_each_run_is_its_own(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "right", "j", "right", "right")
        assert screen.panels["e5"].moved is not None
        assert screen.panels["flat"].moved is not None
        assert screen.panels[NASTY_RUN].moved is None


async def test_a_smaller_k_makes_misses_of_what_was_found(refusing: Workspace) -> None:
    """Gold stands at rank 1 or nowhere; but K is that of the list, too, and cannot go below 1."""
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "left_square_bracket")
        assert screen.session.k == 1
        assert screen.panel is not None
        assert screen.panel.sample is not None
        assert screen.panel.sample.k == 1


async def test_a_rule_is_chosen_from_a_list(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "right", "r", "5")
        assert screen.refusals.rule.name == "max-false-answers"
        assert screen.refusals.rule.alpha == 0.1
        # 40 no-answer queries show a bound of 10 % only where none of them is answered
        assert cursor(screen) == fitted(screen)
        assert "0 of 40" in page(pilot)
        assert "at most 10 % false answers" in page(pilot)


async def test_a_rule_that_cannot_be_met_says_what_is_missing(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "r", "4")
        assert "needs 59 no-answer queries" in figures(screen)
        assert "19 are missing" in figures(screen)


async def test_another_number_is_asked_for(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "r", "end", "up", "enter")
        await press(pilot, *"0.15", "enter")
        assert screen.refusals.rule.alpha == 0.15
        await press(pilot, "r", "end", "up", "enter")
        await press(pilot, *"15", "enter")
        assert screen.refusals.rule.alpha == 0.15
        assert any("15 is no share of false answers" in one for one in said(pilot))
        await press(pilot, "r", "end", "up", "up", "enter", *"3:1", "enter")
        assert "a false answer 3, a false refusal 1" in figures(screen)


async def test_from_which_auroc_a_threshold_is_usable_can_be_set(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "j")
        assert "no usable threshold" in page(pilot)
        await press(pilot, "r", "end", "enter", *"0.2", "enter")
        assert screen.refusals.min_auroc == 0.2
        assert "no usable threshold" not in page(pilot)
        assert "usable from AUROC .2 on" in page(pilot)
        await press(pilot, "r", "end", "enter", *"2", "enter")
        assert any("2 is no AUROC" in one for one in said(pilot))


async def test_a_score_is_chosen_from_a_list(refusing: Workspace) -> None:
    """The second result is .01 below the first, so that every margin is the same."""
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "b", "3")
        assert str(screen.refusals.score) == "mean@3"
        await press(pilot, "b", "end", "enter", *"2", "enter")
        assert str(screen.refusals.score) == "mean@2"


async def test_a_score_that_a_run_cannot_have_is_said_in_its_place(refusing: Workspace) -> None:
    """Ten results were asked for, and the mean of twelve is not there."""
    async with opened(refusing) as (pilot, _):
        await at(pilot)
        await press(pilot, "b", "end", "enter", "1", "2", "enter")
        assert page(pilot).count("needs more results than the depth 10 of the run") == 3


async def test_what_was_chosen_is_there_at_the_next_visit(refusing: Workspace) -> None:
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        await press(pilot, "r", "5", "right", "right")
        before = cursor(screen)
        await press(pilot, "q", "q")
    again = Workspace(refusing.set, state=refusing.state_folder)
    async with opened(again) as (pilot, _):
        screen = await at(pilot)
        assert screen.refusals.rule_text == "max-false-answers 0.1"
        assert cursor(screen) == before


@pytest.mark.parametrize(
    "damage",
    [
        {"rule": "no such rule", "score": "mean@", "cursors": {"e5": "x", "flat": float("inf")}},
        {"rule": 7, "score": [], "cursors": [1], "min_auroc": "high"},
        {"min_auroc": 7.5},
    ],
)
async def test_a_damaged_view_is_the_usual_one(refusing: Workspace, damage: dict[str, Any]) -> None:
    refusing.state_folder.mkdir(parents=True)
    (refusing.state_folder / "view.json").write_text(json.dumps(damage), encoding="utf-8")
    async with opened(refusing) as (pilot, _):
        screen = await at(pilot)
        assert screen.refusals.rule.name == "youden"
        assert str(screen.refusals.score) == "top1"
        assert screen.refusals.min_auroc == 0.7
        assert screen.panel is not None
        assert screen.panel.moved is None


# splits


async def test_a_test_split_is_shown_and_the_other_fitted_on(split: Workspace) -> None:
    async with opened(split) as (pilot, _):
        screen = await at(pilot)
        assert "held out: test" in page(pilot)
        assert "at 95 %)" in page(pilot)
        assert "shown on test" in page(pilot)
        assert screen.panel is not None
        assert screen.panel.sample is not None
        assert screen.panel.sample.split == "test"
        await press(pilot, "enter")
        wrong = pilot.app.screen
        assert isinstance(wrong, WrongSideScreen)
        of_test = set(split.over("test").query_ids)
        assert wrong.rows.query_ids()
        assert set(wrong.rows.query_ids()) <= of_test
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, DetailScreen)
        assert "Nothing should be found" in page(pilot).replace("\n", " ")


async def test_a_sealed_test_split_is_left_alone(tmp_path: Path) -> None:
    sealed = with_test_split(refusing_set(tmp_path / "sealed"), sealed=True)
    async with opened(Workspace(sealed, state=tmp_path / "state")) as (pilot, _):
        await at(pilot)
        assert "held out" not in page(pilot)
        assert "test is sealed" in page(pilot)
