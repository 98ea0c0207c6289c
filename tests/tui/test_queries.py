"""The list of queries by keyboard: what every key does, and what the screen says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from textual.geometry import Offset
from textual.selection import Selection
from textual.widgets import Input

from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.dataset.model import EvaluationSet
from ragtui.errors import RagtuiError
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.columns import ColumnsDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.page import PageScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.widgets.filter_bar import Completions
from ragtui.tui.widgets.lines import Lines
from ragtui.workspace import Workspace
from tests.tui.driving import opened, page, press, row_of, said, search, settled


def completions_are_open(screen: QueriesScreen) -> bool:
    return screen.query_one(Completions).is_open


async def test_the_first_screen_says_what_its_numbers_are_over(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        shown = page(pilot)
        assert "travel > e5-small   K 3" in shown
        assert "10 queries = 8 scored + 2 no-answer   relevant from 2   corpus 3fa9c1" in shown
        # (0 + 0 + .3066 + .6712... + 4 x 1) / 8, see the strips: q01 has one of two at rank 3
        assert "mean ndcg@3 .62   sorted worst first" in shown
        assert row_of(pilot, "q03").startswith(">x    q03")
        assert row_of(pilot, "q01").split()[:2] == ["~", "q01"]
        assert "1/2     .31" in row_of(pilot, "q01")
        assert screen.selected == "q03"


async def test_a_hash_that_takes_long_is_shown_when_it_is_there(
    travel_set: EvaluationSet, tmp_path: Path
) -> None:
    evaluation = replace(travel_set, given_hashes=None)
    async with opened(Workspace(evaluation, state=tmp_path / "state")) as (pilot, _):
        async with asyncio.timeout(60):
            while "corpus" not in page(pilot):
                await pilot.pause()
        assert f"corpus {evaluation.hashes.corpus[:6]}" in page(pilot)


async def test_a_preview_that_comes_after_the_app_was_left_is_nothing_wrong(travel: Workspace) -> None:
    async with opened(travel) as (_, screen):
        pass
    screen._show_evidence(None)


async def test_the_preview_says_what_was_missed_and_what_came(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        shown = page(pilot)
        # of the run's five results none is meal#1, which bm25 has at rank 2
        assert "needs  meal#1      not in top 5   bm25 2" in shown
        assert "top 1  .880 差旅制度总则" in shown
        await press(pilot, "j")
        # .851 at rank 3 less .847 at rank 4
        assert "receipt#7  rank 4   .004 under rank 3   bm25 1" in page(pilot)


MOVES = [
    ("j", "q02"),
    ("down down", "q01"),
    ("j k", "q03"),
    ("G", "q10"),
    ("end up", "q09"),
    ("G g", "q03"),
    ("pagedown", "q10"),
    ("G home", "q03"),
    ("n n", "q01"),
    ("right left", "q03"),
    ("ctrl+d", "q10"),
    ("ctrl+d ctrl+u", "q03"),
    ("k", "q03"),
]


async def test_moving(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        for keys, selected in MOVES:
            screen.table.move_to(0)
            await press(pilot, *keys.split())
            assert screen.selected == selected, keys
            assert row_of(pilot, selected).startswith(">")


async def test_a_filter_applies_as_it_is_typed(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"type:dir")
        assert "direct" in page(pilot)
        completions = screen.query_one(Completions)
        assert completions_are_open(screen)
        assert completions.first is not None
        assert (completions.first.insert, completions.first.count) == ("direct", 3)
        await press(pilot, "tab")
        assert screen.field.value == "type:direct"
        assert "3 of 10   mean ndcg@3 1.00" in page(pilot)
        await press(pilot, "enter")
        assert screen.table.has_focus
        assert not completions_are_open(screen)
        assert screen.selected == "q05"


async def test_a_field_that_is_being_typed_does_not_wipe_the_list(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"typ")
        assert screen.listed is not None
        assert len(screen.listed) == 10
        await press(pilot, "enter")
        assert "No query matches." in page(pilot)


async def test_a_wrong_filter_says_what_would_be_right_and_keeps_the_list(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"is:miss", "space", *"tipe:x")
        assert screen.field.error is not None
        assert (screen.field.error.position, screen.field.error.length) == (8, 4)
        assert "type" in page(pilot).splitlines()[3]
        assert screen.listed is not None
        assert len(screen.listed) == 2
        underlined = [
            segment.text
            for segment in screen.field.render_line(0)
            if segment.style and segment.style.underline
        ]
        assert "".join(underlined) == "tipe"


async def test_esc_goes_one_step_at_a_time(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"type:")
        await press(pilot, "escape")
        assert not completions_are_open(screen)
        assert screen.field.has_focus
        await press(pilot, "escape")
        assert screen.table.has_focus
        assert screen.field.value == "type:"
        await press(pilot, "escape")
        assert screen.field.value == ""
        assert screen.has_class("-welcome")
        await press(pilot, "escape")
        assert screen.session.view.dismissed == ("welcome",)
        assert pilot.app.is_running


async def test_full_width_punctuation_does_the_same(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "／")
        assert screen.field.has_focus
        screen.field.value = "type：direct"
        await settled(pilot)
        assert screen.listed is not None
        assert len(screen.listed) == 3
        await press(pilot, "enter", "】")
        assert screen.session.k == 5
        await press(pilot, "【", "？")
        assert isinstance(pilot.app.screen, PageScreen)


async def test_presets_have_counts_and_become_the_filter(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, ChooseDialog)
        shown = page(pilot)
        # q03 and q02 miss, q01 is partial; q02 has its receipt at rank 4, which is 4..6
        for label, count in (
            ("2 to review", 3),
            ("3 misses", 2),
            ("4 just below K", 1),
            ("5 partial", 1),
            ("6 marked", 0),
        ):
            line = next(line for line in shown.splitlines() if f"{label} " in line)
            # what stands beside the dialog is of the list below it
            assert line.partition(label)[2].split()[0] == str(count)
        await press(pilot, "3")
        assert screen.field.value == "is:miss"
        assert "2 of 10" in page(pilot)


async def test_the_order_is_frozen_and_done_rows_are_counted(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await search(pilot, screen, "is:miss")
        await press(pilot, "right_square_bracket")
        assert "K 5" in page(pilot).splitlines()[0]
        assert "2 of 10, 1 done" in page(pilot)
        await press(pilot, "slash", "enter")
        assert "1 of 10" in page(pilot)
        assert "done" not in page(pilot)


async def test_cut_offs_and_runs_of_the_set(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "left_square_bracket")
        assert "K 1" in page(pilot).splitlines()[0]
        await press(pilot, "left_square_bracket")
        assert screen.session.k == 1
        await press(pilot, "right_curly_bracket")
        assert "travel > bm25" in page(pilot)
        await press(pilot, "left_curly_bracket")
        assert "travel > e5-small" in page(pilot)


async def test_a_stage_is_read_in_place_of_the_final_list(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "l", "down", "enter")
        assert screen.session.stage == "prompt"
        assert "stage prompt" in page(pilot)
        # the prompt holds the first two only, so the hotel at rank 3 is missed
        assert "0/2" in row_of(pilot, "q01")


async def test_sorting(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "S")
        assert "sorted best first" in page(pilot)
        await press(pilot, "s")
        await press(pilot, "end", "enter")
        assert screen.listed is not None
        assert screen.listed.query_id(0) == "q01"
        assert "sorted by order of the set" in page(pilot)


async def test_columns_are_chosen_moved_and_kept(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "C")
        assert isinstance(pilot.app.screen, ColumnsDialog)
        assert [choice.label for choice in pilot.app.screen.menu.choices[:8]] == [
            *("[x] id", "[x] query", "[x] type", "[x] gold by rank", "[x] got", "[x] ndcg@3"),
            *("[x] cause", "[ ] rank"),
        ]
        # the type away, the score of the first result there and in front of the query, which always stays
        await press(pilot, "down", "space", "3", *["down"] * 8, "enter")
        await press(pilot, *["shift+up"] * 9, "escape")
        assert screen.session.view.columns == (
            *("query_id", "top1", "text", "gold_by_rank", "got", "ndcg@K", "cause"),
        )
        header = page(pilot).splitlines()[4].split()
        assert header == ["id", "top", "1", "query", "gold", "by", "rank", "got", "ndcg@3", "cause"]
        assert row_of(pilot, "q03").split()[:3] == [">x", "q03", ".880"]
    async with opened(travel) as (pilot, screen):
        assert "top 1" in page(pilot).splitlines()[4]
        # metrics follow the cut-off
        await press(pilot, "right_square_bracket")
        assert page(pilot).splitlines()[4].endswith("ndcg@5  cause")
        await press(pilot, "C", "0", "q")
        assert screen.session.view.columns == ()
        assert "top 1" not in page(pilot).splitlines()[4]


async def test_marks_are_kept(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "space")
        assert screen.selected == "q02"
        assert row_of(pilot, "q03").startswith(" x*")
    assert travel.load_view().marks == ("q03",)


async def test_the_view_is_restored(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "right_curly_bracket", "right_square_bracket", "S")
        await search(pilot, screen, "type:mixed-language")
        await press(pilot, "j", "q")
    async with opened(travel) as (pilot, screen):
        shown = page(pilot)
        assert "travel > bm25   K 5" in shown
        assert "2 of 10" in shown
        assert "sorted best first" in shown
        assert screen.field.value == "type:mixed-language"
        assert screen.selected == "q02"


async def test_a_filter_is_saved_under_a_name(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "slash", *"is:miss", "ctrl+s")
        await press(pilot, *"bad", "enter")
        # what is wrong cannot be saved
        await press(pilot, "1", "ctrl+s")
        assert said(pilot)[-1] == "This filter is wrong and was not saved."
        await press(pilot, "backspace", "escape", "escape", "escape", "f")
        assert "bad" in page(pilot)
        assert "is:miss" in page(pilot)
    assert travel.load_view().filters == {"bad": "is:miss"}


async def test_copies_are_the_original_text(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "y")
        assert pilot.app.clipboard == "旧版和新版的餐补差多少"
        await press(pilot, "Y")
        told = json.loads(pilot.app.clipboard)
        assert told["query_id"] == "q03"
        assert told["ndcg@3"] == 0


async def test_the_view_is_exported_and_nothing_overwritten(
    travel: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(travel) as (pilot, screen):
        await search(pilot, screen, "is:miss")
        await press(pilot, "x", "1", "x", "1", "x", "2", "x", "3")
    first = (tmp_path / "travel-queries.csv").read_text(encoding="utf-8")
    assert "q03" in first
    assert "q05" not in first
    assert (tmp_path / "travel-queries-2.csv").read_text(encoding="utf-8") == first
    rows = (tmp_path / "travel-queries.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row)["query_id"] for row in rows] == ["q03", "q02"]
    assert (tmp_path / "travel-queries.md").read_text(encoding="utf-8").count("\n") == 4


async def test_text_of_the_preview_can_be_selected(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        below = screen.query_one("#below", Lines)
        screen.selections = {below: Selection(Offset(0, 0), Offset(5, 1))}
        await settled(pilot)
        assert (screen.get_selected_text() or "").splitlines() == [" q03  旧版和新版的餐补差多少", " need"]
        chosen = screen.get_component_rich_style("screen--selection").bgcolor
        marked = [s.text for s in below.render_line(1) if s.style and s.style.bgcolor == chosen]
        assert "".join(marked) == " need"


async def test_a_query_opens_and_the_list_follows(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.order[:3] == ("q03", "q02", "q01")
        await press(pilot, "n", "n", "escape")
        assert pilot.app.screen is screen
        assert screen.selected == "q01"
        await press(pilot, "enter", "1")
        assert pilot.app.screen is screen


async def test_the_preview_gives_way_and_comes_back(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        assert "top 1" in page(pilot)
        await press(pilot, "z")
        assert "top 1" not in page(pilot)
        await press(pilot, "z")
        assert "top 1" in page(pilot)


async def test_a_wide_screen_has_the_preview_beside_the_list(travel: Workspace) -> None:
    async with opened(travel, (200, 50)) as (_, screen):
        beside = screen.query_one("#beside", Lines)
        assert beside.size.width == 72
        told = ["".join(piece.text for piece in fact) for fact in beside.facts]
        assert told[:2] == ["q03  time/version", "旧版和新版的餐补差多少"]
        assert "meal#1  not in top 5  bm25 2" in told
        assert "  一类城市餐补每天 100 元，其他城市每天 80 元。" in told
        assert " 1 .880 差旅制度总则  " in told
        assert not screen.query_one("#below").display


async def test_the_palette_finds_actions_by_their_words(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "ctrl+p")
        await press(pilot, *"reverse")
        await pilot.app.workers.wait_for_complete()
        await press(pilot, "enter")
        assert screen.listed is not None
        assert screen.listed.sort.reverse


async def test_keys_and_remarks_are_pages(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "question_mark")
        assert "filter as you type" in page(pilot)
        await press(pilot, "escape", "w")
        assert "What to know of this set and run" in page(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


class Clock:
    """Seconds that pass only when they are told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("ragtui.tui.app.monotonic", lambda: self.now)


