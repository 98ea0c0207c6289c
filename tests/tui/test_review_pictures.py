"""Pictures of deciding: screen 6 and the dialogs, at three sizes and in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ragtui import messages
from ragtui.messages import LANGUAGES, Language
from ragtui.tui import cells, glyphs
from ragtui.tui.app import RagtuiApp
from ragtui.workspace import Workspace
from tests.tui.driving import lines, settled

SIZES = [(80, 24), (120, 36), (200, 50)]
Snap = Any
Look = Callable[[Pilot[None]], Awaitable[None]]


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def after(*keys: str) -> Look:
    """Press keys, each after what the one before it has started."""

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return look


@pytest.fixture
def tagged(travel: Workspace) -> Workspace:
    """One query has two causes and a note, another is guarded; a colleague sees one otherwise."""
    travel.review_as("ann")
    travel.review.tag("q01", ["noise", "ranking"], "old and new stand side by side")
    travel.review.guard(["q02"], run="e5-small", k=3)
    travel.review_as("王芳")
    travel.review.tag("q01", ["partial-evidence"])
    travel.review.note("q02", "问一下财务")
    return Workspace(travel.set, state=travel.state_folder)


def seen_by(workspace: Workspace) -> RagtuiApp:
    """The app in somebody's name, so that pictures hold no account's."""
    workspace.review_as("ann")
    return RagtuiApp(workspace)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_failures(tagged: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """The untagged first, then causes by count, with their queries and slices."""
    messages.use(language)
    assert snap_compare(seen_by(tagged), terminal_size=size, run_before=after("6", "j", "tab"))


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_nasty_failures(nasty: Workspace, snap_compare: Snap, size: tuple[int, int]) -> None:
    """Markup, escapes and endless text stay in their cells."""
    assert snap_compare(seen_by(nasty), terminal_size=size, run_before=after("6", "tab", "j", "j"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_guarded(tagged: Workspace, snap_compare: Snap, language: Language) -> None:
    """The state of each guarded query."""
    messages.use(language)
    assert snap_compare(seen_by(tagged), terminal_size=(120, 36), run_before=after("6", "G"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_tagging(travel: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """Causes with their letters, the suggested one under the cursor."""
    messages.use(language)
    assert snap_compare(seen_by(travel), terminal_size=size, run_before=after("j", "t"))


def test_tagging_several(tagged: Workspace, snap_compare: Snap) -> None:
    """What was chosen before is chosen, and the note is there."""
    look = after("down", "down", "T")
    assert snap_compare(seen_by(tagged), terminal_size=(80, 24), run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
def test_grading(travel: Workspace, snap_compare: Snap, language: Language) -> None:
    """Grades by their digits."""
    messages.use(language)
    assert snap_compare(seen_by(travel), terminal_size=(80, 24), run_before=after("enter", "e"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_decided(tagged: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """In the detail: causes of several people, a note, the suggestion that enter takes."""
    messages.use(language)
    look = after("f", "2", "down", "enter", "shift+tab")
    assert snap_compare(seen_by(tagged), terminal_size=size, run_before=look)


def test_several_reviewers(tagged: Workspace, snap_compare: Snap) -> None:
    """What each of them said."""
    look = after("down", "down", "enter")
    assert snap_compare(seen_by(tagged), terminal_size=(120, 36), run_before=look)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_blind(judged: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language) -> None:
    """Chunks in an order that tells nothing."""
    messages.use(language)
    assert snap_compare(seen_by(judged), terminal_size=size, run_before=after("enter", "v"))


def test_failures_in_ascii_without_colour(
    tagged: Workspace, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing relies on colour or on a glyph that may be drawn double."""
    monkeypatch.setenv("NO_COLOR", "1")
    glyphs.use("ascii")
    assert snap_compare(seen_by(tagged), terminal_size=(80, 24), run_before=after("6", "tab"))


def test_read_only(travel: Workspace, snap_compare: Snap) -> None:
    """Where nothing can be kept that is said where a cause would be taken."""
    state = Path(travel.state_folder)
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text("no folder")
    assert snap_compare(seen_by(travel), terminal_size=(80, 24), run_before=after())


@pytest.mark.parametrize("size", [(40, 8), (60, 16), (80, 24), (120, 36)], ids=size_name)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_line_is_wider_than_the_screen(
    nasty: Workspace, size: tuple[int, int], language: Language
) -> None:
    messages.use(language)
    glyphs.use("auto", ambiguous_is_wide=True)
    async with seen_by(nasty).run_test(size=size) as pilot:
        await settled(pilot)
        for keys in (
            ["6"],
            ["tab", "j"],
            ["t"],
            ["escape"],
            ["escape", "1", "enter"],
            ["e"],
            ["escape", "v"],
        ):
            await after(*keys)(pilot)
            assert {cells.width(line) for line in lines(pilot)} == {size[0]}
