"""Scored queries of one split, by what is right for them: to be answered, or to be refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.score_names import ScoreName
from ragtui.dataset.model import Direction

QueryKind = Literal["found", "missed", "no-answer"]
KINDS: tuple[QueryKind, ...] = ("found", "missed", "no-answer")
FOUND, MISSED, NO_ANSWER = range(3)

Side = Literal["false-answer", "false-refusal", "missed-answer"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many queries of each kind there are, and how many of them a threshold answers."""

    found: int
    missed: int
    no_answer: int
    answered_found: int
    answered_missed: int
    answered_no_answer: int

    @property
    def queries(self) -> int:
        return self.found + self.missed + self.no_answer

    @property
    def answerable(self) -> int:
        return self.found + self.missed

    @property
    def answered(self) -> int:
        return self.answered_found + self.answered_missed + self.answered_no_answer

    @property
    def false_answers(self) -> int:
        """No-answer queries that are answered."""
        return self.answered_no_answer

    @property
    def false_refusals(self) -> int:
        """Answerable queries that are refused, whether or not their evidence was found."""
        return self.answerable - self.answered_found - self.answered_missed

    @property
    def wrong(self) -> int:
        """Answered without evidence in the first K: there is none, or it was missed."""
        return self.answered_missed + self.answered_no_answer


@dataclass(frozen=True, slots=True)
class WrongSide:
    """A query that a threshold treats wrongly.

    Attributes:
        kind: what the query is.
        side: a no-answer query that is answered, an answerable one that is refused, or one that is answered
            though its evidence was missed.
        score: None where nothing was returned.
        distance: how far the score lies from the threshold, in the units of the run; None without a score.
    """

    query_id: str
    kind: QueryKind
    side: Side
    score: float | None
    distance: float | None


@dataclass(frozen=True, eq=False)
class Sample:
    """Scored queries of one split under one run.

    Attributes:
        split: its name; None where the set has none.
        score: what their scores are.
        run_direction: whether a higher or a lower score of a chunk is better.
        k: evidence within the first K counts as found.
        query_ids: (n,) object array of str.
        kind: (n,) int8: 0 found (answerable, a relevant chunk in the first K), 1 missed (answerable without
            one), 2 no-answer.
        values: (n,) float64 score in the units of the run, NaN where the list is too short to have one.
        clusters: (n,) code of the cluster of each query; None where queries stand alone.
        left_out: how many queries are not here, by reason: `missing` (the run has no list), `failed` (the
            system reported an error), `unjudged` (neither gold nor the word that there is no answer).
        short: how many lists hold fewer results than the score is made from.
    """

    split: str | None
    score: ScoreName
    run_direction: Direction
    k: int
    query_ids: npt.NDArray[np.object_]
    kind: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]
    clusters: npt.NDArray[np.intp] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    short: int = 0

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def direction(self) -> Direction:
        """Whether a higher or a lower score of a query is better."""
        return self.score.direction(self.run_direction)

    @property
    def sign(self) -> float:
        """What turns a score into a strength, of which more is always better; and back."""
        return -1.0 if self.direction == "lower" else 1.0

    @cached_property
    def strength(self) -> npt.NDArray[np.float64]:
        """(n,) scores turned so that more is better; minus infinity where there is none."""
        return np.where(np.isnan(self.values), -np.inf, self.sign * self.values)

    @cached_property
    def by_kind(self) -> tuple[npt.NDArray[np.float64], ...]:
        """Strengths of found, missed and no-answer queries, each ascending."""
        return tuple(np.sort(self.strength[self.kind == kind]) for kind in range(len(KINDS)))

    @cached_property
    def answerable(self) -> npt.NDArray[np.float64]:
        """Strengths of all answerable queries, ascending."""
        return np.sort(self.strength[self.kind != NO_ANSWER])

    @property
    def no_answer(self) -> npt.NDArray[np.float64]:
        """Strengths of all no-answer queries, ascending."""
        return self.by_kind[NO_ANSWER]

    @property
    def has_alike(self) -> bool:
        """Whether several no-answer queries are of one cluster."""
        if self.clusters is None:
            return False
        of_no_answer = self.clusters[self.kind == NO_ANSWER]
        return len(np.unique(of_no_answer)) < len(of_no_answer)

    def n_of(self, kind: int) -> int:
        return len(self.by_kind[kind])

    def answers(self, threshold: float) -> npt.NDArray[np.bool_]:
        """(n,) whether each query is answered: its score is at least the threshold, or at most for distances.

        A query without a score is never answered.
        """
        answered: npt.NDArray[np.bool_] = (self.strength >= self.sign * threshold) & (self.strength > -np.inf)
        return answered

    def counts_at(self, threshold: float) -> Counts:
        """What a threshold, in the units of the run, does; three binary searches."""
        edge = self.sign * threshold
        sizes = [len(part) for part in self.by_kind]
        if edge == -np.inf:
            edge = float(np.nextafter(-np.inf, 0))
        answered = [len(part) - int(np.searchsorted(part, edge, "left")) for part in self.by_kind]
        return Counts(*sizes, *answered)

    def wrong_side(self, threshold: float) -> tuple[WrongSide, ...]:
        """Queries that a threshold treats wrongly: false answers, false refusals, missed evidence answered.

        Within each the farthest from the threshold first; those without a score, which no threshold answers,
        before them.
        """
        answered = self.answers(threshold)
        sides: tuple[tuple[Side, npt.NDArray[np.bool_]], ...] = (
            ("false-answer", answered & (self.kind == NO_ANSWER)),
            ("false-refusal", ~answered & (self.kind != NO_ANSWER)),
            ("missed-answer", answered & (self.kind == MISSED)),
        )
        distance = np.abs(self.values - threshold)
        found: list[WrongSide] = []
        for side, members in sides:
            rows = np.flatnonzero(members)
            far_first = rows[np.argsort(-np.nan_to_num(distance[rows], nan=np.inf), kind="stable")]
            found += [self._wrong(int(row), side, float(distance[row])) for row in far_first]
        return tuple(found)

    def _wrong(self, row: int, side: Side, distance: float) -> WrongSide:
        value = float(self.values[row])
        has_score = not np.isnan(value)
        return WrongSide(
            str(self.query_ids[row]),
            KINDS[int(self.kind[row])],
            side,
            value if has_score else None,
            distance if has_score else None,
        )