async def test_ctrl_c_quits_on_the_second_press_within_two_seconds(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    async with opened(travel) as (pilot, _):
        await press(pilot, "ctrl+c")
        assert said(pilot) == ["ctrl+c once more quits"]
        clock.now += 2.1
        await press(pilot, "ctrl+c")
        assert pilot.app.is_running
        clock.now += 1.9
        await pilot.press("ctrl+c")
    assert not pilot.app.is_running


async def test_ctrl_c_in_the_field_quits_too_unless_text_is_selected(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clock(monkeypatch)
    async with opened(travel) as (pilot, _):
        await press(pilot, "slash", *"ab", "shift+left", "ctrl+c")
        assert pilot.app.clipboard == "b"
        await press(pilot, "end", "ctrl+c")
        await pilot.press("ctrl+c")
    assert not pilot.app.is_running


async def test_a_set_without_runs_tells_the_command_that_makes_one(without_runs: Workspace) -> None:
    async with opened(without_runs) as (pilot, _):
        shown = page(pilot)
        assert "This set has no run yet" in shown
        assert "ragtui bench" in shown
        await press(pilot, "y")
        assert pilot.app.clipboard == "ragtui bench '/sets/no runs' --retriever bm25"
        # nothing here asks for a run
        await press(pilot, *"jknNGgfsSxl", "slash", *"is:miss", "enter")
        assert pilot.app.is_running


async def test_a_filter_that_matches_nothing_says_what_would(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await search(pilot, screen, "type:table is:miss")
        assert "No query matches." in page(pilot)
        assert "type:table would match 1." in page(pilot)


async def test_everything_passes_is_said(easy: Workspace) -> None:
    async with opened(easy) as (pilot, _):
        assert "All evidence of every query is in the first 3." in page(pilot)


async def test_a_small_terminal_gets_a_sentence(travel: Workspace) -> None:
    async with opened(travel, (20, 24)) as (pilot, _):
        for size in ((20, 24), (120, 5), (39, 36)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert page(pilot).replace("\n", " ").split()[:4] == ["The", "terminal", "is", "too"]
        await pilot.resize_terminal(120, 36)
        await settled(pilot)
        assert "sorted worst first" in page(pilot)


async def test_while_a_preview_is_fetched_only_the_last_wish_counts(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    original = travel.evidence

    def evidence(run: str, query_id: str, k: int, stage: str | None = None) -> QueryEvidence:
        asked.append(query_id)
        return original(run, query_id, k, stage)

    async with opened(travel) as (pilot, screen):
        monkeypatch.setattr(travel, "evidence", evidence)
        for _ in range(9):
            screen.action_down()
        await settled(pilot)
        assert asked[-1] == "q10"
        assert len(asked) <= 3
        told = ["".join(piece.text for piece in fact) for fact in screen.query_one("#below", Lines).facts]
        assert told[0] == "q10  Can I expense a gym membership?"


async def test_a_filter_typed_by_hand_is_text(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        screen.query_one(Input).value = "[/b] [red]"
        await settled(pilot)
        assert "No query matches." in page(pilot)


async def test_a_run_that_cannot_be_measured_is_said_and_the_list_stays(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = travel.table

    def table(run: str, k: int, stage: str | None = None) -> object:
        if run == "bm25":
            raise RagtuiError("workspace.no-such-run", where="runs/bm25.jsonl", run="[b]bm25", known="-")
        return original(run, k, stage)

    monkeypatch.setattr(travel, "table", table)
    async with opened(travel) as (pilot, screen):
        await press(pilot, "right_curly_bracket")
        assert said(pilot) == ["runs/bm25.jsonl: There is no run called [b]bm25.\nRuns of this set: -."]
        assert screen.session.run == "e5-small"
        assert row_of(pilot, "q03")
    async with opened(travel) as (pilot, screen):
        screen.session.run = "bm25"
        screen.listed = None
        screen.reload()
        await settled(pilot)
        assert "runs/bm25.jsonl: There is no run called [b]bm25." in page(pilot)
