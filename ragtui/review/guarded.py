"""Queries that must not fail again, and how they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragtui.messages import t
from ragtui.review.events import Guard

GuardedState = Literal["open", "fixed", "broke-again", "unknown"]


@dataclass(frozen=True, slots=True)
class Guarded:
    """How a guarded query stands.

    Attributes:
        state: `open` it has passed in no run yet; `fixed` it passes; `broke-again` it passed and then failed;
            `unknown` no run says whether it passes.
        run: where it was fixed, or broke again; `""` else.
    """

    state: GuardedState
    run: str = ""

    @property
    def text(self) -> str:
        """In words."""
        return t(f"review.guarded.{self.state}", run=self.run)


def guarded_state(guard: Guard, runs: Sequence[str], passes: Callable[[str], bool | None]) -> Guarded:
    """How a guarded query stands, from the run in which it failed and those that were made since.

    Args:
        guard: with the run in which it failed, and those that were there then. Of these only the first says
            anything: the others are no later attempt.
        runs: of the set, oldest first.
        passes: whether the query passes in a run; None where that cannot be told.
    """
    later = [run for run in runs if run not in guard.in_sight]
    first = [guard.run] if guard.run in runs else []
    told = [(run, is_good) for run in [*first, *later] if (is_good := passes(run)) is not None]
    if not told:
        return Guarded("unknown")
    if told[-1][1]:
        since = len(told) - 1
        while since and told[since - 1][1]:
            since -= 1
        return Guarded("fixed", told[since][0])
    good = [place for place, (_, is_good) in enumerate(told) if is_good]
    return Guarded("broke-again", told[good[-1] + 1][0]) if good else Guarded("open")
