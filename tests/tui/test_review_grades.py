"""Correcting gold in the app: grades, their versions and numbers, notes, blind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ragtui.dataset.model import EvaluationSet
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.failures import FailuresScreen
from ragtui.tui.screens.gold import GoldDialog
from ragtui.tui.screens.grading import GradeDialog
from ragtui.workspace import Workspace
from ragtui.workspace.review import Review
from tests.tui.driving import lines, opened, page, press, row_of, said


async def at(pilot: Pilot[None], query_id: str) -> DetailScreen:
    """The detail of a query of the whole list."""
    await press(pilot, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, DetailScreen)
    screen.position = screen.order.index(query_id)
    screen.show_query()
    await pilot.pause()
    return screen


def grades(workspace: Workspace) -> list[dict[str, object]]:
    rows = (Path(workspace.state_folder) / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, rows) if row["kind"] == "grade"]


async def test_a_digit_corrects_the_grade_and_numbers_follow(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        # hotel#1 at rank 3 is all of q01 that e5 finds; without rail#1 it is all that is needed
        screen = await at(pilot, "q01")
        assert (screen.pane, screen.chunk_id) == (screen.gold, "rail#1")
        assert "~ 1 of 2" in page(pilot)
        await press(pilot, "e")
        assert isinstance(pilot.app.screen, GradeDialog)
        assert "direct evidence" in page(pilot)
        await press(pilot, "0")
        assert said(pilot)[-1] == "Grade 0 for rail#1: gold is version 1 now."
        assert "1 of 1" in page(pilot)
        assert "gold v1" in lines(pilot)[0]
        await press(pilot, "escape")
        assert "1/1" in row_of(pilot, "q01")
    (event,) = grades(travel)
    assert (event["query_id"], event["chunk_id"], event["grade"], event["was"]) == ("q01", "rail#1", 0, 3)
    assert event["in_sight"] == ["e5-small", "bm25"]
    # the files are as they were
    assert len(travel.set.gold) == 14


async def test_undo_takes_the_correction_back_with_its_numbers(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await at(pilot, "q01")
        await press(pilot, "f3", "０", "u")
        assert said(pilot)[-1] == "Undone: grade 0 for rail#1 (q01). ctrl+r does it again."
        assert "~ 1 of 2" in page(pilot)
        assert "gold v2" in lines(pilot)[0]


async def test_a_correction_is_given_with_a_reason_and_taken_back(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await at(pilot, "q01")
        await press(pilot, "e", "up", "tab", *"not asked", "enter")
        (event,) = grades(travel)
        assert (event["grade"], event["reason"]) == (2, "not asked")
        await press(pilot, "e")
        assert "del: take your correction back" in page(pilot)
        await press(pilot, "delete")
        assert said(pilot)[-1] == "Grade of the files for rail#1: gold is version 2 now."


async def test_the_guide_stands_beside_the_grades(travel_set: EvaluationSet, tmp_path: Path) -> None:
    travel_set.path.mkdir()
    guide = "3: it alone answers [b]the question\n" + "\n".join(f"line {n}" for n in range(30))
    (travel_set.path / "guide.md").write_text(guide, encoding="utf-8")
    async with opened(Workspace(travel_set, state=tmp_path / "state")) as (pilot, _):
        await at(pilot, "q01")
        await press(pilot, "e")
        assert "3: it alone answers [b]the question" in page(pilot)
        await press(pilot, "pagedown", "pagedown")
        assert "3: it alone answers" not in page(pilot)
        await press(pilot, "escape")
    assert not (tmp_path / "state" / "journal.jsonl").exists()


async def test_what_is_no_chunk_has_no_grade(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        screen = await at(pilot, "q01")
        await press(pilot, "G", "k")
        assert screen.chunk_id is None
        await press(pilot, "e")
        assert said(pilot) == ["Select a chunk: its grade can be corrected."]


async def test_every_version_of_gold_is_seen_with_its_numbers(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "E")
        assert said(pilot) == ["Nobody has corrected a grade yet: e in the detail does."]
        await at(pilot, "q01")
        await press(pilot, "e", "0", "E")
        assert isinstance(pilot.app.screen, GoldDialog)
        shown = page(pilot)
        assert "version 1  q01: rail#1 is 0" in shown
        # recall@3 of the eight scored queries: q01 1/2 and then 1, q02 and q03 0, all others 1
        assert "recall@3" in shown
        recall = next(line for line in shown.splitlines() if "recall@3" in line and "+" in line)
        assert [word for word in recall.split() if word[0] in ".+"][:3] == [".688", ".750", "+.062"]
        assert "1 pair of query and chunk differs." in shown
        assert "Means over 8 and 8 queries" in shown
        # the gold of the files is looked at, and said
        await press(pilot, "down", "enter")
        assert "gold of the files, newest is v1" in lines(pilot)[0]
        assert "~ 1 of 2" in page(pilot)
        await press(pilot, "escape")
        assert "1/2" in row_of(pilot, "q01")


async def test_opened_again_the_newest_gold_is_shown(travel: Workspace) -> None:
    travel.review.grade("q01", "rail#1", 0)
    again = Workspace(travel.set, state=travel.state_folder)
    async with opened(again) as (pilot, _):
        assert "gold v1" in lines(pilot)[0]
        assert "1/1" in row_of(pilot, "q01")


async def test_a_note_is_kept_shown_and_taken_back(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await at(pilot, "q01")
        await press(pilot, "i", *"ask [b]legal", "enter")
        assert "note  ask [b]legal" in page(pilot)
        await press(pilot, "i", *["backspace"] * 12, "enter")
        assert "note  " not in page(pilot)
        await press(pilot, "i", "x", "escape")
        assert travel.review.notes("q01") == {}


async def test_blind_hides_run_order_judges_and_what_rules_say(judged: Workspace) -> None:
    async with opened(judged) as (pilot, _):
        screen = await at(pilot, "q01")
        assert "e5-small" in page(pilot)
        await press(pilot, "v")
        shown = "\n".join(page(pilot).splitlines()[:-1])
        for hidden in ("e5-small", "bm25", ".884", "judge", "cause", "missed", "rank"):
            assert hidden not in shown.replace("judges, runs and order are hidden", "")
        # the first 3 of both runs and all that has a grade, in an order of no meaning
        names = [card.name for card in screen.retrieved.pane.cards if card.name]
        assert set(names) == {"general#1", "hotel_old#1", "hotel#1", "rail#1", "hotel#2"}
        await press(pilot, "t")
        assert said(pilot)[-1] == "Not while judges and runs are hidden: v shows them."
        # a grade that is given blind says so, and names no run
        await press(pilot, "e", "1")
        (event,) = grades(judged)
        assert event["blind"] is True
        assert event.get("in_sight", []) == []
        await press(pilot, "n")
        assert "e5-small" not in page(pilot)
        await press(pilot, "v")
        assert "e5-small" in page(pilot)


@pytest.mark.parametrize("keys", [["a"], ["t", "n"]], ids=["accept", "tag"])
async def test_where_nothing_can_be_written_it_is_said_and_all_else_goes_on(
    travel: Workspace, keys: list[str]
) -> None:
    # a folder stands where the journal should be
    state = Path(travel.state_folder)
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text("no folder")
    async with opened(travel) as (pilot, screen):
        assert "1 warning" in lines(pilot)[0]
        assert "cause  decisions cannot be kept: Not a directory" in page(pilot)
        await press(pilot, *keys)
        assert said(pilot)[-1].startswith(f"{state / 'journal.jsonl'}: Decisions cannot be kept here")
        assert screen.reviewed == "q03"
        await press(pilot, "j", "enter", "w")
        assert "Name a folder that can be written with --state DIR" in page(pilot)


async def test_what_raters_grade_differently_is_settled_on_screen_6(travel: Workspace) -> None:
    pair = (
        "q02",
        str(travel.set.gold["chunk_id"][(travel.set.gold["query_id"] == "q02").to_numpy()].iloc[0]),
    )
    Review(travel, "ann").rate(*pair, 0.0)
    Review(travel, "bob").rate(*pair, 3.0)
    async with opened(travel) as (pilot, _):
        await press(pilot, "6")
        screen = pilot.app.screen
        assert isinstance(screen, FailuresScreen)
        kinds = [one.group.kind for one in screen.counted]
        assert kinds[-2:] == ["disputed", "guarded"]
        await press(pilot, *["j"] * kinds.index("disputed"), "enter")
        assert screen.ids() == ["q02"]
        await press(pilot, "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.chunk_id == pair[1]
        await press(pilot, "e")
        # the reviewer is none of the raters: what is given is a decision, unless F2 says otherwise
        assert "raters differ: unnamed 3, ann 0, bob 3" in page(pilot)
        assert "kept as the decision for all" in page(pilot)
        await press(pilot, "f2")
        assert "kept as your own grade" in page(pilot)
        await press(pilot, "f2", "2")
        assert said(pilot)[-1] == f"Settled: grade 2 for {pair[1]}. Gold is version 1 now."
        (decided,) = travel.review.disagreements()
        assert (decided.decided, dict(decided.grades)) == (2.0, {"": 3.0, "ann": 0.0, "bob": 3.0})
        # from then on the grade dialog changes the decision, which can be taken back
        await press(pilot, "e")
        assert "kept as the decision for all" in page(pilot)
        await press(pilot, "delete")
        assert travel.review.disagreements()[0].decided is None
        await press(pilot, "u")
        assert travel.review.disagreements()[0].decided == 2.0
        await press(pilot, "escape")
        assert "disputed" not in [one.group.kind for one in screen.counted]
