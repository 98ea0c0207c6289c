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
from tests.tui.driving import settled
from tests.unit.judging.scripted import ScriptedModel

MODEL = "lab/grader"
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
