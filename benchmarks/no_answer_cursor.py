"""The cursor of screen 4 over 100,000 scores: from a key until everything it changes has been drawn.

Run it as `python benchmarks/no_answer_cursor.py`. The set is made up in memory: three runs over 100,000
queries, half of them without an answer. The app runs without a terminal, driven by keys. CPU time of all
threads; the median over steps to the right and back, and the slowest of them. What the driving itself takes,
a key that does nothing, is measured too, and is part of both.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from large_set import large_set
from textual.pilot import Pilot

from ragtui.dataset.model import EvaluationSet, Run
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.no_answer import NoAnswerScreen
from ragtui.workspace import Workspace

QUERIES, DEPTH, CHUNKS, STEPS = 100_000, 5, 20_000, 24
BAR = 50.0
SIZES = ((80, 24), (120, 36), (200, 50))


def made_up() -> EvaluationSet:
    """Three runs whose scores tell answerable queries apart, each on an axis of its own."""
    rng = np.random.default_rng(7)
    made = large_set(QUERIES, DEPTH, CHUNKS)
    is_answerable = np.arange(QUERIES) % 2 == 0
    answerable = pd.Series(is_answerable.tolist(), index=made.queries.index, dtype=object)
    lists = made.runs["run"].lists
    runs: dict[str, Run] = {}
    for name, middle, step in (("e5", 0.84, 0.03), ("minilm", 0.5, 0.12), ("bm25", 12.0, 5.0)):
        first = rng.normal(middle + step * is_answerable, step)
        scores = np.repeat(first, DEPTH) - np.tile(np.arange(DEPTH), QUERIES) * step / 10
        runs[name] = replace(made.runs["run"], name=name, lists=replace(lists, scores=scores))
    return replace(made, queries=made.queries.assign(answerable=answerable), runs=runs)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything has been drawn."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def key(pilot: Pilot[None], name: str) -> float:
    """CPU milliseconds of a key."""
    start = time.process_time()
    await pilot.press(name)
    await settle(pilot)
    return 1000 * (time.process_time() - start)


async def step(pilot: Pilot[None], name: str) -> float:
    """CPU milliseconds of a key that has to move the cursor."""
    screen = pilot.app.screen
    if not isinstance(screen, NoAnswerScreen) or screen.panel is None:
        raise TypeError(f"on top is {screen}")
    before = screen.panel.cursor
    spent = await key(pilot, name)
    if before is None or screen.panel.cursor == before:
        raise RuntimeError(f"{name} did not move the cursor")
    return spent


async def sitting(workspace: Workspace, size: tuple[int, int]) -> dict[str, list[float]]:
    """Milliseconds of keys by what they do."""
    async with RagtuiApp(workspace).run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await settle(pilot)
        return {
            "nothing": [await key(pilot, "f9") for _ in range(STEPS)],
            "coarse": [await step(pilot, name) for name in ["right"] * STEPS + ["left"] * STEPS],
            "fine": [await step(pilot, name) for name in ["shift+right"] * STEPS + ["shift+left"] * STEPS],
        }


def main() -> None:
    """Print ours, the bar and the ratio, by size and step."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["RAGTUI_DATA_DIR"] = state
        evaluation = made_up()
        start = time.process_time()
        workspace = Workspace(evaluation, state=Path(state) / "state")
        workspace.calibration("e5")
        print(
            f"{QUERIES:,} scores of each run; the threshold of one takes {time.process_time() - start:.1f} s"
        )
        for size in SIZES:
            spent = asyncio.run(sitting(workspace, size))
            nothing = statistics.median(spent["nothing"])
            for step in ("coarse", "fine"):
                ours, slowest = statistics.median(spent[step]), max(spent[step])
                print(
                    f"{size[0]} x {size[1]}, {step} step: {ours:5.1f} ms, slowest {slowest:5.1f} ms "
                    f"(nothing: {nothing:.1f} ms)  bar < {BAR:g} ms  {ours / BAR:.2f}"
                )


if __name__ == "__main__":
    main()
