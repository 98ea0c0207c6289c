"""A set whose scores were made to order: two models tell answerable queries apart, and one does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from textual.pilot import Pilot

from ragtui.dataset.model import EvaluationSet, RunCard
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.tui.widgets.histogram import GUTTER
from ragtui.tui.widgets.lines import Lines
from tests.tui.conftest import made_set
from tests.tui.driving import press, settled

FOUND, MISSED = 49, 12
"""61 answerable queries: a prime, so that no two thresholds are exactly as good by Youden's rule."""
NASTY_RUN = "l2 [/b] \x1b[31m距离"


def spread(n: int, low: float, high: float) -> list[float]:
    """Numbers that fill a range evenly and in no order (van der Corput, base 2)."""
    places = [int(f"{i:b}"[::-1], 2) / 2 ** len(f"{i:b}") for i in range(1, n + 1)]
    return [round(low + place * (high - low), 4) for place in places]


def refusing_set(path: Path, *, no_answer: int = 40) -> EvaluationSet:
    """`e5` and a run of distances with a nasty name separate well, `flat` not at all; all miss 12 of 61."""
    answerable = [f"a{n:02}" for n in range(FOUND + MISSED)]
    nothing = [f"n{n:02}" for n in range(no_answer)]
    queries = [(name, f"可以回答吗 {name}?", "direct", True) for name in answerable]
    queries += [(name, f"Nobody knows {name} [/b]", "direct", False) for name in nothing]
    chunks = {f"{name}#1": (f"Title {name}", f"Text of {name}.") for name in answerable} | {
        "other#1": ("Other", "Something else.")
    }
    gold = [(name, f"{name}#1", 3.0, "it says so", None, None) for name in answerable]
    first = {
        name: f"{name}#1" if n < FOUND else "other#1" for n, name in enumerate(answerable)
    } | dict.fromkeys(nothing, "other#1")

    def lists(scores: Sequence[float], second: float) -> dict[str, list[tuple[str, float]]]:
        names = [*answerable, *nothing]
        return {
            name: [(first[name], score), ("a00#1" if first[name] != "a00#1" else "a01#1", score + second)]
            for name, score in zip(names, scores, strict=True)
        }

    n = len(answerable)
    near_misses = min(no_answer, 3)

    def nothings(low: float, high: float, near: float) -> list[float]:
        """Scores of no-answer queries, the first three of them as good as those of answerable ones."""
        return [near] * near_misses + spread(no_answer - near_misses, low, high)

    runs = {
        "e5": lists([*spread(n, 0.82, 0.94), *nothings(0.76, 0.85, 0.91)], -0.01),
        "flat": lists([*spread(n, 4.0, 30.0), *nothings(4.0, 30.0, 28.0)], -1.0),
        NASTY_RUN: lists([*spread(n, 0.2, 0.7), *nothings(0.65, 1.2, 0.3)], 0.1),
    }
    made = made_set(path, queries, chunks, gold, runs)
    distances = replace(
        made.runs[NASTY_RUN],
        direction="lower",
        card=RunCard({"depth": 10, "model": "all-MiniLM [red]", "score_direction": "lower"}),
    )
    return replace(made, runs={**made.runs, NASTY_RUN: distances})


def with_test_split(found: EvaluationSet, *, sealed: bool = False) -> EvaluationSet:
    """Every third query is in the split `test`."""
    names = np.where(np.arange(len(found.queries)) % 3 == 2, "test", "dev")
    split = pd.Series(names, index=found.queries.index, dtype=object)
    gold = found.gold.assign(split=found.gold["query_id"].map(split))
    settings = replace(found.settings, sealed=("test",) if sealed else ())
    return replace(found, query_split=split, gold=gold, settings=settings)


async def at(pilot: Pilot[None]) -> NoAnswerScreen:
    """Screen 4 with everything found out."""
    await press(pilot, "4")
    screen = pilot.app.screen
    assert isinstance(screen, NoAnswerScreen)
    return screen


def cursor(screen: NoAnswerScreen) -> float:
    assert screen.panel is not None
    assert screen.panel.cursor is not None
    return screen.panel.cursor


def fitted(screen: NoAnswerScreen) -> float:
    assert screen.panel is not None
    assert screen.panel.calibration is not None
    assert screen.panel.calibration.fitted is not None
    return screen.panel.calibration.fitted.value


def figures(screen: NoAnswerScreen) -> str:
    """What is said of the run in use, in one line."""
    facts = screen.query_one("#facts", Lines).facts
    return " ".join(" ".join(piece.text for piece in line) for line in facts).replace("  ", " ")


async def to_the_left_end(pilot: Pilot[None], screen: NoAnswerScreen, run: str) -> None:
    """The cursor at the lowest score of a run, without a key for every bin."""
    await pilot.click(screen.histograms[run], offset=(GUTTER, 3))
    await settled(pilot)
