"""A model that judges as it is told, in place of one that has to be paid for."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from textual.pilot import Pilot

from ragtui.endpoint import Completion, ModelFacts, label_of
from ragtui.judging.models import ModelWishes, OpenModel
from ragtui.tui.app import RagtuiApp
from ragtui.tui.judging_job import JudgingJob
from ragtui.tui.screens.judges import JudgesScreen
from ragtui.tui.screens.plan import PlanDialog
from tests.tui.driving import press, settled
from tests.unit.judging.scripted import ScriptedModel

MODEL = "lab/grader"
GRADES = "relevance-grade"
CALLS = 16
"""Two chunks went into the prompt of each of the eight queries that have an answer."""

FACTS = ModelFacts(window=8000, price_in=0.000001, price_out=0.000004)


def graded(grade: object, reason: str = "because") -> str:
    return json.dumps({"reason": reason, "grade": grade}, ensure_ascii=False)


@dataclass
class HeldModel(ScriptedModel):
    """Answers `free` requests, and further ones once `gate` is open."""

    free: int = 1_000_000
    gate: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    async def complete(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        sampling: Mapping[str, Any],
        schema: Mapping[str, Any] | None = None,
        tokens: int = 0,
    ) -> Completion:
        self.arrived.release()
        if len(self.asked) >= self.free:
            while not self.gate.is_set():
                await asyncio.sleep(0.001)
        return await super().complete(messages, sampling=sampling, schema=schema, tokens=tokens)


@dataclass
class Lab:
    """What is asked, and what is looked for.

    Attributes:
        model: answers.
        opened: wishes that a model was opened for.
        missing: environment variables without a key.
    """

    model: HeldModel = field(default_factory=HeldModel)
    opened: list[ModelWishes] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    facts: ModelFacts = FACTS

    @contextmanager
    def open(self, wishes: ModelWishes) -> Iterator[OpenModel]:
        self.opened.append(wishes)
        label = label_of(wishes.api_base)
        yield OpenModel(wishes.model, label, lambda: self.model, self.facts, 2)  # type: ignore[arg-type, return-value]


def job_of(pilot: Pilot[None]) -> JudgingJob:
    app = pilot.app
    assert isinstance(app, RagtuiApp)
    job = app.session.desk.job
    assert job is not None
    return job


async def judged(pilot: Pilot[None]) -> JudgingJob:
    """The job is over and shown."""
    job = job_of(pilot)
    assert await asyncio.to_thread(job.wait, 30)
    await settled(pilot)
    await settled(pilot)
    return job


async def at(pilot: Pilot[None], judge: str) -> JudgesScreen:
    """Screen 5 with the cursor on a judge."""
    await press(pilot, "5")
    screen = pilot.app.screen
    assert isinstance(screen, JudgesScreen)
    place = next(n for n, line in enumerate(screen.lines) if line.judge.name == judge)
    await press(pilot, "g", *["j"] * place)
    assert screen.line is not None
    assert screen.line.judge.name == judge
    return screen


async def started(pilot: Pilot[None], judge: str = GRADES) -> JudgesScreen:
    """Judging is under way, after its plan."""
    screen = await at(pilot, judge)
    await press(pilot, "enter")
    assert isinstance(pilot.app.screen, PlanDialog)
    await pilot.press("enter")
    await pilot.pause()
    return screen


async def until(pilot: Pilot[None], holds: object) -> None:
    """Until something holds; looks on while the loops run."""
    assert callable(holds)
    for _ in range(2000):
        if holds():
            break
        await pilot.pause(0.005)
    assert holds()
    app = pilot.app
    assert isinstance(app, RagtuiApp)
    assert app._watch is not None
    app._watch.glance()
    await pilot.pause()
