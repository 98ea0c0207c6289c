"""What `judge` works on and what it found, before it becomes text or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from ragtui.analysis.where import is_outcome, require
from ragtui.cli.evaluated import OUTCOME, Question, facts_for
from ragtui.errors import RagtuiError
from ragtui.judging.plan import Asker
from ragtui.judging.scores import JudgedScore, JudgedScores
from ragtui.judging.selection import PROMPT, Selected
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens


@dataclass(frozen=True)
class Aim:
    """What of a set is judged.

    Attributes:
        run: name of the run.
        k: chunks of each query.
        stage: a stage of the run; None takes `prompt` where the run has it, else the final list.
        where: a filter, `""` for none.
        limit: of queries that have something to judge; None for all.
    """

    run: str
    k: int
    stage: str | None = None
    where: str = ""
    limit: int | None = None


@dataclass(frozen=True)
class Judged:
    """A run as it is judged.

    Attributes:
        workspace: narrowed to the queries that satisfy the filter.
        asker: who is asked.
        aim: what is judged.
        over_outcome: whether the filter asks for an outcome, so that a mean says nothing.
    """

    workspace: Workspace
    asker: Asker
    aim: Aim
    over_outcome: bool

    @property
    def stage(self) -> str | None:
        """The list that is judged; None for the final one."""
        return self.aim.stage or (PROMPT if PROMPT in self.workspace.run(self.aim.run).stages else None)

    @cached_property
    def selected(self) -> tuple[Selected, ...]:
        """Queries with what is judged of each."""
        aim = self.aim
        return self.workspace.judgments.selected(aim.run, self.asker, aim.k, aim.stage, aim.limit)

    @cached_property
    def scores(self) -> JudgedScores:
        """Scores from the verdicts that are there when this is first read."""
        return self.workspace.judgments.scores(self.selected, self.asker, self.aim.k)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Verdicts that are there when this is first read, of the first asking."""
        found = self.workspace.judgments.verdicts(self.selected, self.asker)
        return found[(found["repeat"] == 0).to_numpy()]

    @property
    def means(self) -> Mapping[str, JudgedScore]:
        """Scores by name; without their means under a filter on an outcome."""
        if not self.over_outcome:
            return self.scores.scores
        return {name: _unsaid(score) for name, score in self.scores.scores.items()}


def narrowed(workspace: Workspace, aim: Aim) -> tuple[Workspace, bool]:
    """The workspace with the queries that satisfy the filter, and whether the filter asks for an outcome.

    Raises:
        BadFilter: the filter is wrong.
    """
    if not aim.where:
        return workspace, False
    filtered = require(aim.where, facts_for(workspace, aim.run, Question(Lens(), aim.k, where=aim.where)))
    return workspace.only(filtered.facts.table.query_ids[filtered.mask()]), is_outcome(filtered)


def the_run(workspace: Workspace, wanted: str | None) -> str:
    """The run that is judged: the one that was named, else the only one.

    Raises:
        RagtuiError: there is none, none of that name, or several and none was named.
    """
    if wanted is not None:
        return workspace.run(wanted).name
    if len(workspace.runs) == 1:
        return workspace.runs[0]
    place = str(workspace.set.path)
    if not workspace.runs:
        raise RagtuiError("cli.eval.no-runs-to-make", where=place)
    raise RagtuiError("cli.judge.which-run", where=place, known=", ".join(workspace.runs))


def _unsaid(score: JudgedScore) -> JudgedScore:
    estimate = Estimate(None, None, None, score.estimate.n, reason=OUTCOME)
    return replace(score, estimate=estimate, lowest=None, highest=None)
