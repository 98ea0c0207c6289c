"""TREC files to means of 12 metrics, 10,000 queries × 100 results, beside pytrec_eval and ranx.

Run it as `python benchmarks/trec_files.py`. Every side starts from the two files on disk and ends with the
means. Ours goes through the door that `ragtui eval` uses, with all checks on: repeats, ties, NaN, order,
unknown ids. Wall seconds, since files are read with two threads; sides in turn, medians of five. The means
are compared first.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytrec_eval
from made_up import IN_TREC_EVAL, METRICS, OF_RANX, OF_TREC_EVAL, write

from ragtui.dataset.reading import open_pair
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens

ROUNDS = 5
LENS = Lens(convention="trec", metrics=tuple(METRICS))
BARS = {"ordered": 4.0, "shuffled": 3.0}
BAR_RANX = 10.0

Means = dict[str, float]


def ours(gold: Path, run: Path) -> Means:
    """Means by our names."""
    result = Workspace(open_pair(gold, {"run": run}), state=gold.parent / "state").result("run", LENS)
    return {name: float(result.table[name].mean()) for name in METRICS}


def theirs(gold: Path, run: Path) -> Means:
    """Means of pytrec_eval, by our names."""
    with gold.open() as of_gold, run.open() as of_run:
        qrels, lists = pytrec_eval.parse_qrel(of_gold), pytrec_eval.parse_run(of_run)
    found = pytrec_eval.RelevanceEvaluator(qrels, OF_TREC_EVAL).evaluate(lists)
    pairs = zip(METRICS, IN_TREC_EVAL, strict=True)
    return {name: sum(values[peer] for values in found.values()) / len(found) for name, peer in pairs}


def of_ranx(gold: Path, run: Path) -> object:
    """Means of ranx."""
    from ranx import Qrels, Run, evaluate

    qrels, lists = Qrels.from_file(str(gold), kind="trec"), Run.from_file(str(run), kind="trec")
    return evaluate(qrels, lists, OF_RANX, make_comparable=True)


def seconds(work: Callable[[Path, Path], object], gold: Path, run: Path) -> float:
    """Wall seconds of one call."""
    start = time.perf_counter()
    work(gold, run)
    return time.perf_counter() - start


def main() -> None:
    """Compare, then measure, and print ours, the peer's, the ratio and the bar."""
    with tempfile.TemporaryDirectory() as folder:
        gold, *runs = write(Path(folder))
        for run in runs:
            mine, peer = ours(gold, run), theirs(gold, run)
            worst = max(abs(mine[name] - peer[name]) for name in METRICS)
            if worst > 1e-9:
                raise SystemExit(f"{run.stem}: the means differ by {worst}")
            rounds = [(seconds(ours, gold, run), seconds(theirs, gold, run)) for _ in range(ROUNDS)]
            report(f"{run.stem}, pytrec_eval", rounds, BARS[run.stem])
        of_ranx(gold, runs[0])  # compiles
        rounds = [(seconds(ours, gold, runs[0]), seconds(of_ranx, gold, runs[0])) for _ in range(3)]
        report("ordered, ranx", rounds, BAR_RANX)


def report(what: str, rounds: list[tuple[float, float]], bar: float) -> None:
    """One line: medians of both sides, the median of their ratios, the bar."""
    mine, peer = (statistics.median(side) for side in zip(*rounds, strict=True))
    ratio = statistics.median(b / a for a, b in rounds)
    print(f"{what}: ours {mine:.2f} s, peer {peer:.2f} s, ratio {ratio:.1f}, bar >= {bar:g}")


if __name__ == "__main__":
    main()
