"""The app while 5,000 verdicts are judged: how soon a key is answered, and what finished work takes up.

Run it as `python benchmarks/judging_app.py` on Linux. The set is made up in memory: 5,000 contexts;
the model answers in this process, each request after 5 ms, 8 at once, so that judging keeps the interpreter
as busy as it ever does. The app runs without a terminal, at 120 × 36. Keys go round: the list of queries, the
detail, the judges. From a key being posted until the screen has been drawn anew is wall time, so whatever
else the machine does is in it; the same keys without judging stand beside it, and the CPU time of the app's
thread, which has no waiting in it. Memory is what the process holds when 1,000 and 5,000 verdicts are done,
without what has been freed; beside its growth stands what the verdicts themselves take as a table, which the
app reads while they come in.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from large_set import large_set
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerCancelled

from ragtui.endpoint import Completion, ModelFacts
from ragtui.judging.models import ModelWishes, OpenModel
from ragtui.judging.plan import Asker
from ragtui.tui import desk as desks
from ragtui.tui.app import RagtuiApp
from ragtui.tui.desk import Desk
from ragtui.workspace import Workspace

QUERIES, CONTEXTS, LATENCY, CONCURRENCY = 1_060, 5, 0.005, 8
ROUNDS = ["j", "j", "k", "enter", "n", "j", "tab", "N", "escape", "5", "tab", "j", "k", "tab", "tab", "1"]
"""One round of keys: on the list, in the detail, among the verdicts of screen 5 and back."""

IDLE = 15
"""Rounds before anything is judged: what is drawn is kept to be drawn again, up to a bound."""


class Reply:
    """A model that gives every context a grade, and says why."""

    def __init__(self) -> None:
        self.asked = 0

    async def complete(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        sampling: Mapping[str, Any],  # noqa: ARG002
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
        tokens: int = 0,  # noqa: ARG002
    ) -> Completion:
        self.asked += 1
        await asyncio.sleep(LATENCY)
        grade = len(messages[-1][1]) % 4
        text = json.dumps({"reason": f"It speaks of the matter, {self.asked} times over.", "grade": grade})
        return Completion(text, "stop", 500, 30, 0.0001, 1000 * LATENCY)

    async def close(self) -> None:
        """Nothing is open."""


@contextmanager
def opened(wishes: ModelWishes) -> Iterator[OpenModel]:
    """The model in place of a hosted one."""
    model: Any = Reply()
    yield OpenModel(wishes.model, "here", lambda: model, ModelFacts(window=8000), CONCURRENCY)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of many keys: by the clock, and of the app's thread."""

    what: str
    spent: Sequence[tuple[float, float]]

    def say(self, bar: float | None = None) -> None:
        """Print median, 99th percentile and the slowest."""
        self._say("wall", [wall for wall, _ in self.spent], bar)
        self._say("CPU", [own for _, own in self.spent], bar)

    def _say(self, kind: str, spent: Sequence[float], bar: float | None) -> None:
        ordered = sorted(spent) or [math.nan]
        high = ordered[int(0.99 * (len(ordered) - 1))]
        held = "" if bar is None else f"   bar < {bar:g} ms  {high / bar:.2f}"
        print(
            f"{self.what:22} {kind:4} {len(ordered):4} keys   median {statistics.median(ordered):6.1f} ms   "
            f"99 % {high:6.1f} ms   slowest {ordered[-1]:6.1f} ms{held}"
        )


def megabytes() -> float:
    """Memory of this process now, without what has been freed and not yet given back."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def key_time(pilot: Pilot[None], key: str) -> tuple[float, float]:
    """Milliseconds from a key until it is handled and drawn: by the clock, and of this thread."""
    app = pilot.app
    drawn = asyncio.Event()
    waiting: list[Screen[Any]] = []

    def wait_for_drawing() -> None:
        waiting.append(app.screen)
        app.screen.call_after_refresh(drawn.set)

    start, own = time.perf_counter(), time.thread_time()
    app.post_message(Key(key, key if len(key) == 1 else None))
    app.call_later(wait_for_drawing)
    while not drawn.is_set():
        if waiting and waiting[-1] is not app.screen:  # the key closed that screen, or opened another
            wait_for_drawing()
        await asyncio.sleep(0.001)
    return 1000 * (time.perf_counter() - start), 1000 * (time.thread_time() - own)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything has been drawn."""
    with suppress(WorkerCancelled):  # of a screen that was closed
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def desk_of(pilot: Pilot[None]) -> Desk:
    """The desk of the app under test."""
    app = pilot.app
    if not isinstance(app, RagtuiApp):
        raise TypeError("another app")
    return app.session.desk


async def keys(pilot: Pilot[None], rounds: int, *, while_judging: bool) -> list[tuple[float, float]]:
    """Times of so many rounds of keys, at most until judging is over; a person looks between them."""
    spent: list[tuple[float, float]] = []
    for _ in range(rounds):
        for key in ROUNDS:
            if while_judging and not desk_of(pilot).is_busy:
                return spent
            spent.append(await key_time(pilot, key))
            await asyncio.sleep(0.03)
    return spent


async def judging(workspace: Workspace) -> None:
    """Judge with the app at hand, and print what was measured."""
    async with RagtuiApp(workspace).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await keys(pilot, 1, while_judging=False)
        await settle(pilot)
        idle = await keys(pilot, IDLE, while_judging=False)
        await settle(pilot)
        await pilot.press("5")
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        before = megabytes()
        started = time.perf_counter()
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("enter")
        job = desk_of(pilot).job
        if job is None:
            raise RuntimeError("nothing was started")
        await pilot.press("1")
        spent: list[tuple[float, float]] = []
        held: list[tuple[int, float]] = []
        while desk_of(pilot).is_busy:
            spent += await keys(pilot, 1, while_judging=True)
            if job.progress.done >= 1000:
                held = [*held[:1], (job.progress.done, megabytes())]
            await asyncio.sleep(0)
        took = time.perf_counter() - started
        await settle(pilot)
        after = megabytes()
        progress = job.progress
        print(f"{progress.done} of {progress.total} judged in {took:.1f} s, {progress.failed} failed")
        Times("a key, nothing judged", idle).say()
        Times("a key while judging", spent).say(100)
        asker = Asker(workspace.judgments.judges["relevance-grade"], "lab/scripted")
        table = workspace.judgments.table(asker)
        size = table.memory_usage(deep=True).sum() / 1e6
        (early, low), (late, high) = held[0], held[-1]
        share = size * (late - early) / max(len(table), 1)
        print(
            f"memory before {before:.0f} MB, at {early} done {low:.0f} MB, at {late} done {high:.0f} MB: "
            f"{high - low:+.1f} MB; the table of verdicts grew by {share:.1f} MB; "
            f"{after:.0f} MB once all is over"
        )


def main() -> None:
    """Print one line for each claim."""
    desks.open_model = opened
    with tempfile.TemporaryDirectory() as state:
        os.environ["RAGTUI_DATA_DIR"] = f"{state}/data"
        os.environ["RAGTUI_CACHE_DIR"] = f"{state}/cache"
        os.environ["RAGTUI_CONFIG_DIR"] = f"{state}/config"
        os.environ["RAGTUI_JUDGE_MODEL"] = "lab/scripted"
        evaluation = large_set(QUERIES, CONTEXTS, 4000)
        # as `ragtui` does once a set is read
        gc.freeze()
        gc.set_threshold(700, 10, 100)
        asyncio.run(judging(Workspace(evaluation, state=Path(state) / "set")))


if __name__ == "__main__":
    main()
