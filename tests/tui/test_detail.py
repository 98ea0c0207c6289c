"""The detail screen by keyboard: what every key does, what is selected, what is shown."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import SELECT_ALL

from ragtui.dataset.model import EvaluationSet
from ragtui.errors import RagtuiError
from ragtui.tui import cells
from ragtui.tui.app import RagtuiApp
from ragtui.tui.bindings import bindings
from ragtui.tui.screens.card import CardScreen
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.widgets.cards import CardPane
from ragtui.tui.widgets.lines import Lines
from ragtui.workspace import Workspace
from tests.tui.driving import lines, page, said, settled

ORDER = ("q01", "q02", "q03", "q06", "q09", "q05")


@asynccontextmanager
async def opened(
    workspace: Workspace,
    query: str = "q01",
    size: tuple[int, int] = (120, 36),
    order: tuple[str, ...] = ORDER,
) -> AsyncIterator[tuple[Pilot[None], DetailScreen]]:
    """The detail of a query, on top of the list as always."""
    app = RagtuiApp(workspace)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        # without a terminal the app would leave colours to it
        app.theme = "textual-dark"
        detail = DetailScreen(app.session, order, order.index(query))
        await app.push_screen(detail)
        await settled(pilot)
        yield pilot, detail


def pane(detail: DetailScreen, name: str) -> CardPane:
    return detail.query_one(f"#{name}", CardPane)


async def test_it_starts_on_the_first_missed_gold(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        assert detail.pane.id == "gold"
        assert detail.pane.selected == "rail#1"
        shown = page(pilot)
        # one of two groups is in the first three; rail#1 was not retrieved at all
        assert "~ 1 of 2" in shown
        assert "?.3|??" in shown
        assert "not in top 5" in shown
        assert "gold: 1 of 2 missed" in shown
        assert "distractor hotel_old#1 above it at 2" in shown
        assert "shares with the query: 高铁二等座" in shown
        assert "1 of 6" in shown


async def test_the_figures_are_those_of_the_query(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        # 3 at rank 3 of ideally 3, 3: (7/2) / (7 + 7/log2(3)) = 3.5 / 11.417 = .31; one of two; first at 3
        assert "ndcg@3 .31   recall@3 .50   mrr@3 .33" in page(pilot)
        assert "first at 3" in page(pilot)


async def test_next_and_previous_query_and_the_ends(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("n", "right")
        await settled(pilot)
        assert detail.query_id == "q03"
        assert detail.pane.selected == "meal#1"
        await pilot.press("N", "left", "left")
        await settled(pilot)
        assert (detail.query_id, detail.position) == ("q01", 0)
        assert any("first query" in notice for notice in said(pilot))


async def test_moving_between_cards(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        seen = []
        for key in ("j", "down", "j", "k", "g", "G", "home", "end", "up"):
            await pilot.press(key)
            seen.append(detail.pane.selected)
        # rail#1 missed, hotel#1 found, hotel_old#1 labelled a distractor
        assert seen == [
            *("hotel#1", "hotel_old#1", "hotel_old#1"),
            *("hotel#1", "rail#1", "hotel_old#1", "rail#1", "hotel_old#1", "hotel#1"),
        ]


async def test_pages(travel: Workspace) -> None:
    async with opened(travel, size=(120, 20)) as (pilot, detail):
        await pilot.press("tab")
        first = detail.pane.selected
        for on, back in (("ctrl+d", "ctrl+u"), ("pagedown", "pageup")):
            await pilot.press(on)
            assert detail.pane.selected != first
            await pilot.press(*[on] * 5)
            assert detail.pane.selected == "air#2"
            await pilot.press(*[back] * 6)
            assert detail.pane.selected == first


async def test_tab_jumps_to_the_twin_and_from_a_miss_to_rank_1(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("tab")
        assert (detail.pane.id, detail.pane.selected) == ("retrieved", "general#1")
        await pilot.press("tab", "j")
        assert (detail.pane.id, detail.pane.selected) == ("gold", "hotel#1")
        await pilot.press("tab")
        assert (detail.pane.id, detail.pane.selected) == ("retrieved", "hotel#1")
        await pilot.press("k", "tab")
        assert (detail.pane.id, detail.pane.selected) == ("gold", "hotel_old#1")


async def test_the_twin_has_the_bar_and_no_tint(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("j")
        await pilot.pause()
        tint = {}
        for name in ("retrieved", "gold"):
            cards = pane(detail, name)
            heads = [cards.render_line(y) for y in range(cards.size.height)]
            (head,) = [head for head in heads if head.text.startswith(">")]
            assert "hotel#1" in head.text
            tint[name] = {segment.style.bgcolor for segment in head if segment.style}
        assert len(tint["gold"] - tint["retrieved"]) == 1


async def test_the_top_of_the_list_stays_in_sight_for_a_twin_below_k(travel: Workspace) -> None:
    async with opened(travel, "q02", size=(120, 16)) as (pilot, detail):
        # receipt#7 was missed: it stands at rank 4, where only a part of it fits
        assert detail.pane.selected == "receipt#7"
        retrieved = pane(detail, "retrieved")
        seen = [retrieved.render_line(y).text for y in range(retrieved.size.height)]
        assert "taxi#1" in seen[1]
        await pilot.press("tab")
        assert (detail.pane.id, detail.pane.selected) == ("retrieved", "receipt#7")


async def test_cuts_stand_where_k_and_the_prompt_end(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _detail):
        heads = [line[:40].strip() for line in lines(pilot)]
        ranks = [head.split()[0] if head[:1].isdigit() else head.split("─")[0].strip() for head in heads]
        kept = [rank for rank in ranks if rank.isdigit() or rank.startswith("--")]
        assert kept == ["1", "2", "-- prompt", "3", "-- K 3", "4", "5"]


async def test_k_changes_what_is_missed(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("left_square_bracket")
        await settled(pilot)
        assert detail.session.k == 1
        assert "x 0 of 2" in page(pilot)
        await pilot.press("right_square_bracket", "】")
        await settled(pilot)
        assert detail.session.k == 5
        assert "~ 1 of 2" in page(pilot)
        assert "ndcg@5" in page(pilot)
        await pilot.press(*["right_square_bracket"] * 3)
        assert any("1, 3, 5, 10" in notice for notice in said(pilot))


async def test_the_run_changes(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _detail):
        await pilot.press("right_curly_bracket")
        await settled(pilot)
        assert "retrieved by bm25: 4" in page(pilot)
        # bm25 has rail#1 at 1 and hotel#1 at 2
        assert "gold: all 2 found" in page(pilot)
        await pilot.press("left_curly_bracket")
        await settled(pilot)
        assert "retrieved by e5-small: 5" in page(pilot)


async def test_a_run_that_cannot_be_measured_can_be_read(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(travel) as (pilot, _):

        def refuses(*_: object) -> None:
            raise RagtuiError("workspace.no-such-run", run="bm25 [/b]", known="-")

        monkeypatch.setattr(travel, "table", refuses)
        await pilot.press("right_curly_bracket")
        await settled(pilot)
        assert "retrieved by bm25: 4" in page(pilot)
        assert "  2 of 2" in page(pilot)
        assert "ndcg" not in page(pilot)
        assert any("bm25 [/b]" in notice for notice in said(pilot))


async def test_figures_are_not_computed_again_for_the_next_query(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(travel) as (pilot, _):
        monkeypatch.setattr(travel, "table", None)
        await pilot.press("n")
        await settled(pilot)
        assert "ndcg@3 .00" in page(pilot)


async def test_a_stage_that_only_one_of_two_runs_has(travel_set: EvaluationSet, tmp_path: Path) -> None:
    runs = {**travel_set.runs, "bm25": replace(travel_set.runs["bm25"], stages={})}
    workspace = Workspace(replace(travel_set, runs=runs), state=tmp_path / "state")
    async with opened(workspace, size=(160, 40)) as (pilot, _):
        await pilot.press("l", "down", "enter", "d", "enter")
        await settled(pilot)
        assert "prompt of e5-small: 2" in page(pilot)
        assert "retrieved by bm25: 4" in page(pilot)


async def test_another_run_beside(travel: Workspace) -> None:
    async with opened(travel, size=(160, 40)) as (pilot, detail):
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChooseDialog)
        await pilot.press("enter")
        await settled(pilot)
        assert [p.id for p in detail.panes if p.display] == ["retrieved", "other", "gold"]
        assert "retrieved by e5-small: 5" in page(pilot)
        assert "retrieved by bm25: 4" in page(pilot)
        await pilot.press("tab", "tab")
        assert (detail.pane.id, detail.pane.selected) == ("other", "rail#1")
        # the next query keeps the other run; choosing none takes it away
        await pilot.press("n", "d", "end", "enter")
        await settled(pilot)
        assert detail.other_run is None
        assert [p.id for p in detail.panes if p.display] == ["retrieved", "gold"]


async def test_on_a_narrower_screen_the_other_run_takes_turns_with_this_one(travel: Workspace) -> None:
    async with opened(travel, size=(120, 36)) as (pilot, detail):
        await pilot.press("d", "enter")
        await settled(pilot)
        assert [p.id for p in detail.panes if p.display] == ["retrieved", "gold"]
        await pilot.press("tab", "tab")
        assert detail.pane.id == "other"
        assert [p.id for p in detail.panes if p.display] == ["other", "gold"]
        await pilot.press("tab")
        assert [p.id for p in detail.panes if p.display] == ["other", "gold"]


async def test_one_run_only(travel_set: EvaluationSet, tmp_path: Path) -> None:
    alone = replace(travel_set, runs={"e5-small": travel_set.runs["e5-small"]})
    async with opened(Workspace(alone, state=tmp_path / "state")) as (pilot, detail):
        await pilot.press("d", "right_curly_bracket")
        assert len(pilot.app._notifications) == 2
        assert pilot.app.screen is detail
        # its rank in every run would be the one at the right already
        assert "bm25" not in page(pilot)


async def test_a_stage_of_the_run(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("l", "down", "enter")
        await settled(pilot)
        assert detail.session.stage == "prompt"
        assert "prompt of e5-small: 2" in page(pilot)


async def test_enter_shows_the_whole_text(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, CardScreen)
        shown = page(pilot)
        assert "普通员工可乘坐高铁二等座，凭票实报实销。" in shown
        assert "gold: 给出高铁席别" in shown
        await pilot.press("escape")
        await pilot.pause()
        assert detail.is_current


async def test_long_text_scrolls(nasty: Workspace) -> None:
    async with opened(nasty, "n8\x1b[1m", order=tuple(nasty.set.queries.index)) as (pilot, _):
        await pilot.press("enter")
        await pilot.pause()
        scroll = pilot.app.screen.query_one(VerticalScroll)
        await pilot.press("j", "ctrl+d", "pagedown", "space")
        assert scroll.scroll_offset.y == 31
        await pilot.press("G")
        assert scroll.scroll_offset.y == scroll.max_scroll_y
        # 200,000 cells in lines of 106
        assert scroll.max_scroll_y > 1800
        await pilot.press("k", "ctrl+u", "pageup", "g")
        await pilot.pause()
        assert scroll.scroll_offset.y == 0
        assert "很长很长" in page(pilot)


async def test_zoom(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        await pilot.press("z")
        await pilot.pause()
        assert [p.id for p in detail.panes if p.display] == ["gold"]
        assert pane(detail, "gold").size.width == 120
        await pilot.press("tab")
        assert [p.id for p in detail.panes if p.display] == ["retrieved"]
        await pilot.press("z")
        assert [p.id for p in detail.panes if p.display] == ["retrieved", "gold"]


async def test_panes_that_fit(travel: Workspace) -> None:
    fitting = {
        (120, 36): ["retrieved", "gold"],
        (80, 24): ["retrieved", "gold"],
        (59, 24): ["gold"],
        (80, 15): ["gold"],
        (40, 8): ["gold"],
    }
    async with opened(travel) as (pilot, detail):
        for size, panes in fitting.items():
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert [p.id for p in detail.panes if p.display] == panes
            assert detail.query_one("#panes").has_class("-stacked") == (size == (80, 24))


async def test_a_sentence_where_nothing_fits(travel: Workspace) -> None:
    async with opened(travel, size=(30, 10)) as (pilot, detail):
        assert detail.query_one("#small", Lines).display
        assert page(pilot).split()[:4] == ["The", "terminal", "is", "too"]
        await pilot.resize_terminal(120, 36)
        await settled(pilot)
        assert "gold: 1 of 2 missed" in page(pilot)


async def test_copying(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await pilot.press("y")
        assert pilot.app.clipboard == "高铁与火车\n普通员工可乘坐高铁二等座，凭票实报实销。"
        await pilot.press("Y")
        facts = json.loads(pilot.app.clipboard)
        assert facts["query_id"] == "q01"
        assert facts["needs"][0]["chunk_id"] == "rail#1"
        assert [card["rank"] for card in facts["retrieved"]] == [1, 2, 3, 4, 5]


async def test_export(travel: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(travel) as (pilot, _):
        await pilot.press("x")
    written = json.loads((tmp_path / "travel-q01-detail.json").read_text(encoding="utf-8"))
    assert written["groups_found"] == 1


async def test_marks_are_kept(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _detail):
        await pilot.press("space")
        assert "* 1 of 6" in page(pilot)
        assert travel.load_view().marks == ("q01",)
        await pilot.press("space")
        assert travel.load_view().marks == ()


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_back_gives_the_position(travel: Workspace, key: str) -> None:
    async with opened(travel) as (pilot, detail):
        left: list[int | None] = []
        again = DetailScreen(detail.session, ORDER, 1)
        await pilot.app.push_screen(again, left.append)
        await pilot.press("n")
        await settled(pilot)
        await pilot.press(key)
        await pilot.pause()
        assert left == [2]


async def test_clicks(travel: Workspace) -> None:
    async with opened(travel) as (pilot, detail):
        retrieved = pane(detail, "retrieved")
        rows = [retrieved.render_line(y).text for y in range(retrieved.size.height)]
        at = next(y for y, row in enumerate(rows) if "meal#1" in row)
        await pilot.click("#retrieved", offset=(10, at))
        assert (detail.pane.id, detail.pane.selected) == ("retrieved", "meal#1")
        rows = [retrieved.render_line(y).text for y in range(retrieved.size.height)]
        at = next(y for y, row in enumerate(rows) if "meal#1" in row)
        await pilot.click("#retrieved", offset=(10, at))
        await pilot.pause()
        assert isinstance(pilot.app.screen, CardScreen)


async def test_text_can_be_selected(travel: Workspace) -> None:
    async with opened(travel) as (_, detail):
        gold = pane(detail, "gold")
        whole = gold.get_selection(SELECT_ALL)
        assert whole is not None
        assert "普通员工可乘坐高铁二等座" in whole[0]
        detail.selections = {gold: SELECT_ALL._replace(start=Offset(0, 1), end=Offset(4, 1))}
        style = detail.get_component_rich_style("screen--selection")
        first, *_ = gold.render_line(1)
        assert first.style is not None
        assert first.style.bgcolor == style.bgcolor


async def test_every_key_of_the_catalogue_does_something(travel: Workspace) -> None:
    for binding in bindings("detail"):
        action = binding.action
        owner: Any = RagtuiApp if action.startswith("app.") else DetailScreen
        assert hasattr(owner, f"action_{action.removeprefix('app.')}"), action


async def test_nasty_text_stays_text(nasty: Workspace) -> None:
    order = tuple(nasty.set.queries.index)
    async with opened(nasty, order[0], order=order) as (pilot, _detail):
        shown = ""
        for _ in order:
            for line in lines(pilot):
                assert cells.width(line) == 120
                assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)
            shown += page(pilot)
            await pilot.press("tab", "j", "enter")
            await pilot.pause()
            shown += page(pilot)
            assert all(cells.width(line) == 120 for line in lines(pilot))
            await pilot.press("y", "escape", "Y", "n")
            await settled(pilot)
        assert "[red]is not red[/red]" in shown
        assert "[/b] closes what was never opened" in shown
        assert "␛[31mred" in shown


async def test_no_line_is_wider_than_the_screen(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        for size in ((40, 8), (59, 16), (99, 30), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.press("tab", "n")
            await settled(pilot)
            assert {cells.width(line) for line in lines(pilot)} == {size[0]}
