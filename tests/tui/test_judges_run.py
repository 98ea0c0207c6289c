"""Screen 5: judging under way, seen from every screen, paused, stopped, failing."""

from __future__ import annotations

import pytest

from ragtui.endpoint import EndpointBusy, EndpointUnusable, RequestFailed
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.judges import JudgesScreen
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.workspace import Workspace
from tests.tui.asked import GRADES, MODEL, Lab, at, graded, job_of, judged, started, until

# the run
from tests.tui.driving import lines, opened, page, press, said


async def test_progress_is_seen_on_every_screen(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, queries):
        screen = await started(pilot)
        for _ in range(6):
            lab.model.arrived.acquire(timeout=10)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        assert "judging" in page(pilot)
        assert "5/16" in page(pilot)
        assert "spent $0.05" in page(pilot)
        # leaving the screen does not stop it
        await press(pilot, "1", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert "judging 5/16" in lines(pilot)[-1]
        assert len(detail.query_one(KeyFooter).judging) <= 30
        await press(pilot, "escape")
        assert "judging 5/16" in lines(pilot)[-1]
        assert not screen.is_current
        lab.model.gate.set()
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("done", 16)
        assert queries.is_current
        assert said(pilot) == [f"relevance-grade 1 {MODEL}: 16 of 16 judged, none failed."]
        assert "judging" not in lines(pilot)[-1]
        await press(pilot, "5")
        assert "mean_grade@3" in page(pilot)


async def test_pause_and_go_on(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "p")
        assert job_of(pilot).is_paused
        assert "paused" in page(pilot)
        lab.model.gate.set()
        # what was under way is waited for, and nothing new is asked
        await until(pilot, lambda: job_of(pilot).progress.done == 7)
        assert len(lab.model.asked) == 7
        await press(pilot, "f9")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("done", 16)


async def test_cancel_keeps_what_is_done_and_enter_goes_on(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await pilot.press("c")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("cancelled", 5)
        assert "5 of 16 are done and kept. enter goes on where it stopped." in page(pilot)
        assert "11 calls" in page(pilot)
        lab.model.gate.set()
        await press(pilot, "enter", "enter")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.calls) == ("done", 11)
        assert len(lab.model.asked) == 16


async def test_cancelled_before_it_began(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        await press(pilot, "enter")
        await pilot.press("enter")
        job_of(pilot).cancel()
        job = await judged(pilot)
        assert job.progress.state in {"cancelled", "done"}


async def test_one_job_at_a_time(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 0
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await pilot.press("enter")
        await press(pilot, "m")
        assert said(pilot)[-1] == "Judging is under way: one run at a time. 5 shows it."
        assert isinstance(pilot.app.screen, JudgesScreen)
        lab.model.gate.set()
        await judged(pilot)


async def test_failures_are_failures_and_are_asked_again(unjudged: Workspace, lab: Lab) -> None:
    broken = {"一类城市住宿上限每晚 450 元": "no json", "Receipts above": "I cannot help with that."}
    lab.model.answer = lambda text: next((s for part, s in broken.items() if part in text[-400:]), graded(3))
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        shown = page(pilot)
        assert "failed:" in shown
        assert "not understood" in shown
        # the mean is over the queries that could be scored, and says where it could lie
        assert screen.standing is not None
        score = screen.standing.scores.scores["mean_grade@3"]
        assert score.lowest is not None
        assert score.highest is not None
        assert score.lowest < score.highest
        assert screen.disputes is not None
        first = screen.disputes.row(0)
        assert first["status"] == "parse-error"
        assert first["value"] != first["value"]
        assert first["raw"] == "no json"
        failed = screen.disputes.failed
        assert f"failed: {failed}" in shown
        await press(pilot, "tab")
        assert "no json" in page(pilot)
        # the raw reply is what is copied
        await press(pilot, "y")
        assert pilot.app.clipboard == "no json"
        broken.clear()
        before = len(lab.model.asked)
        await press(pilot, "escape", "!")
        assert f"{failed} calls" in page(pilot)
        await press(pilot, "enter")
        await judged(pilot)
        assert len(lab.model.asked) - before == failed
        assert screen.disputes.failed == 0


async def test_what_makes_every_call_fail_stops_and_says_so(unjudged: Workspace, lab: Lab) -> None:
    lab.model.answer = lambda _: EndpointUnusable("endpoint.unknown-model", model=MODEL, detail="404")
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "does not know the model" in page(pilot)
        assert "does not know the model" in said(pilot)[-1]


async def test_a_server_that_asks_for_a_long_wait_pauses(unjudged: Workspace, lab: Lab) -> None:
    busy = EndpointBusy("endpoint.rate-limited", model=MODEL, detail="slow down", n=1, wait=3600)
    lab.model.script = [graded(3), busy, busy]
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.state == "paused")
        pilot.app.screen.refresh()
        await press(pilot)
        assert "paused" in page(pilot)
        lab.model.script = []
        await press(pilot, "p")
        job = await judged(pilot)
        assert job.progress.state == "done"


async def test_a_single_failed_request_leaves_the_others(unjudged: Workspace, lab: Lab) -> None:
    lab.model.script = [
        RequestFailed("endpoint.server-error", model=MODEL, detail="500 oops", n=3) for _ in "x"
    ]
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.failures == {"error": 1}
        assert "endpoint failed 1" in page(pilot)


async def test_a_folder_that_cannot_be_written_is_said(
    unjudged: Workspace, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragtui import atomic

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "append_lines", full)
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "enter")
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "No space left on device" in said(pilot)[-1]
        assert "stopped" in page(pilot)
