"""What is judged in this sitting, and by whom: the choice, what there is to say of it, the one job under way.

Knows no Textual. Everything that reads files or asks a model for its facts is a plain function of the desk,
which screens call in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ragtui import settings
from ragtui.endpoint import ModelFacts, label_of, missing_keys
from ragtui.endpoint.local import PREFIX
from ragtui.errors import RagtuiError
from ragtui.judging.cache import caches_closed_after
from ragtui.judging.model import Judge
from ragtui.judging.models import ModelWishes, OpenModel, open_model
from ragtui.judging.plan import Asker, Plan
from ragtui.judging.progress import Progress
from ragtui.judging.prompts import language_of
from ragtui.judging.runner import Judging
from ragtui.judging.selection import PROMPT
from ragtui.tui.desk_facts import Aim, Line, Prepared, Standing
from ragtui.tui.judging_job import Errand, JudgingJob
from ragtui.workspace import Workspace
from ragtui.workspace.cards import calibration_card, calibration_plans, corrections, gold_card
from ragtui.workspace.disputes import disputes
from ragtui.workspace.judgments import calibration_folder

if TYPE_CHECKING:
    from ragtui.tui.session import Session

RULE = "id-overlap"
"""The judge that is there without model or key."""


class Desk:
    """The judge that was chosen, and the job under way, over one session. One job at a time.

    Args:
        session: run, stage and cut-off.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        view = session.view
        self.judge = view.judge or RULE
        self._model = view.judge_model
        self._api_base: str | None = view.judge_api_base
        self.is_filtered = False
        self.job: JudgingJob | None = None
        self.last: tuple[Errand, Progress] | None = None
        self._open = ExitStack()
        self._opened: tuple[ModelWishes, OpenModel] | None = None
        self._names: dict[str, str] = {}
        self._chosen: tuple[str, str] | None = None

    # who

    @cached_property
    def settings(self) -> settings.Settings:
        """Of the user.

        Raises:
            RagtuiError: the settings cannot be read.
        """
        return settings.load()[0]

    @property
    def model(self) -> str | None:
        """The model that judges ask: the one chosen here, else that of the settings; None for none."""
        return self._model or self.settings.judge_model

    @property
    def api_base(self) -> str | None:
        """Address of its server; None for the provider's own."""
        return self._api_base if self._model is not None else self.settings.api_base

    def choose_model(self, model: str | None, api_base: str | None) -> None:
        """Ask another model; None for that of the settings."""
        self.close_model()
        self._model, self._api_base = model, api_base
        # an address may hold a password, which no file of ours does
        self._session.remember(judge_model=model, judge_api_base=label_of(api_base) or None)

    def choose(self, line: Line) -> None:
        """Take a judge, so that other screens ask it too."""
        self.judge = line.judge.name
        self._chosen = (line.judge.name, line.model or "")
        self._session.remember(judge=self.judge)

    def hear(self) -> None:
        """Let the judge that was chosen speak before others, wherever verdicts are shown."""
        judgments = self._session.workspace.judgments
        if self._chosen is not None and self._chosen != judgments.heard:
            judgments.heard = self._chosen
            self._session.workspace.forget_verdicts()

    def lines(self) -> list[Line]:
        """All judges: rules first, then those that ask the chosen model, then others with verdicts here.

        Raises:
            RagtuiError: the folder of a judge, a file of verdicts or the settings cannot be read.
        """
        judgments = self._session.workspace.judgments
        recorded = dict.fromkeys(judgments.recorded())
        lines = []
        for judge in sorted(judgments.judges.values(), key=lambda judge: judge.engine != "rule"):
            there = [model for name, version, model in recorded if (name, version) == judge_key(judge)]
            if judge.engine == "rule":
                lines.append(self._line(Line(judge, is_recorded="" in there)))
                continue
            chosen = None if self.model is None else self._named(self.model)
            others = [model for model in there if model and model != chosen]
            if chosen is not None or not others:
                lines.append(self._line(Line(judge, chosen, self.model, is_recorded=chosen in there)))
            lines += [self._line(Line(judge, model, model, is_recorded=True)) for model in others]
        return sorted(lines, key=lambda line: (not line.is_rule, line.wish != self.model))

    def line(self) -> Line:
        """The judge that was chosen, with the model that is asked.

        Raises:
            RagtuiError: as `lines`.
        """
        lines = self.lines()
        of_judge = [line for line in lines if line.judge.name == self.judge]
        chosen = [line for line in of_judge if (line.judge.name, line.model or "") == self._chosen]
        return (chosen or of_judge or lines)[0]

    def _line(self, line: Line) -> Line:
        """With its card."""
        if not line.can_ask:
            return line
        return replace(line, card=self._session.workspace.judgments.card(Asker(line.judge, line.model or "")))

    def _named(self, wish: str) -> str:
        """How verdicts name a model: of a local one only the name of its file."""
        if wish in self._names or not wish.startswith(PREFIX):
            return self._names.get(wish, wish)
        return f"{PREFIX}{Path(wish.removeprefix(PREFIX)).name.removesuffix('.gguf')}"

    # what

    def aim(self, query_ids: tuple[str, ...] | None = None, *, over_outcome: bool = False) -> Aim | None:
        """What is judged of the run that is looked at; None without a run."""
        session = self._session
        if session.run is None:
            return None
        return Aim(session.run, session.k, session.stage, query_ids, over_outcome)

    def standing(self, line: Line, aim: Aim) -> Standing:
        """What there is to say before anything is asked; reads files and counts.

        Raises:
            RagtuiError: a judge without a model, verdicts that cannot be read, or no such stage.
        """
        workspace = self._over(aim)
        asker = self._asker(line, None)
        selected = workspace.judgments.selected(aim.run, asker, aim.k, aim.stage)
        card = gold_card(workspace, selected, asker)
        return Standing(
            line,
            aim,
            asker,
            selected,
            workspace.judgments.scores(selected, asker, aim.k),
            card,
            corrections(workspace, selected, asker, aim.k, card),
            disputes(workspace, selected, asker),
            aim.stage or self._usual_stage(aim),
        )

    def prepare(self, line: Line, aim: Aim, *, only_failed: bool = False) -> Prepared:
        """The plan of asking a judge about a run. Loads a local model; asks nothing.

        Raises:
            RagtuiError: a judge without a model, a model that cannot be loaded, what cannot be read.
        """
        model = self._opened_model(line)
        asker = self._asker(line, model)
        workspace = self._over(aim)
        selected = workspace.judgments.selected(aim.run, asker, aim.k, aim.stage)
        plan = workspace.judgments.plan(selected, asker, facts=_facts(model), only_failed=only_failed)
        one = aim.query_ids[0] if aim.query_ids is not None and len(aim.query_ids) == 1 else None
        counts = pd.Series([query.state for query in selected], dtype=object).value_counts()
        return Prepared(
            Errand(asker, aim.run, one),
            aim,
            {str(state): int(n) for state, n in counts.items()},
            (plan,),
            model,
            self._missing(model, plan.calls),
            self._usual_stage(aim),
        )

    def _usual_stage(self, aim: Aim) -> str | None:
        return PROMPT if PROMPT in self._session.workspace.run(aim.run).stages else None

    def prepare_measuring(self, line: Line) -> Prepared:
        """The plan of measuring a judge on its own labelled pairs.

        Raises:
            RagtuiError: it has none, or as `prepare`.
        """
        model = self._opened_model(line)
        asker = self._asker(line, model)
        plans = tuple(calibration_plans(asker, facts=_facts(model)))
        missing = self._missing(model, sum(plan.calls for plan in plans))
        return Prepared(Errand(asker, None, folder=calibration_folder()), None, {}, plans, model, missing)

    def _over(self, aim: Aim) -> Workspace:
        workspace = self._session.workspace
        return workspace if aim.query_ids is None else workspace.only(aim.query_ids)

    def _asker(self, line: Line, model: OpenModel | None) -> Asker:
        if line.is_rule:
            return Asker(line.judge)
        if line.model is None:
            raise RagtuiError("judging.no-model", name=line.judge.name)
        language = language_of(self._session.workspace.set)
        if model is None:
            return Asker(line.judge, line.model, language=language)
        return Asker(line.judge, model.name, model.label, language)

    def _missing(self, model: OpenModel | None, calls: int) -> tuple[str, ...]:
        """Keys that are looked for and not there; a server of one's own may need none."""
        is_hosted = model is not None and not model.label
        return missing_keys(model.name) if is_hosted and model is not None and calls else ()

    # the model

    def _opened_model(self, line: Line) -> OpenModel | None:
        """What a line asks; a local model stays loaded until another is chosen."""
        if line.is_rule:
            return None
        if line.wish is None:
            raise RagtuiError("judging.no-model", name=line.judge.name)
        chosen = self.settings
        wishes = ModelWishes(
            line.wish,
            api_base=self.api_base if line.wish == self.model else chosen.api_base,
            concurrency=chosen.concurrency,
            timeout=chosen.timeout,
        )
        if self._opened is None or self._opened[0] != wishes:
            self.close_model()
            self._opened = wishes, self._open.enter_context(open_model(wishes))
            self._names[line.wish] = self._opened[1].name
        return self._opened[1]

    def has_to_load(self, line: Line) -> bool:
        """Whether a plan would first load a model, which takes time and memory and has to be wished."""
        is_local = line.wish is not None and line.wish.startswith(PREFIX)
        return is_local and (self._opened is None or self._opened[0].model != line.wish)

    def close_model(self) -> None:
        """Let go of a model that was loaded."""
        self._opened = None
        self._open.close()

    # the job

    @property
    def is_busy(self) -> bool:
        """Whether judging is under way."""
        return self.job is not None and not self.job.is_over

    def start(self, prepared: Prepared, ended: Callable[[JudgingJob], None]) -> JudgingJob:
        """Carry out what was prepared.

        Raises:
            RuntimeError: judging is under way.
        """
        if self.is_busy:
            raise RuntimeError("one job at a time")
        judgments, model, folder = self._session.workspace.judgments, prepared.model, prepared.errand.folder

        def begin(plan: Plan, watch: Callable[[Progress], None]) -> Judging:
            return judgments.judging(
                plan,
                folder,
                model=None if model is None else model.connect(),
                concurrency=1 if model is None else model.concurrency,
                watch=watch,
            )

        self.job = JudgingJob(prepared.errand, prepared.plans, begin, ended)
        self.job.start()
        return self.job

    def settle(self, job: JudgingJob) -> None:
        """Take in what a job that is over has found out; reads and writes files.

        Raises:
            RagtuiError: a card cannot be written.
        """
        if job.errand.run is None and job.progress.state == "done":
            self.keep_card(job.errand.asker)
        self.hear()
        self._session.workspace.forget_verdicts()
        self._session.sitting.forget()

    def keep_card(self, asker: Asker) -> None:
        """Make the card of a judge from the verdicts on its own pairs, and keep it.

        Raises:
            RagtuiError: it cannot be written.
        """
        self._session.workspace.judgments.keep_card(asker, calibration_card(asker))

    def close(self, seconds: float = 5.0) -> bool:
        """Stop what is under way and let go of the model; whether all has ended within the time."""
        has_ended = True
        if self.job is not None:
            self.job.cancel()
            has_ended = self.job.wait(seconds)
        if has_ended:
            self.close_model()
            with caches_closed_after():
                pass
        return has_ended


def judge_key(judge: Judge) -> tuple[str, str]:
    """Name and version."""
    return judge.name, judge.version


def looked_for() -> Sequence[str]:
    """Where a model is looked for, the first that is there counts."""
    from ragtui import locations

    return (settings.variable_of("judge_model"), str(locations.settings_file()))


def _facts(model: OpenModel | None) -> ModelFacts | None:
    return None if model is None else model.facts
