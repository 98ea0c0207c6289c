"""How often the 95 % interval of AUROC holds the truth: the table of docs/no-answer.md.

Run it as `python benchmarks/calibration_coverage.py`; with `--write` it puts the table into the page. Scores
are drawn from distributions whose AUROC is known, 2,000 samples for each line, fixed seed. A test draws them
again.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from page_table import markdown, show

from ragtui.stats.auroc import auroc

DRAWS = 2_000
SEED = 7

SIZES = ((30, 30), (100, 30), (180, 60), (300, 300))
TRUTHS = (0.7, 0.8, 0.9, 0.97)
NEAR_MISSES = 0.1
"""Share of the no-answer queries that score like answerable ones, in the second shape."""

HEAD = (
    "scores",
    "true AUROC",
    "answerable",
    "no-answer",
    "interval holds it",
    "lower end above it",
    "upper end below it",
)


def covered(truth: float, near_misses: float, answerable: int, no_answer: int, draws: int) -> tuple[int, int]:
    """In how many of so many samples the lower end lies above the truth, and the upper end below it.

    Answerable scores are normal with their mean apart, no-answer scores standard normal but for a share that
    is drawn like answerable ones, so that truth = (1 − share) · Φ(apart ÷ √2) + share ÷ 2.
    """
    apart = NormalDist().inv_cdf((truth - near_misses / 2) / (1 - near_misses)) * 2**0.5
    rng = np.random.default_rng([SEED, answerable, no_answer, round(truth * 1000), round(near_misses * 1000)])
    above = below = 0
    for _ in range(draws):
        near = rng.random(no_answer) < near_misses
        found = auroc(rng.normal(apart, 1, answerable), rng.normal(np.where(near, apart, 0), 1))
        if found.low is None or found.high is None:
            raise RuntimeError("both kinds are there, and so is an interval")
        above += found.low > truth
        below += found.high < truth
    return above, below


def rows(draws: int = DRAWS) -> list[tuple[str, ...]]:
    """The lines of the table."""
    found: list[tuple[str, ...]] = []
    for shape, share, truths in (
        ("normal", 0.0, TRUTHS),
        ("a tenth are near misses", NEAR_MISSES, TRUTHS[1:3]),
    ):
        for truth in truths:
            for answerable, no_answer in SIZES:
                above, below = covered(truth, share, answerable, no_answer, draws)
                shares = (1 - (above + below) / draws, above / draws, below / draws)
                percent = (f"{100 * value:.1f} %" for value in shares)
                found.append((shape, f"{truth:g}", str(answerable), str(no_answer), *percent))
    return found


def table() -> str:
    """As it stands in the page."""
    return markdown(HEAD, rows())


if __name__ == "__main__":
    show("coverage", table())
