"""Screen 4: cursor, rules, scores, the wrong side, export, and what is said elsewhere of a threshold."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ragtui.dataset.model import RankedLists
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.tui.screens.no_answer_wrong import WrongSideScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.lines import Lines
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press, said, search, settled
from tests.tui.refusing import NASTY_RUN, refusing_set, with_test_split


@pytest.fixture
def refusing(tmp_path: Path) -> Workspace:
    return Workspace(refusing_set(tmp_path / "refusing"), state=tmp_path / "state")


@pytest.fixture
def split(tmp_path: Path) -> Workspace:
    """The same with a test split that is not sealed."""
    return Workspace(with_test_split(refusing_set(tmp_path / "split")), state=tmp_path / "state")


async def at(pilot: Pilot[None]) -> NoAnswerScreen:
    """Screen 4 with everything found out."""
    await press(pilot, "4")
    screen = pilot.app.screen
    assert isinstance(screen, NoAnswerScreen)
    return screen


def cursor(screen: NoAnswerScreen) -> float:
    assert screen.panel is not None
    assert screen.panel.cursor is not None
    return screen.panel.cursor


def fitted(screen: NoAnswerScreen) -> float:
    assert screen.panel is not None
    assert screen.panel.calibration is not None
    assert screen.panel.calibration.fitted is not None
    return screen.panel.calibration.fitted.value


def figures(screen: NoAnswerScreen) -> str:
    """What is said of the run in use, in one line."""
    facts = screen.query_one("#facts", Lines).facts
    return " ".join(" ".join(piece.text for piece in line) for line in facts).replace("  ", " ")


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
        await press(pilot, *["left"] * 60)
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
        await at(pilot)
        await press(pilot, *["left"] * 60, "enter")
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
