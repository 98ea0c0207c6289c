"""Pictures of the detail at three sizes in both languages, and of its rarer states."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from ragtui import messages
from ragtui.messages import LANGUAGES, Language
from ragtui.tui import cells, glyphs
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.detail import DetailScreen
from ragtui.workspace import Workspace
from tests.tui.driving import lines, settled

SIZES = [(80, 24), (120, 36), (200, 50)]
Snap = Any
Look = Callable[[Pilot[None]], Awaitable[None]]


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def detail_of(query: str, *keys: str) -> Look:
    """Open the detail of a query on top of the list, and press keys."""

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        app = pilot.app
        assert isinstance(app, RagtuiApp)
        order = [str(query_id) for query_id in app.session.workspace.query_ids]
        await app.push_screen(DetailScreen(app.session, order, order.index(query)))
        await settled(pilot)
        await pilot.press(*keys)
        await settled(pilot)

    return look


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_a_partial_query(
    travel: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language
) -> None:
    """The first missed gold is selected and says why; what came instead stands beside it, or above."""
    messages.use(language)
    assert snap_compare(RagtuiApp(travel), terminal_size=size, run_before=detail_of("q01"))


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_nasty_detail(nasty: Workspace, snap_compare: Snap, size: tuple[int, int]) -> None:
    """Markup, escapes, emoji, right-to-left and endless text stay in their cells."""
    look = detail_of("n5\x1b[1m", "tab", "j")
    assert snap_compare(RagtuiApp(nasty), terminal_size=size, run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_run_beside(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """Three panes: the second run found what the first one missed."""
    messages.use(language)
    look = detail_of("q03", "d", "enter")
    assert snap_compare(RagtuiApp(travel), terminal_size=(200, 50), run_before=look)


def test_alternatives(travel: Workspace, snap_compare: Snap) -> None:
    """Two chunks of one group, with the twin of the selected one marked in the list."""
    assert snap_compare(RagtuiApp(travel), terminal_size=(120, 36), run_before=detail_of("q06"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_no_answer_query(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """Nothing should be found, and what stands at rank 1 all the same."""
    messages.use(language)
    assert snap_compare(RagtuiApp(travel), terminal_size=(120, 36), run_before=detail_of("q09"))


def test_a_run_that_lacks_the_query(travel: Workspace, snap_compare: Snap) -> None:
    """The second run has no list for q10."""
    look = detail_of("q10", "right_curly_bracket")
    assert snap_compare(RagtuiApp(travel), terminal_size=(80, 24), run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_card(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """A card over the screen."""
    messages.use(language)
    look = detail_of("q01", "enter")
    assert snap_compare(RagtuiApp(travel), terminal_size=(80, 24), run_before=look)


def test_detail_without_colour(
    travel: Workspace, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The misses are reversed, the selected card is bold and has the bar."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(RagtuiApp(travel), terminal_size=(80, 24), run_before=detail_of("q01"))


def test_one_pane(travel: Workspace, snap_compare: Snap) -> None:
    """On a narrow screen."""
    assert snap_compare(RagtuiApp(travel), terminal_size=(50, 20), run_before=detail_of("q01"))


@pytest.mark.parametrize("size", [(40, 8), (80, 24), (120, 36)], ids=size_name)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_nothing_is_drawn_double_in_a_wide_terminal(
    nasty: Workspace, size: tuple[int, int], language: Language
) -> None:
    messages.use(language)
    glyphs.use("auto", ambiguous_is_wide=True)
    app = RagtuiApp(nasty)
    async with app.run_test(size=size) as pilot:
        await detail_of("n5\x1b[1m")(pilot)
        for keys in (["tab"], ["j", "enter"], ["escape", "z"]):
            await pilot.press(*keys)
            await settled(pilot)
            for line in lines(pilot):
                assert cells.width(line) == size[0], line
                assert not [c for c in line if unicodedata.east_asian_width(c) == "A"], line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=size_name)
def test_verdicts(judged: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """What the judge says stands beside the gold; where they differ it is loud and says why."""
    messages.use(language)
    assert snap_compare(RagtuiApp(judged), terminal_size=size, run_before=detail_of("q01", "tab"))
