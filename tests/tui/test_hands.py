"""However people work: with a mouse, without letter keys, with an input method, in a window that changes."""

from __future__ import annotations

import pytest
from textual.events import MouseScrollDown, Paste

from ragtui.tui import cells
from ragtui.tui.app import NATIVE_THEME, RagtuiApp
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.card import CardScreen
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.presets import PresetsDialog
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.menu import Menu
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.workspace import Workspace
from tests.tui.driving import lines, opened, page, press, row_of, search, settled

# --- without letters


async def test_the_loop_needs_no_letter_key(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        # presets by their digits, of full width as well
        await press(pilot, "f6", "３")
        assert screen.field.value == "is:miss"
        await press(pilot, "f6", "2")
        assert screen.field.value == "is:to-review"
        await press(pilot, "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.query_id == "q03"
        # the next query, its list, a card of it whole, back, a mark, and the query before
        await press(pilot, "right", "tab", "down", "enter")
        assert isinstance(pilot.app.screen, CardScreen)
        await press(pilot, "escape", "space", "left")
        assert detail.query_id == "q03"
        assert travel.load_view().marks == ("q02",)
        await press(pilot, "escape", "down", "space")
        assert travel.load_view().marks == ()
        # a filter out of completions only: a field, then one of its values
        await press(pilot, "escape", "f4", "down", "enter")
        field = screen.field.value
        assert field.endswith(":")
        await press(pilot, "down", "enter", "enter")
        assert screen.field.value.startswith(field)
        assert len(screen.field.value) > len(field)
        assert screen.table.has_focus
        await press(pilot, "escape", "f1", "pagedown", "escape", "end", "home")
        assert screen.selected == "q03"


# --- with a mouse


async def test_a_click_on_a_header_sorts_and_again_reverses(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        at = lines(pilot)[4].index("ndcg@3")
        await pilot.click(QueryTable, offset=(at, 0))
        await settled(pilot)
        assert "sorted by ndcg@3" in page(pilot)
        assert screen.listed is not None
        assert screen.listed.query_id(0) == "q02"
        await pilot.click(QueryTable, offset=(at, 0))
        await settled(pilot)
        assert "sorted by ndcg@3, reversed" in page(pilot)
        assert screen.listed.query_id(0) == "q04"


async def test_a_double_click_opens_a_row_and_one_on_the_selected_row_too(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await pilot.click(QueryTable, offset=(30, 5))
        await settled(pilot)
        assert screen.selected == "q04"
        assert screen.is_current
        await pilot.click(QueryTable, offset=(30, 5))
        await settled(pilot)
        assert isinstance(pilot.app.screen, DetailScreen)
        await press(pilot, "escape")
        await pilot.click(QueryTable, offset=(30, 2), times=2)
        await settled(pilot)
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.query_id == "q02"


async def test_clicks_in_footer_and_dialogs_do_what_keys_do(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        footer = screen.query_one(KeyFooter)
        await pilot.click(KeyFooter, offset=(lines(pilot)[-1].index("presets"), 0))
        await settled(pilot)
        dialog = pilot.app.screen
        assert isinstance(dialog, PresetsDialog)
        await pilot.click(Menu, offset=(5, 2))
        await settled(pilot)
        assert screen.field.value == "is:miss"
        # a job at the right end takes room, and entries stay where they are drawn
        footer.job = "Computing e5-small .."
        await pilot.pause()
        await pilot.click(KeyFooter, offset=(lines(pilot)[-1].index("sort"), 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, ChooseDialog)
        # beside a dialog: away with it
        await pilot.click(offset=(1, 1))
        await settled(pilot)
        assert screen.is_current


async def test_the_wheel_scrolls_a_menu(travel: Workspace) -> None:
    async with opened(travel, (80, 14)) as (pilot, _):
        await press(pilot, "s")
        menu = pilot.app.screen.query_one(Menu)
        assert menu.max_scroll_y > 0
        menu.post_message(MouseScrollDown(menu, 3, 3, 0, 1, 0, False, False, False))
        await pilot.pause()
        assert menu.scroll_offset.y > 0
        # a click chooses the line that is seen there
        expected = menu.choices[menu.scroll_offset.y + 1].label
        await pilot.click(Menu, offset=(6, 1))
        await settled(pilot)
        assert f"sorted by {expected}" in page(pilot) or expected == "worst first"


# --- with an input method


async def test_composed_text_comes_in_one_go(travel: Workspace) -> None:
    pasted = {"type：direct": 3, "“高铁”": 1, "ndcg＜.5　type:mixed-language": 1, "餐补": 1}
    async with opened(travel) as (pilot, screen):
        for text, shown in pasted.items():
            await press(pilot, "／")
            screen.field.post_message(Paste(text))
            await settled(pilot)
            await press(pilot, "enter")
            assert screen.listed is not None
            assert len(screen.listed) == shown, text
            assert screen.field.error is None
            await press(pilot, "escape")


async def test_what_can_be_completed_does_not_wipe_the_list(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"is:miss", "space", *"type:t")
        assert screen.listed is not None
        # time/version and table could follow; meanwhile the misses stay
        assert len(screen.listed) == 2
        await press(pilot, "enter")
        assert len(screen.listed) == 0


async def test_the_selected_query_stays_while_a_filter_is_written(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "end", "up")
        assert screen.selected == "q09"
        # most of these words leave it out, the whole filter does not
        await press(pilot, "slash", *"hotel", "ctrl+u", *"-type:table")
        assert screen.selected == "q09"


async def test_a_chosen_theme_is_kept(travel: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RagtuiApp, "has_few_colours", False)
    async with opened(travel) as (pilot, _):
        pilot.app.theme = "nord"
        await press(pilot, "q")
    async with opened(travel) as (pilot, _):
        assert pilot.app.theme == "nord"


# --- in a window that changes


async def test_nothing_is_lost_when_the_window_changes(travel: Workspace) -> None:
    async with opened(travel) as (pilot, screen):
        await press(pilot, "slash", *"type:")
        for size in ((20, 5), (80, 24), (200, 50), (60, 16)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
        assert screen.field.has_focus
        assert screen.field.value == "type:"
        await press(pilot, *"direct", "enter", "down", "down")
        await press(pilot, "f", "down", "down", "down")
        for size in ((20, 5), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
        menu = pilot.app.screen.query_one(Menu)
        # all lines are seen again, and the cursor stands where it stood
        assert (menu.cursor, menu.scroll_offset.y) == (3, 0)
        await press(pilot, "escape")
        assert screen.selected == "q10"
        assert row_of(pilot, "q10").startswith(">")
        await press(pilot, "x")
        await pilot.resize_terminal(120, 36)
        await settled(pilot)
        assert isinstance(pilot.app.screen, ChooseDialog)


async def test_the_detail_keeps_its_card_and_its_pane(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        await press(pilot, "enter", "tab", "down", "down")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        before = (detail.pane.id, detail.pane.selected)
        for size in ((30, 6), (50, 20), (200, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert (detail.pane.id, detail.pane.selected) == before
        assert "> 3 " in page(pilot) or ">  3 " in page(pilot)


async def test_dialogs_fit(travel: Workspace) -> None:
    async with opened(travel) as (pilot, _):
        for size in ((40, 8), (80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            for key in ("f", "s", "C", "x"):
                await press(pilot, key)
                assert {cells.width(line) for line in lines(pilot)} == {size[0]}
                menu = pilot.app.screen.query_one(Menu)
                assert menu.region.bottom <= size[1]
                assert menu.line(0).text.startswith(">1 ")
                if key in {"f", "C"}:
                    foot = pilot.app.screen.query_one(KeyFooter)
                    assert menu.region.bottom <= foot.region.y < size[1]
                await press(pilot, "escape")


# --- what is offered


async def test_the_footer_offers_only_what_can_be_done(travel: Workspace, without_runs: Workspace) -> None:
    async with opened(without_runs) as (pilot, _):
        assert lines(pilot)[-1].split() == ["y", "copy", "?", "keys", "esc", "back"]
    async with opened(travel) as (pilot, screen):
        await search(pilot, screen, "type:table is:miss")
        assert "enter open" not in lines(pilot)[-1]
        assert "/ filter" in lines(pilot)[-1]
        await press(pilot, "escape")
        assert "enter open" in lines(pilot)[-1]


async def test_saved_filters_are_counted_renamed_and_removed(travel: Workspace) -> None:
    travel.save_view(travel.load_view())
    async with opened(travel) as (pilot, screen):
        await press(pilot, "f")
        assert "rename" not in page(pilot)
        # a ready one cannot be renamed
        await press(pilot, "e", "escape")
        assert pilot.app.screen is screen
        screen.session.remember(filters={"一": "is:miss", "two": "nonsense:"})
        await press(pilot, "f", "end")
        assert [(choice.label, choice.note) for choice in pilot.app.screen.query_one(Menu).choices[-2:]] == [
            ("一", "is:miss  2"),
            ("two", "nonsense:  "),
        ]
        await press(pilot, "up", "f3")
        assert isinstance(pilot.app.screen, AskDialog)
        await press(pilot, *"23", "enter")
        assert screen.session.view.filters == {"一23": "is:miss", "two": "nonsense:"}
        await press(pilot, "down", "delete")
        assert travel.load_view().filters == {"一23": "is:miss"}
        await press(pilot, "end", "enter")
        assert screen.field.value == "is:miss"


# --- in terminals of few colours


async def test_with_native_colours_the_list_is_seen_beside_a_framed_dialog(
    travel: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = RagtuiApp(travel)
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        assert app.theme == NATIVE_THEME
        await press(pilot, "f")
        assert "q03" in page(pilot)
        assert "+------" in page(pilot)
        # that this terminal has no more is not remembered as a choice
        app.leave()
    assert travel.load_view().theme is None
