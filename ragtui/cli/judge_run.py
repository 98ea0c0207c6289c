"""Carries out a plan for the command line: the model from options and settings, a bar, Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from ragtui.cli.judge_bar import judging_bar
from ragtui.cli.judged import Judged
from ragtui.cli.output import say
from ragtui.endpoint import ModelFacts
from ragtui.judging.models import ModelWishes, OpenModel, open_model
from ragtui.judging.plan import Asker, Plan
from ragtui.judging.progress import Progress
from ragtui.messages import t
from ragtui.settings import load
from ragtui.workspace import Workspace

WITHOUT_A_MODEL = "id-overlap"
WITH_A_MODEL = "context-precision"


@dataclass(frozen=True, slots=True)
class Asking:
    """How a plan is made and carried out.

    Attributes:
        model: what is asked; None for rules.
        repeats: which askings.
        only_failed: whether only what failed before is asked.
        max_cost: US dollars; None for no limit.
    """

    model: OpenModel | None
    repeats: Sequence[int]
    only_failed: bool = False
    max_cost: float | None = None

    @property
    def facts(self) -> ModelFacts | None:
        """Of the model, where they are not to be had by its name."""
        return None if self.model is None else self.model.facts


def wishes_of(
    judge: str | None,
    model: str | None,
    api_base: str | None,
    concurrency: int | None,
    rpm: int | None,
    tpm: int | None,
    max_wait: float,
) -> tuple[str, ModelWishes | None]:
    """Which judge, and what is said of its model on the command line, else in the settings."""
    settings, warnings = load()
    for warning in warnings:
        say(warning)
    chosen = model or settings.judge_model
    name = judge or (WITH_A_MODEL if chosen else WITHOUT_A_MODEL)
    if judge is None:
        say(t("cli.judge.using", judge=name))
    if chosen is None:
        return name, None
    wishes = ModelWishes(
        chosen,
        api_base=api_base or settings.api_base,
        concurrency=concurrency or settings.concurrency,
        timeout=settings.timeout,
        rpm=rpm,
        tpm=tpm,
        max_wait=max_wait,
    )
    return name, wishes


@contextmanager
def opened(
    workspace: Workspace, judge: str, wishes: ModelWishes | None
) -> Iterator[tuple[Asker, OpenModel | None]]:
    """The judge in full, and its model; a rule opens none."""
    found = workspace.judgments.judges.get(judge)
    if wishes is None or found is None or found.engine == "rule":
        yield workspace.judgments.asker(judge, None if wishes is None else wishes.model), None
        return
    with open_model(wishes) as model:
        yield workspace.judgments.asker(judge, model.name, model.label), model


def carry_out(judged: Judged, plan: Plan, asking: Asking, folder: Path | None = None) -> Progress:
    """Judge, with a bar. Ctrl-C and a server that asks for a long wait end it, and what is there is kept."""
    with judging_bar() as bar:

        def watch(progress: Progress) -> None:
            bar(progress)
            if progress.state == "paused":
                judging.cancel()

        model = asking.model
        judging = judged.workspace.judgments.judging(
            plan,
            folder,
            model=None if model is None else model.connect(),
            concurrency=1 if model is None else model.concurrency,
            max_cost=asking.max_cost,
            watch=watch,
        )
        try:
            progress = judging.run()
        except KeyboardInterrupt:
            say(t("cli.judge.interrupted", done=judging.progress.done, total=judging.progress.total))
            raise
    judged.workspace.judgments.forget()
    return progress


def say_unfinished(progress: Progress) -> None:
    """Say what came between, where something did, and end with 2.

    Raises:
        typer.Exit: not all is done.
    """
    if progress.state != "done":
        say(f"{progress.why}\n{t('cli.judge.unfinished', done=progress.done, total=progress.total)}")
        raise typer.Exit(2)
