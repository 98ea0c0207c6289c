"""Names of scores, and one score from one list. Nothing heavy is imported: production code reads this."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragtui.errors import RagtuiError

Kind = Literal["top1", "margin", "mean"]
Direction = Literal["higher", "lower"]

_WRITTEN = re.compile(r"top1|margin|mean@([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class ScoreName:
    """`top1` (of the first result), `margin` (of the first over the second) or `mean@K` (of the first K).

    A margin is how much better the first result is, so a larger one is better for distances too. A list that
    is shorter than K gives the mean of what it holds; one result alone has no margin, which is as if nothing
    had been returned.
    """

    kind: Kind = "top1"
    k: int = 1

    def __str__(self) -> str:
        return f"mean@{self.k}" if self.kind == "mean" else self.kind

    @property
    def needs(self) -> int:
        """How many results the score is made from."""
        return {"top1": 1, "margin": 2, "mean": self.k}[self.kind]

    def direction(self, of_run: Direction) -> Direction:
        """Whether a higher or a lower score is better, for runs whose own scores are so."""
        return "higher" if self.kind == "margin" else of_run

    def of(self, scores: Sequence[float], direction: Direction) -> float | None:
        """The score of one list, best result first; None where it is too short to have one."""
        if len(scores) < (2 if self.kind == "margin" else 1):
            return None
        if self.kind == "top1":
            return scores[0]
        if self.kind == "margin":
            return scores[1] - scores[0] if direction == "lower" else scores[0] - scores[1]
        return mean(scores[: self.k])


def score_name(text: str) -> ScoreName:
    """Read `top1`, `margin` or `mean@K`.

    Raises:
        RagtuiError: it is none of them.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise RagtuiError("calibration.bad-score", given=text)
    if found[1]:
        return ScoreName("mean", int(found[1]))
    return ScoreName("margin" if found[0] == "margin" else "top1")


def mean(scores: Sequence[float]) -> float:
    """Mean of at least one number, rounded once: the same in whatever order and on whatever machine."""
    return math.fsum(scores) / len(scores)
