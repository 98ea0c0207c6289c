"""Leaving while judging is under way: it is asked, and everything is kept."""

from __future__ import annotations

from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.quitting import QuitDialog
from ragtui.tui.screens.start import StartScreen
from ragtui.workspace import Workspace
from tests.tui.asked import GRADES, MODEL, Lab, job_of, judged, started, until

# quitting
from tests.tui.driving import opened, page, press, settled


async def test_quitting_asks_and_keeps_all(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "1", "q")
        assert isinstance(pilot.app.screen, QuitDialog)
        assert "5 of 16 are done. Quitting stops the rest" in " ".join(page(pilot).split())
        await press(pilot, "escape")
        assert job_of(pilot).progress.state == "running"
        await press(pilot, "q", "enter")
        await settled(pilot)
        job = job_of(pilot)
        assert job.progress.state == "cancelled"
        assert not pilot.app.is_running or pilot.app._exit
    again = Workspace(unjudged.set, state=unjudged.state_folder)
    asker = again.judgments.asker(GRADES, MODEL)
    assert len(again.judgments.table(asker)) == 5


async def test_quitting_at_once_stops_cleanly(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        await pilot.press("ctrl+q")
        await settled(pilot)
        assert job_of(pilot).is_over


async def test_the_last_words_say_what_is_kept(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        await pilot.press("ctrl+q")
        await settled(pilot)
        shown = [str(line) for line in pilot.app._exit_renderables]
        assert shown == [
            "Judging stopped: 3 of 16 are done and kept. The same judging goes on where it stopped."
        ]


async def test_leaving_the_set_asks_too(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    app = RagtuiApp(None)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        app.enter(unjudged)
        await settled(pilot)
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        job = job_of(pilot)
        await press(pilot, "1", "q")
        assert isinstance(app.screen, QuitDialog)
        await press(pilot, "enter")
        await settled(pilot)
        assert job.progress.state == "cancelled"
        assert isinstance(app.screen, StartScreen)


async def test_a_fault_of_ours_ends_the_job_and_not_the_app(unjudged: Workspace, lab: Lab) -> None:
    def broken(_: str) -> str:
        raise ZeroDivisionError("what nobody thought of")

    lab.model.answer = broken
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "what nobody thought of" in page(pilot)
