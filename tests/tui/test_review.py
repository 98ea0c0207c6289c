"""Deciding in the app: causes by keys, undone and done again, kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.screens.tagging import TagDialog
from ragtui.workspace import Workspace
from tests.tui.driving import opened, page, press, row_of, said

FAILING = ("q03", "q02", "q01")
"""Under e5-small in the first 3, worst first: nothing of q03 and q02, a part of q01."""


def causes(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    """What is on disk, read anew."""
    return dict(Workspace(workspace.set, state=workspace.state_folder).review.causes_by_query)


def events(workspace: Workspace, kind: str) -> list[dict[str, object]]:
    path = Path(workspace.state_folder) / "journal.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["kind"] == kind]


def where(pilot: Pilot[None]) -> str | None:
    """The query that is looked at."""
    screen = pilot.app.screen
    assert isinstance(screen, QueriesScreen | DetailScreen)
    return screen.reviewed


# the list


async def test_rules_suggest_a_cause_for_what_is_seen(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        # of q03 another run has both; of q02 bm25 has at rank 1 what stands at 4 here
        assert row_of(pilot, "q02").rstrip().endswith("ranking?")
        await press(pilot, "j")
        assert "cause  ranking?" in page(pilot)
        assert "a accept   t tag" in page(pilot)
        # what is found needs none
        await press(pilot, "G")
        assert "a accept   t tag" not in page(pilot)


async def test_accepting_goes_on_to_what_is_left(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "f", "2")
        assert [screen.listed.query_id(n) for n in range(3)] == list(FAILING) if screen.listed else False
        await press(pilot, "a")
        assert where(pilot) == "q02"
        await press(pilot, "a")
        assert where(pilot) == "q01"
        assert "3 of 10, 2 done" in page(pilot)
        # the sign of what is done stands beside the mark, and the row keeps its place
        assert row_of(pilot, "q02").startswith(" x + ")
        await press(pilot, "a")
        assert said(pilot) == ["Every failing query of this list has its cause."]
    assert set(causes(travel)) == set(FAILING)


async def test_a_letter_gives_a_cause_and_goes_on(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "t", "n")
        assert where(pilot) == "q02"
        assert causes(travel) == {"q03": ("noise",)}
        assert row_of(pilot, "q03").rstrip().endswith("noise")


async def test_digits_and_arrows_give_a_cause_too(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "f2", "８")
        await press(pilot, "f2", "home", "down", "enter")
        assert causes(travel) == {"q03": ("ranking",), "q02": ("chunk-boundary",)}


async def test_several_causes_and_a_note(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "T", "r", "n", "r", "s", "tab", *"old one", "enter")
        assert causes(travel) == {"q03": ("noise", "stale-version")}
        await press(pilot, "k")
        assert "cause  + noise, stale version  old one" in page(pilot)
        # they are there when the dialog is opened again, and can be taken back
        await press(pilot, "T")
        assert isinstance(pilot.app.screen, TagDialog)
        assert "[x] n noise" in page(pilot)
        await press(pilot, "n", "s", "enter")
    assert causes(travel) == {}


async def test_leaving_the_dialog_decides_nothing(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "t", "escape")
        assert where(pilot) == "q03"
    assert not (Path(travel.state_folder) / "journal.jsonl").exists()


async def test_undo_and_redo_say_what_and_go_there(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "u")
        assert said(pilot) == ["You have decided nothing that could be undone."]
        await press(pilot, "t", "n", "t", "c", "u")
        assert said(pilot)[-1] == "Undone: evidence conflict (q02). ctrl+r does it again."
        assert where(pilot) == "q02"
        assert causes(travel) == {"q03": ("noise",)}
        await press(pilot, "ctrl+r")
        assert said(pilot)[-1] == "Done again: evidence conflict (q02). u undoes it."
        assert causes(travel) == {"q03": ("noise",), "q02": ("evidence-conflict",)}
        await press(pilot, "ctrl+z", "ctrl+z", "ctrl+z")
        assert causes(travel) == {}
        assert said(pilot)[-1] == "You have decided nothing that could be undone."


async def test_where_nothing_is_missing_there_is_no_cause(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "G", "a")
        assert said(pilot) == ["Nothing is missing here, so there is no cause to give."]
    assert not (Path(travel.state_folder) / "journal.jsonl").exists()


# the session


async def test_the_first_answer_records_the_order_and_every_answer_belongs_to_it(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "f", "2", "a", "a", "q")
    (session,) = events(travel, "session")
    assert session["queries"] == list(FAILING)
    assert (session["run"], session["k"], session["where"]) == ("e5-small", 3, "is:to-review")
    assert [row["session"] for row in events(travel, "tag")] == [session["session"]] * 2
    # closed and opened again, what is left belongs to the same session
    again = Workspace(travel.set, state=travel.state_folder)
    async with opened(again) as (pilot, screen):
        assert screen.field.value == "is:to-review"
        assert where(pilot) == "q01"
        await press(pilot, "a")
    assert len(events(travel, "session")) == 1
    assert len(again.review.sessions()[0].done) == 3


async def test_every_tenth_suggestion_is_told_after_the_answer(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragtui.tui.state.review.WITHHELD_EVERY", 2)
    async with opened(travel) as (pilot, _):
        await press(pilot, "a")
        assert where(pilot) == "q02"
        assert row_of(pilot, "q02").rstrip().endswith("held back")
        assert "cause  held back: say what you think first" in page(pilot)
        await press(pilot, "a")
        assert said(pilot)[-1] == "Held back: t says what you think, then the suggestion is told."
        await press(pilot, "t")
        assert "suggested:" not in page(pilot)
        await press(pilot, "n")
        assert said(pilot)[-1] == "The rules had suggested ranking."
        # an answer that is changed afterwards is no answer of one's own
        await press(pilot, "u", "a")
    tags = events(travel, "tag")
    assert [(row["query_id"], row.get("shown", True)) for row in tags] == [
        ("q03", True),
        ("q02", False),
        ("q02", True),
    ]
    assert tags[1]["suggested"] == "ranking"


# the detail


async def test_the_detail_goes_on_as_the_list_does(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "f", "2", "enter", "a")
        assert isinstance(pilot.app.screen, DetailScreen)
        assert where(pilot) == "q02"
        assert "2 of 3, 1 done" in page(pilot)
        await press(pilot, "t", "n")
        assert where(pilot) == "q01"
        await press(pilot, "u")
        assert where(pilot) == "q02"
        await press(pilot, "escape")
        assert where(pilot) == "q02"
        assert "3 of 10, 1 done" in page(pilot)


async def test_shift_tab_steps_onto_the_suggestion_and_enter_takes_it(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "f6", "2", "enter", "shift+tab")
        screen = pilot.app.screen
        assert isinstance(screen, DetailScreen)
        assert screen.is_on_cause
        assert "enter accept" in page(pilot)
        await press(pilot, "enter")
        # it stays there, so that enter alone goes through the list
        assert (where(pilot), screen.is_on_cause) == ("q02", True)
        await press(pilot, "enter", "enter")
        assert set(causes(travel)) == set(FAILING)
        await press(pilot, "shift+tab")
        assert not screen.is_on_cause
