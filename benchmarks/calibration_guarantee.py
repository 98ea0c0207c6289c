"""How often the rule `max-false-answers` keeps its promise: a table of docs/no-answer.md.

Run it as `python benchmarks/calibration_guarantee.py`; with `--write` it puts the table into the page.
No-answer scores are standard normal and answerable ones three higher, so the true rate of false answers of a
threshold t is 1 − Φ(t). 2,000 samples for each line, fixed seed. A test draws them again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
from page_table import markdown, show

from ragtui.analysis.calibration.fit import Chosen, choose
from ragtui.analysis.calibration.rules import NEVER, Answered, MaxFalseAnswers
from ragtui.stats.one_sided import allowed

DRAWS = 2_000
SEED = 11
ANSWERABLE = 100
APART = 3.0
LINES = ((59, 0.05), (100, 0.05), (100, 0.1), (30, 0.1))
HEAD = ("no-answer queries", "α", "may let through", "guaranteed", "kept", "kept without the bound")


@dataclass(frozen=True, slots=True)
class WithoutBound:
    """The lowest threshold whose observed rate of false answers is at most `alpha`: what is often done."""

    share: float
    name: str = "without-bound"
    alpha: None = None

    def merit(self, answered: Answered) -> npt.NDArray[np.float64]:
        """As `MaxFalseAnswers`, but by what is seen."""
        kept = answered.false_answer <= self.share
        return np.where(kept, answered.answerable + answered.no_answer, NEVER).astype(np.float64)


def guaranteed(n: int, alpha: float) -> float:
    """Chance that the promise holds: that more than `allowed` of n scores lie above the true threshold.

    The promise is broken where a threshold that lets `allowed` through still has a true rate over alpha,
    which needs that few among n although each has the chance alpha.
    """
    most = allowed(n, alpha)
    return 1 - sum(comb(n, c) * alpha**c * (1 - alpha) ** (n - c) for c in range(most + 1))


def kept(n: int, alpha: float, draws: int = DRAWS) -> tuple[int, int, int]:
    """Of so many samples: where the true rate is at most alpha with and without the bound, and refused."""
    normal = NormalDist()
    rng = np.random.default_rng([SEED, n, round(alpha * 1000)])
    is_no_answer = np.arange(n + ANSWERABLE) < n
    holds = bare = refused = 0
    for _ in range(draws):
        strength = rng.normal(np.where(is_no_answer, 0.0, APART), 1)
        chosen = choose(strength, is_no_answer, MaxFalseAnswers(alpha))
        if isinstance(chosen, Chosen):
            holds += 1 - normal.cdf(chosen.strength) <= alpha
        else:
            refused += 1
        plain = choose(strength, is_no_answer, WithoutBound(alpha))
        bare += isinstance(plain, Chosen) and 1 - normal.cdf(plain.strength) <= alpha
    return holds, bare, refused


def rows(draws: int = DRAWS) -> list[tuple[str, ...]]:
    """The lines of the table."""
    found = []
    for n, alpha in LINES:
        holds, bare, _ = kept(n, alpha, draws)
        shares = (guaranteed(n, alpha), holds / draws, bare / draws)
        cells = (f"{100 * share:.1f} %" for share in shares)
        found.append((str(n), f"{100 * alpha:g} %", str(allowed(n, alpha)), *cells))
    return found


def table() -> str:
    """As it stands in the page."""
    return markdown(HEAD, rows())


if __name__ == "__main__":
    show("guarantee", table())
