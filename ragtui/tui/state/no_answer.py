"""What a sitting asks of refusal thresholds: score, rule, where each run's cursor stands, what was found."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ragtui.analysis.calibration.calibrate import MIN_AUROC, Aim, Calibration
from ragtui.analysis.calibration.histogram import Histogram
from ragtui.analysis.calibration.rules import Rule, rule_of, share_of
from ragtui.analysis.calibration.sample import Sample
from ragtui.analysis.calibration.score_names import score_name
from ragtui.errors import RagtuiError

if TYPE_CHECKING:
    from ragtui.tui.session import Session

Value = TypeVar("Value")

AHEAD = 20_000
"""Queries up to which thresholds are found before anybody asks for them."""

USUAL_SCORE, USUAL_RULE = "top1", "youden"


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a threshold does to one query.

    Attributes:
        sample: among which the query stands.
        threshold: in the units of the run.
        value: score of the query, NaN where nothing was returned for it.
        is_answered: whether it would be answered.
    """

    sample: Sample
    threshold: float
    value: float
    is_answered: bool


class Refusals:
    """Thresholds of the runs of a session at its cut-off, each found once.

    `sample` and `calibration` may take a while and are called in a thread; all else answers at once.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        view = session.view
        self.score = _read(score_name, view.score or USUAL_SCORE, score_name(USUAL_SCORE))
        self.rule_text = view.rule or USUAL_RULE
        self.rule = _read(rule_from, self.rule_text, rule_of(USUAL_RULE))
        least = view.min_auroc
        self.min_auroc = least if least is not None and 0 <= least <= 1 else MIN_AUROC
        self._cursors = {run: float(at) for run, at in view.cursors.items() if _is_number(at)}
        self._found: dict[tuple[str, Aim], Calibration] = {}

    @property
    def aim(self) -> Aim:
        """What is asked of every run."""
        return Aim(score=self.score, rule=self.rule, k=self._session.k, min_auroc=self.min_auroc)

    def sample(self, run: str, aim: Aim) -> Sample:
        """The scored queries that are shown.

        Raises:
            RagtuiError: as `calibration`.
        """
        calibrations = self._session.workspace.calibrations
        return calibrations.sample(run, calibrations.report_split(aim.report), aim)

    def calibration(self, run: str, aim: Aim) -> Calibration:
        """The answer for a run.

        Raises:
            RagtuiError: K lies beyond the depth of the run, or it has no scores.
        """
        found = self._session.workspace.calibration(run, aim)
        self._found[run, aim] = found
        return found

    def prepare(self, run: str | None) -> bool:
        """Find the answer for a run ahead of being asked; False where it is there, or would take long.

        Called in a thread. What cannot be calibrated says so on screen 4.
        """
        workspace = self._session.workspace
        if run is None or len(workspace.query_ids) > AHEAD or self.at_hand(run) is not None:
            return False
        if not workspace.no_answer:
            return False
        with suppress(RagtuiError):
            self.calibration(run, self.aim)
        return True

    def refusal(self, run: str | None, query_id: str) -> Refusal | None:
        """What the usable threshold of a run does to a query; None where it is not known."""
        found = self.at_hand(run) if run is not None else None
        threshold = found.threshold if found is not None else None
        if found is None or threshold is None:
            return None
        for sample in (found.report, found.fit):
            rows = np.flatnonzero(sample.query_ids == query_id)
            if len(rows):
                value = float(sample.values[rows[0]])
                is_answered = bool(sample.answers(threshold.value)[rows[0]])
                return Refusal(sample, threshold.value, value, is_answered)
        return None

    def answered_where(self, run: str | None) -> str | None:
        """The filter of what a run would answer by its usable threshold.

        None where there is none, or where the score is no field of the filter language.
        """
        found = self.at_hand(run) if run is not None else None
        threshold = found.threshold if found is not None else None
        if found is None or threshold is None or str(self.score) != USUAL_SCORE:
            return None
        operator = "<=" if found.fit.direction == "lower" else ">="
        return f"{USUAL_SCORE}{operator}{written(threshold.value, found.fit, found.report)}"

    def at_hand(self, run: str) -> Calibration | None:
        """The answer for a run where it was found already."""
        return self._found.get((run, self.aim))

    def cursor(self, run: str) -> float | None:
        """Where a person put the cursor of a run; None where it stands at the threshold of the rule."""
        return self._cursors.get(run)

    def put_cursor(self, run: str, threshold: float | None) -> None:
        """Put the cursor of a run somewhere, or back."""
        self._cursors.pop(run, None)
        if threshold is not None:
            self._cursors[run] = threshold
        self._session.remember(cursors=dict(self._cursors))

    def choose_rule(self, text: str) -> None:
        """Choose thresholds by another rule, at which all cursors stand then.

        Raises:
            RagtuiError: it is no rule.
        """
        self.rule, self.rule_text = rule_from(text), text
        self._cursors.clear()
        self._session.remember(rule=text, cursors={})

    def choose_min_auroc(self, text: str) -> None:
        """Call thresholds usable from another lower end of AUROC on.

        Raises:
            RagtuiError: it is no number from 0 to 1.
        """
        try:
            least = float(text)
        except ValueError:
            least = math.nan
        if not 0 <= least <= 1:
            raise RagtuiError("no_answer.bad-auroc", given=text)
        self.min_auroc = least
        self._session.remember(min_auroc=least)

    def choose_score(self, text: str) -> None:
        """Compare another score with the thresholds.

        Raises:
            RagtuiError: it is no score.
        """
        self.score = score_name(text)
        self._cursors.clear()
        self._session.remember(score=str(self.score), cursors={})


def rule_from(text: str) -> Rule:
    """A rule as the view keeps it: its name, and behind a blank its α or its two costs.

    Raises:
        RagtuiError: it is none.
    """
    name, _, given = text.strip().partition(" ")
    if not given:
        return rule_of(name)
    if name == "max-false-answers":
        return rule_of(name, alpha=share_of(given))
    try:
        numbers = [float(part) for part in given.split(":")]
    except ValueError:
        raise RagtuiError("calibration.no-such-rule", given=text, known="") from None
    if len(numbers) == 2:
        return rule_of(name, costs=(numbers[0], numbers[1]))
    return rule_of(name, alpha=numbers[0])


def _read(read: Callable[[str], Value], text: str, usual: Value) -> Value:
    """What a file of the last visit says, which may have been written by anybody."""
    try:
        return read(text)
    except RagtuiError:
        return usual


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def start_of(sample: Sample, calibration: Calibration | None) -> float | None:
    """Where the cursor stands at first: at what the rule picks, else in the middle of the scores.

    None where no query has a score.
    """
    if calibration is not None and calibration.fitted is not None:
        return calibration.fitted.value
    scored = sample.values[~np.isnan(sample.values)]
    return float(np.median(scored)) if len(scored) else None


def coarse_step(histogram: Histogram, threshold: float, by: int) -> float:
    """The next edge of a bin right (1) or left (-1) of a threshold; where there is none, the last one."""
    edges = histogram.edges.tolist()
    at = bisect_right(edges, threshold) if by > 0 else bisect_left(edges, threshold) - 1
    return float(edges[min(max(at, 0), len(edges) - 1)])


def fine_step(sample: Sample, threshold: float, by: int) -> float:
    """The next score right or left of a threshold: the least that changes anything."""
    here, is_up = sample.sign * threshold, by * sample.sign > 0
    found: list[float] = []
    for part in sample.by_kind:
        at = np.searchsorted(part, here, "right") if is_up else np.searchsorted(part, here, "left") - 1
        if 0 <= at < len(part) and part[at] > -np.inf:
            found.append(float(part[at]))
    if not found:
        return threshold
    return sample.sign * (min(found) if is_up else max(found))


def written(threshold: float, *samples: Sample) -> str:
    """A threshold in as few digits, three at least, as still do the same to all of the samples."""
    wanted = [sample.counts_at(threshold) for sample in samples]
    exact = Decimal(threshold)
    for digits in range(usual_digits(threshold), 18):
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING):
            text = f"{exact.quantize(Decimal(1).scaleb(-digits), rounding=rounding):f}"
            if [sample.counts_at(float(text)) for sample in samples] == wanted:
                return without_zero(text)
    return repr(threshold)


def usual_digits(value: float) -> int:
    """Digits behind the point that a score is written with."""
    size = abs(value)
    return 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0


def without_zero(figure: str) -> str:
    """`0.839` as `.839`."""
    return figure.replace("0.", ".", 1) if figure.lstrip("-").startswith("0.") else figure
