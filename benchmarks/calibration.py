"""Refusal thresholds: fitting 10,000 queries with 10,000 resamples, and the cursor over 100,000 scores.

Run it as `python benchmarks/calibration.py`. Neither has a peer, so both stand against what a person notices.
CPU time of one process with one thread, medians of five rounds.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
from measuring import ROUNDS, cpu_seconds
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ragtui.analysis.calibration.calibrate import Aim, calibrate
from ragtui.analysis.calibration.histogram import histogram
from ragtui.analysis.calibration.rules import RULES, Rule, rule_of
from ragtui.analysis.calibration.sample import Sample
from ragtui.analysis.calibration.score_names import ScoreName

FIT_BAR, CURSOR_BAR = 2.0, 0.050


def sample(queries: int) -> Sample:
    """Half of them no-answer, a tenth of the others missed, scores all different."""
    rng = np.random.default_rng(3)
    kind = np.where(np.arange(queries) % 2, 2, np.where(np.arange(queries) % 20, 0, 1)).astype(np.int8)
    return Sample(
        split="dev",
        score=ScoreName(),
        run_direction="higher",
        k=5,
        query_ids=np.array([f"q{i}" for i in range(queries)], dtype=object),
        kind=kind,
        values=rng.normal(np.where(kind == 2, 0.0, 1.5), 1),
    )


def median(work: Callable[[], object]) -> float:
    """CPU seconds, the first round left out."""
    work()
    return statistics.median(cpu_seconds(work) for _ in range(ROUNDS))


def fit(rule: Rule) -> None:
    """Print how long a threshold takes, with its interval and the rates."""
    queries = sample(10_000)
    aim = Aim(rule=rule)
    seconds = median(lambda: calibrate("run", aim, queries, queries).rates)
    print(
        f"{rule.name}: fit of 10,000 queries with 10,000 resamples {seconds:.2f} s, bar {FIT_BAR:g} s",
        flush=True,
    )


def cursor() -> None:
    """Print how long one step of the cursor takes: rates at another threshold, and the histogram anew."""
    queries = sample(100_000)
    found = calibrate("run", Aim(), queries, queries)
    edges = iter(np.linspace(-2, 3, 2 * ROUNDS).tolist())
    seconds = median(lambda: (found.rates_live(next(edges)), histogram(queries, 120)))
    print(f"cursor over 100,000 scores: {1000 * seconds:.1f} ms, bar {1000 * CURSOR_BAR:g} ms", flush=True)


def main() -> None:
    """Print one line for each rule and one for the cursor."""
    with threadpool_limits(1):
        for name in RULES:
            fit(rule_of(name))
        cursor()


if __name__ == "__main__":
    main()
