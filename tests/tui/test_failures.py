"""Screen 6: causes by count, their queries, marks, samples, guarded queries, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.failures import FailuresScreen
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press, said


async def at_failures(pilot: Pilot[None]) -> FailuresScreen:
    await press(pilot, "6")
    screen = pilot.app.screen
    assert isinstance(screen, FailuresScreen)
    return screen


def groups(screen: FailuresScreen) -> list[tuple[str, int, int]]:
    return [(one.group.cause or one.group.kind, one.given, one.suggested) for one in screen.counted]


async def test_the_untagged_come_first_then_causes_by_count(travel: Workspace) -> None:
    travel.review.tag("q01", ["noise", "ranking"])
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        assert "[6 Failures]" in lines(pilot)[1]
        # q03: another run has it at rank 1; q02: it is at rank 4, one below K
        assert groups(screen) == [
            ("untagged", 2, 0),
            ("ranking", 1, 1),
            ("noise", 1, 0),
            ("embedding-mismatch", 0, 1),
            ("guarded", 0, 0),
        ]
        assert screen.ids() == ["q03", "q02"]
        # the queries of a cause: those that have it, then those to which a rule suggests it
        await press(pilot, "j")
        assert screen.group.cause == "ranking"
        assert screen.ids() == ["q01", "q02"]


async def test_enter_goes_to_the_queries_and_into_the_detail_and_back(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "enter", "j", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.order == ("q03", "q02", "q01")
        assert detail.query_id == "q02"
        await press(pilot, "n", "escape")
        assert pilot.app.screen is screen
        assert screen.selected == "q01"
        await press(pilot, "escape")
        assert screen.used == "causes"
        await press(pilot, "escape")
        assert "[1 Queries]" in lines(pilot)[1]


async def test_marked_queries_are_tagged_in_one_act(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "tab", "space", "space", "t")
        assert "Why do these 2 queries fail?" in page(pilot)
        await press(pilot, "n")
        assert dict(travel.review.causes_by_query) == {"q03": ("noise",), "q02": ("noise",)}
        assert said(pilot)[-1] == "2 queries: noise. u undoes it."
        # they keep their places and are dim, and are marked no longer
        assert screen.ids() == ["q03", "q02", "q01"]
        assert "untagged   3 queries, 2 done" in page(pilot)
        assert screen.targets[0] == "q01"
        await press(pilot, "u")
        assert said(pilot)[-1] == "Undone: noise (2 queries). ctrl+r does it again."
        assert travel.review.causes_by_query == {}


async def test_all_queries_of_a_cause_are_marked_and_let_go(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "ctrl+a")
        assert screen.targets == ("q03", "q02", "q01")
        assert "3 marked" in page(pilot)
        await press(pilot, "A")
        assert len(set(screen.targets)) == 1


async def test_accepting_goes_on_in_the_group(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "a", "a")
        assert screen.selected == "q01"
        assert set(travel.review.causes_by_query) == {"q03", "q02"}


async def test_a_sample_is_drawn_the_same_again(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "%", "backspace", "backspace", "2", "enter")
        drawn = screen.ids()
        assert len(drawn) == 2
        assert "sample of 2, of 3" in page(pilot)
        await press(pilot, "%")
        assert screen.ids() == ["q03", "q02", "q01"]
        await press(pilot, "％", "backspace", "backspace", "2", "enter")
        assert screen.ids() == drawn
        await press(pilot, "%", "%", "backspace", "backspace", "x", "enter")
        assert said(pilot)[-1] == "Give a whole number above 0."


async def test_queries_of_a_cause_are_counted_by_slice(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await at_failures(pilot)
        shown = page(pilot)
        assert "by type" in shown
        # of the two mixed-language queries q02 fails, q07 does not
        line = next(line for line in shown.splitlines() if line.startswith(" mixed-language"))
        assert line.split("│")[0].split() == ["mixed-language", "1", "of", "2"]
        await press(pilot, "L")
        assert isinstance(pilot.app.screen, ChooseDialog)
        await press(pilot, "end", "enter")
        assert "by groups" in page(pilot)


async def test_guarded_queries_stand_with_their_state(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "tab", "W")
        assert said(pilot)[-1] == "The query is guarded from now on."
        assert "guarded  cause  embedding mismatch?" in page(pilot)
        await press(pilot, "tab", "G")
        assert screen.ids() == ["q03"]
        line = next(line for line in page(pilot).splitlines() if "旧版和新版" in line)
        assert line.rstrip().endswith("open")
        await press(pilot, "W")
        assert said(pilot)[-1] == "The query is guarded no longer."
        assert travel.review.guarded == frozenset()
        assert "W guards one" in page(pilot)
    # a filter knows them, too
    travel.review.guard(["q01"])
    async with opened(Workspace(travel.set, state=travel.state_folder)) as (pilot, queries):
        queries.field.value = "is:guarded"
        await press(pilot)
        assert queries.ids() == ["q01"]


@pytest.mark.parametrize("digit", ["1", "2", "3", "4"])
async def test_a_group_is_written_to_a_file(
    travel: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digit: str
) -> None:
    monkeypatch.chdir(tmp_path)
    travel.review.tag("q03", ["noise"], "a note")
    async with opened(travel) as (pilot, _):
        await at_failures(pilot)
        await press(pilot, "j", "x", digit)
        suffix = {"1": "csv", "2": "csv", "3": "jsonl", "4": "md"}[digit]
        path = tmp_path / f"travel-failures.{suffix}"
        assert said(pilot)[-1] == f"Wrote {path}."
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") == (digit == "2")
    text = content.decode("utf-8-sig")
    assert "q03" in text
    assert "noise" in text
    assert "a note" in text
    assert "q04" not in text


async def test_copying_gives_the_query_and_all_that_is_known_of_it(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await at_failures(pilot)
        await press(pilot, "y")
        assert pilot.app.clipboard == "旧版和新版的餐补差多少"
        await press(pilot, "Y")
        assert json.loads(pilot.app.clipboard)["query_id"] == "q03"


async def test_another_run_has_other_failures(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        await press(pilot, "right_curly_bracket")
        assert "bm25" in lines(pilot)[0]
        # bm25 has nothing for q06 that counts, and misses nothing else in the first 3
        assert screen.ids() == ["q06"]
        await press(pilot, "5", "6", "1")
        assert "[1 Queries]" in lines(pilot)[1]


async def test_where_all_is_found_that_is_said(easy: Workspace) -> None:
    async with opened(easy) as (pilot, _):
        await at_failures(pilot)
        assert "All evidence of every query is in the first 3." in page(pilot)
        await press(pilot, "t", "a", "x", "A", "%", "enter")
        assert isinstance(pilot.app.screen, FailuresScreen)


async def test_nasty_text_stays_text(nasty: Workspace) -> None:
    async with opened(nasty, (80, 24)) as (pilot, _):
        await at_failures(pilot)
        await press(pilot, "tab", *["j"] * 8, "t")
        assert "[/b]" in page(pilot) or "\x1b" not in page(pilot)
        await press(pilot, "n")
        assert all("\x1b" not in line for line in lines(pilot))


async def test_how_far_the_session_is_and_how_often_rules_were_right(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragtui.tui.state.review.WITHHELD_EVERY", 2)
    async with opened(travel) as (pilot, _):
        await at_failures(pilot)
        assert "session" not in page(pilot)
        # the second suggestion is held back; the rules say ranking, and so does the reviewer
        await press(pilot, "a", "t", "r")
        shown = page(pilot)
        assert "session: 2 of 3 done" in shown
        # Wilson, 1 of 1: 1 / (1 + 1.96²) is the lower end
        assert "rules: 1 of 1 held back were right" in shown
        assert "1.00 [.21, 1.00]" in shown


async def test_a_journal_that_cannot_be_read_hides_nothing_else(travel: Workspace) -> None:
    (Path(travel.state_folder) / "journal.jsonl").mkdir(parents=True)
    async with opened(travel) as (pilot, screen):
        assert "1 warning" in lines(pilot)[0]
        assert screen.ids()[0] == "q03"
        await press(pilot, "a", "t", "n", "u")
        assert all("journal" in notice for notice in said(pilot))
        await press(pilot, "enter", "e", "0", "escape")
        screen_6 = await at_failures(pilot)
        assert screen_6.ids() == ["q03", "q02", "q01"]
        await press(pilot, "W", "x", "1", "w")
        assert "The journal cannot be read" in page(pilot)


async def test_queries_of_a_group_are_sorted_by_cause_and_by_column(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        screen = await at_failures(pilot)
        # worst first: q03 "embedding mismatch?", q02 "ranking?", q01 "partial evidence?"
        assert screen.ids() == ["q03", "q02", "q01"]
        await press(pilot, "tab", "g", "s")
        dialog = pilot.app.screen
        assert isinstance(dialog, ChooseDialog)
        assert [choice.value for choice in dialog.menu.choices][:2] == ["worst", "cause"]
        dialog.dismiss("cause")
        await press(pilot)
        assert screen.ids() == ["q03", "q01", "q02"]
        assert "untagged   3 queries   sorted by cause" in page(pilot)
        await press(pilot, "S")
        assert screen.ids() == ["q02", "q01", "q03"]
        assert screen.selected == "q03"
        # what a person says stands before what a rule suggests; rows move only when sorted anew
        screen.decided(screen.sitting.tag(["q01"], ["ranking"]))
        await press(pilot, "tab", "j")
        assert screen.group.cause == "ranking"
        assert screen.ids() == ["q01", "q02"]
        await press(pilot, "tab", "s")
        dialog = pilot.app.screen
        assert isinstance(dialog, ChooseDialog)
        dialog.dismiss("query_id")
        await press(pilot)
        await press(pilot, "S")
        assert screen.ids() == ["q02", "q01"]
        assert "sorted by order of the set, reversed" in page(pilot)
