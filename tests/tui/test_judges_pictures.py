"""Pictures of screen 5 at three sizes in both languages, and of its rarer states."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ragtui import locations, messages
from ragtui.judging.progress import Progress
from ragtui.messages import LANGUAGES, Language
from ragtui.tui import cells, glyphs, judging_watch
from ragtui.tui.app import RagtuiApp
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.workspace import Workspace
from tests.tui.asked import Lab, graded, job_of, judged, until
from tests.tui.driving import lines, press, settled

SIZES = [(80, 24), (120, 36), (200, 50)]
Snap = Any
Look = Callable[[Pilot[None]], Awaitable[None]]


def size_name(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.fixture
def shelved(unjudged: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The travel set where its path, and that of the settings, are the same every time."""
    monkeypatch.setattr(locations, "settings_file", lambda: Path("/home/me/.config/ragtui/settings.toml"))
    return Workspace(replace(unjudged.set, path=Path("/sets/travel")), state=unjudged.state_folder)


@pytest.fixture
def shelved_nasty(nasty: Workspace) -> Workspace:
    return Workspace(replace(nasty.set, path=Path("/sets/nasty [/b] \x1b[31m")), state=nasty.state_folder)


@pytest.fixture(autouse=True)
def _nothing_is_read_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts are shown when judging is over, and not whenever this machine comes to it."""
    monkeypatch.setattr(judging_watch, "FRESH", 1e9)


def after(*keys: str) -> Look:
    """Press keys, one after another has been done."""

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for key in keys:
            await (judged(pilot) if key == "judged" else press(pilot, key))
        pilot.app.clear_notifications()
        await settled(pilot)

    return look


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_a_rule_has_judged(
    shelved: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language
) -> None:
    """Its scores, its card on the gold of the set, and nothing that a person has to look at."""
    messages.use(language)
    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=after("5", "enter", "judged"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_a_plan(
    shelved: Workspace, lab: Lab, snap_compare: Snap, size: tuple[int, int], language: Language
) -> None:
    """What asking would take, before anything is asked."""
    messages.use(language)
    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=after("5", "G", "enter"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_judging_under_way(
    shelved: Workspace,
    lab: Lab,
    snap_compare: Snap,
    size: tuple[int, int],
    language: Language,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How far, how fast, what failed; the footer says it too."""
    messages.use(language)
    lab.model.free = 5
    lab.model.answer = lambda text: "no json" if "450" in text[-200:] else graded(3)

    async def look(pilot: Pilot[None]) -> None:
        await after("5", "G", "enter", "enter")(pilot)
        job = job_of(pilot)
        await until(pilot, lambda: job.progress.done == 4)
        # the clock is the only thing that differs from one time to the next
        monkeypatch.setattr(type(job), "progress", property(lambda self: timed(self._progress)))
        pilot.app._watch.glance()  # type: ignore[attr-defined]
        pilot.app.clear_notifications()
        await settled(pilot)

    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=look)


def timed(progress: Progress) -> Progress:
    return replace(progress, seconds=2.0, calls=5, done=4)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_what_needs_a_person(
    shelved: Workspace, lab: Lab, snap_compare: Snap, size: tuple[int, int], language: Language
) -> None:
    """Verdicts that failed, with the reply as it came, and verdicts that gold contradicts."""
    messages.use(language)
    broken = {"450": "maybe [/b] \x1b[31m", "Receipts above": "I cannot help with that."}
    lab.model.answer = lambda text: next(
        (reply for part, reply in broken.items() if part in text[-400:]), graded(3, "证据充分 [red]")
    )
    look = after("5", "G", "enter", "enter", "judged", "tab")
    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_no_model(shelved: Workspace, snap_compare: Snap, size: tuple[int, int]) -> None:
    """What was looked for, and what works without."""
    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=after("5", "G"))


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_a_measured_rule(shelved: Workspace, snap_compare: Snap, size: tuple[int, int]) -> None:
    """The card, on its own pairs and on gold."""
    look = after("5", "j", "M", "judged", "enter", "judged", "tab")
    assert snap_compare(RagtuiApp(shelved), terminal_size=size, run_before=look)


def test_quitting_asks(shelved: Workspace, lab: Lab, snap_compare: Snap) -> None:
    """What is kept stands above the answers."""
    lab.model.free = 5

    async def look(pilot: Pilot[None]) -> None:
        await after("5", "G", "enter", "enter")(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "1", "q")
        # the clock of the footer is another every time
        pilot.app._watch._timer.pause()  # type: ignore[attr-defined]
        for footer in pilot.app.screen_stack[1].query(KeyFooter):
            footer.judging = "judging 5/16"
        await settled(pilot)

    assert snap_compare(RagtuiApp(shelved), terminal_size=(80, 24), run_before=look)


def test_without_colour(
    shelved: Workspace, lab: Lab, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The selected row is bold and has the bar, failures are reversed."""
    monkeypatch.setenv("NO_COLOR", "1")
    lab.model.answer = lambda text: "no json" if "450" in text[-200:] else graded(3)
    look = after("5", "G", "enter", "enter", "judged", "tab")
    assert snap_compare(RagtuiApp(shelved), terminal_size=(80, 24), run_before=look)


@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_nasty_texts(shelved_nasty: Workspace, lab: Lab, snap_compare: Snap, size: tuple[int, int]) -> None:
    """Markup, escapes, emoji, right-to-left and endless text in queries, chunks, reasons and replies."""
    lab.model.answer = lambda text: graded(1, text[-300:]) if len(text) % 2 else text[-300:]
    look = after("5", "G", "enter", "enter", "judged", "tab", "j")
    assert snap_compare(RagtuiApp(shelved_nasty), terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", [(40, 8), (60, 16), (80, 24), (120, 36)], ids=size_name)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_line_is_as_wide_as_the_screen(
    nasty: Workspace, lab: Lab, size: tuple[int, int], language: Language
) -> None:
    messages.use(language)
    glyphs.use("auto", ambiguous_is_wide=True)
    lab.model.answer = lambda text: graded(1, text[-300:]) if len(text) % 2 else text[-300:]
    app = RagtuiApp(nasty)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for key in ("5", "G", "enter", "enter", "judged", "tab", "j", "tab", "z", "z", "escape", "m"):
            await (judged(pilot) if key == "judged" else press(pilot, key))
            await asyncio.sleep(0)
            for line in lines(pilot):
                assert cells.width(line) == size[0], (key, line)
                assert not [c for c in line if unicodedata.east_asian_width(c) == "A"], (key, line)
