"""Means of 12 metrics from dicts of dicts, 10,000 queries × 100 results in disorder, beside pytrec_eval.

Run it as `python benchmarks/dicts.py`. Both sides get the same `{query: {chunk: grade}}` and
`{query: {chunk: score}}` and sort the lists themselves; ours is `ragtui.evaluate`. CPU seconds, sides in
turn, medians of five. The means are compared first.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytrec_eval
from made_up import IN_TREC_EVAL, METRICS, OF_TREC_EVAL, write
from measuring import in_turn

import ragtui

BAR = 2.0


def main() -> None:
    """Compare, then measure, and print ours, the peer's, the ratio and the bar."""
    with tempfile.TemporaryDirectory() as folder:
        gold_file, _, run_file = write(Path(folder))
        with gold_file.open() as of_gold, run_file.open() as of_run:
            gold, run = pytrec_eval.parse_qrel(of_gold), pytrec_eval.parse_run(of_run)

    def ours() -> dict[str, float]:
        means = ragtui.evaluate(gold, run, METRICS, convention="trec")
        return {name: float(means[name].iloc[0]) for name in METRICS}

    def theirs() -> dict[str, float]:
        found = pytrec_eval.RelevanceEvaluator(gold, OF_TREC_EVAL).evaluate(run)
        pairs = zip(METRICS, IN_TREC_EVAL, strict=True)
        return {name: sum(values[peer] for values in found.values()) / len(found) for name, peer in pairs}

    mine, peer = ours(), theirs()
    worst = max(abs(mine[name] - peer[name]) for name in METRICS)
    if worst > 1e-9:
        raise SystemExit(f"the means differ by {worst}")
    sides = in_turn(ours, theirs)
    ratio = 1 / sides.ratio
    print(f"ours {sides.ours:.2f} s CPU, pytrec_eval {sides.peer:.2f} s, ratio {ratio:.1f}, bar >= {BAR:g}")


if __name__ == "__main__":
    main()
