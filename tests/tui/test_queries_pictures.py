"""Pictures of screen 1 at three sizes in both languages, and that no line of it is wider than the screen."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ragtui import messages
from ragtui.messages import LANGUAGES, Language
from ragtui.tui import glyphs
from ragtui.tui.app import RagtuiApp
from ragtui.tui.widgets.filter_bar import FilterInput
from ragtui.workspace import Workspace, recent
from ragtui.workspace.recent import RecentSet
from tests.tui.driving import lines, settled

SIZES = [(80, 24), (120, 36), (200, 50)]
Snap = Any


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_the_list(travel: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """Worst first, with the second miss selected and one query marked."""
    messages.use(language)

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("space")
        await settled(pilot)

    assert snap_compare(RagtuiApp(travel), terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_nasty_text(nasty: Workspace, snap_compare: Snap, size: tuple[int, int]) -> None:
    """Markup, escapes, emoji, right-to-left and endless text stay in their cells."""
    assert snap_compare(RagtuiApp(nasty), terminal_size=size, run_before=settled)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_filter(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """The wrong word is underlined, what would be right stands below it, the rest is applied."""
    messages.use(language)

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        pilot.app.screen.query_one(FilterInput).cursor_blink = False
        await pilot.press("slash", *"is:to-review", "space", *"tipe:", *"x")
        await settled(pilot)

    app = RagtuiApp(travel)
    assert snap_compare(app, terminal_size=(80, 24), run_before=look)


def test_presets(travel: Workspace, snap_compare: Snap) -> None:
    """Ready filters with how many queries each has."""

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("f", "down")
        await settled(pilot)

    assert snap_compare(RagtuiApp(travel), terminal_size=(80, 24), run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """Keys, columns, signs and the filter language."""
    messages.use(language)

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)

    assert snap_compare(RagtuiApp(travel), terminal_size=(120, 90), run_before=look)


def test_without_colour(travel: Workspace, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch) -> None:
    """No colour at all: the failing mark is reversed, the selected row bold."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(RagtuiApp(travel), terminal_size=(80, 24), run_before=settled)


def test_without_runs(without_runs: Workspace, snap_compare: Snap) -> None:
    """The command that makes a first run."""
    assert snap_compare(RagtuiApp(without_runs), terminal_size=(80, 24), run_before=settled)


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """All columns, those that are shown with a cross, and what is done with them at the foot."""
    messages.use(language)

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("C", *["down"] * 9, "space")
        await settled(pilot)

    assert snap_compare(RagtuiApp(travel), terminal_size=(120, 36), run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_page(snap_compare: Snap, language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that were opened before, one of them gone, and the bundled one."""
    messages.use(language)
    there = [
        RecentSet(Path("/"), "2026-03-09T08:00:00"),
        RecentSet(Path("/sets/差旅"), "2026-03-08T08:00:00"),
    ]
    monkeypatch.setattr(recent, "recent_sets", lambda: there)
    monkeypatch.setattr("ragtui.tui.screens.start.__version__", "1.2.3")
    assert snap_compare(RagtuiApp(None), terminal_size=(80, 24), run_before=settled)


def measured(text: str) -> int:
    """Width by the Unicode tables of Python, an ambiguous character counted double."""
    wide = {"W": 2, "F": 2, "A": 2}
    return sum(
        0 if unicodedata.combining(c) or unicodedata.category(c) in {"Mn", "Me", "Cf"} else wide.get(width, 1)
        for c in text
        for width in [unicodedata.east_asian_width(c)]
    )


@pytest.mark.parametrize(
    ("size", "language"),
    [((40, 8), "en"), ((57, 15), "zh"), ((80, 24), "en"), ((120, 36), "zh"), ((233, 60), "zh")],
)
async def test_no_line_is_wider_than_a_wide_terminal(
    nasty: Workspace, size: tuple[int, int], language: Language
) -> None:
    messages.use(language)
    glyphs.use("auto", ambiguous_is_wide=True)
    app = RagtuiApp(nasty)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for keys in ([], ["G"], ["slash", *"is:"], ["escape", "escape", "f"], ["escape", "question_mark"]):
            await pilot.press(*keys)
            await settled(pilot)
            for line in lines(pilot):
                assert measured(line) == size[0], line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_with_verdicts(judged: Workspace, snap_compare: Snap, language: Language) -> None:
    """Two more columns, dim because nobody has measured the judge; a failed verdict is loud."""
    messages.use(language)
    assert snap_compare(RagtuiApp(judged), terminal_size=(120, 36), run_before=settled)
