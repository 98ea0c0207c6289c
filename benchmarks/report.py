"""A report over 10,000 queries × 50 results, two runs and 20,000 chunks, against what a person waits for.

Run it as `python benchmarks/report.py`. The set is made up. CPU seconds of all threads, medians of three with
the bar and as a share of it: of a report of a set that is open (measured, worded, drawn as HTML), of the same
with a baseline, and of the whole command, which starts and reads the set from a folder.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from large_set import large_set

from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.ranked_lists import RankedLists
from ragtui.dataset.writing import write_native
from ragtui.report.build import build_report
from ragtui.report.render.html import html
from ragtui.report.words.page_of import compose
from ragtui.workspace import Workspace

QUERIES, DEPTH, CHUNKS, ROUNDS = 10_000, 50, 20_000, 3
BAR = 5.0


def made_set() -> EvaluationSet:
    """Two runs, the second of which has every list the other way round."""
    evaluation = large_set(QUERIES, DEPTH, CHUNKS)
    first = evaluation.runs["run"]
    ids = {str(query): first.lists.list_of(query)[0][::-1] for query in first.lists.query_ids}
    scores = {query: [float(DEPTH - place) for place in range(len(ranked))] for query, ranked in ids.items()}
    second = Run("second", RankedLists.from_lists(ids, scores), card=first.card)
    answerable = evaluation.queries.index[[value is not False for value in evaluation.queries["answerable"]]]
    gold = evaluation.gold[evaluation.gold["query_id"].isin(answerable)]
    return replace(evaluation, gold=gold, runs={"run": first, "second": second})


def of_open_set(evaluation: EvaluationSet, state: Path, baseline: str | None) -> float:
    """CPU seconds of a report, its hashes included, which are part of it."""
    workspace = Workspace(evaluation, state=state)
    start = time.process_time()
    report = build_report(workspace, run="run", baseline=baseline, time="2026-11-30T00:00:00+00:00")
    html(compose(report, "en"))
    return time.process_time() - start


def of_command(folder: Path, home: Path) -> float:
    """CPU seconds of the whole command."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "ragtui", "report", folder, "--run", "run", "-o", home / "report.html"]
    before = os.times()
    subprocess.run(
        [str(part) for part in command],
        check=True,
        env=kept | {"RAGTUI_DATA_DIR": str(home), "LANG": "C.UTF-8"},
        stderr=subprocess.DEVNULL,
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def say(what: str, spent: Callable[[], float]) -> None:
    """Print the median of a few rounds after one that is not counted, the bar, and ours as a share of it."""
    spent()
    median = statistics.median(spent() for _ in range(ROUNDS))
    print(f"{what:40} {median:6.2f} s   bar < {BAR:g} s  {median / BAR:.2f}")


def main() -> None:
    """Print one line for each claim."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["RAGTUI_DATA_DIR"] = folder
        evaluation = made_set()
        say("a report of an open set", lambda: of_open_set(evaluation, home / "state", None))
        say("the same with a baseline", lambda: of_open_set(evaluation, home / "state", "second"))
        write_native(evaluation, home / "set")
        say("the command, start and reading included", lambda: of_command(home / "set", home))


if __name__ == "__main__":
    main()
