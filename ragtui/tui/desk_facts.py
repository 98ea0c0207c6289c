"""What a desk is about, as plain data: judges to choose from, what is judged, what there is to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ragtui.judging.card import Card
from ragtui.judging.corrected import Corrected
from ragtui.judging.model import Judge
from ragtui.judging.models import OpenModel
from ragtui.judging.plan import Asker, Plan
from ragtui.judging.scores import JudgedScores
from ragtui.judging.selection import Selected
from ragtui.tui.judging_job import Errand


@dataclass(frozen=True, slots=True)
class Line:
    """A judge with the model it asks: one line to choose from.

    Attributes:
        model: as verdicts name it; None for rules, and where none is chosen.
        wish: the same as a person names it, such as a path.
        card: on its own labelled pairs; None where it was never measured.
        is_recorded: verdicts of it are there.
    """

    judge: Judge
    model: str | None = None
    wish: str | None = None
    card: Card | None = None
    is_recorded: bool = False

    @property
    def is_rule(self) -> bool:
        return self.judge.engine == "rule"

    @property
    def can_ask(self) -> bool:
        """Whether nothing is missing that has to be chosen."""
        return self.is_rule or self.model is not None


@dataclass(frozen=True, slots=True)
class Aim:
    """What is judged.

    Attributes:
        run, k, stage: which lists.
        query_ids: of which queries; None for all.
        over_outcome: these were chosen by an outcome, so that a mean over them says nothing.
    """

    run: str
    k: int
    stage: str | None = None
    query_ids: tuple[str, ...] | None = None
    over_outcome: bool = False


@dataclass(frozen=True, eq=False)
class Standing:
    """What there is to say of a judge and a run before anything is asked.

    Attributes:
        selected: queries with what is judged of each.
        scores: from the verdicts that are there.
        gold: the judge measured on the gold of the set; None where gold says nothing of what it judges.
        corrected: means corrected by gold, by name of the score.
        disputes: see `ragtui.workspace.disputes`.
        stage: the list that is judged; None for the final one.
    """

    line: Line
    aim: Aim
    asker: Asker
    selected: tuple[Selected, ...]
    scores: JudgedScores
    gold: Card | None
    corrected: Mapping[str, Corrected]
    disputes: pd.DataFrame
    stage: str | None = None


@dataclass(frozen=True, eq=False)
class Prepared:
    """What asking would take.

    Attributes:
        counts: queries by state.
        plans: one, or one for each language that a judge is measured in.
        model: what is asked; None for rules.
        missing: environment variables with a key that were looked for and are not there.
        usual_stage: the list that is judged where none is named; None for the final one.
    """

    errand: Errand
    aim: Aim | None
    counts: Mapping[str, int]
    plans: tuple[Plan, ...]
    model: OpenModel | None
    missing: tuple[str, ...] = ()
    usual_stage: str | None = None

    @property
    def stage(self) -> str | None:
        """The list that is judged; None for the final one."""
        return None if self.aim is None else self.aim.stage or self.usual_stage

    @property
    def queries(self) -> int:
        """How many are looked at, those that are left out among them."""
        return sum(self.counts.values())

    @property
    def calls(self) -> int:
        return sum(plan.calls for plan in self.plans)

    @property
    def open_work(self) -> int:
        """How much has to be found out, with calls or without."""
        return sum(
            len(part) for plan in self.plans for part in (plan.cached, plan.free, plan.to_ask, plan.too_long)
        )

    @property
    def cost(self) -> float | None:
        """US dollars for all calls; None where that is not known."""
        costs = [plan.cost for plan in self.plans]
        return None if None in costs else sum(cost or 0.0 for cost in costs)
