"""Memory of `ragtui check` over a run of 1 GB, beside the table it builds; what is said of 10,000 faults.

Run it as `python benchmarks/check_run.py`; it needs 2.5 GB of disk in the temporary folder. Each check is a
process of its own, whose peak memory the kernel tells; what the process needs before it reads anything is
taken off. The table is ids, codes, scores and offsets of the lists. Then the same run with 10,000 lines
broken: the first faults of each kind are shown, all are counted. Linux only: it reads /proc.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

QUERIES, DEPTH, CHUNKS, BROKEN = 26_500, 1_000, 1_000_000, 10_000
ROUNDS = 3
BAR = 300
SHOWN_LINES = 200

CHECK = """
import sys
import pyarrow.csv, ragtui.cli.main, ragtui.cli.check, ragtui.dataset.reading
from pathlib import Path
def of_kernel(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
before = of_kernel("VmRSS")
sys.argv = ["ragtui", "check", "--qrels", sys.argv[1], "--run", "run=" + sys.argv[2]]
try:
    ragtui.cli.main.main()
finally:
    print(of_kernel("VmHWM") - before, file=sys.stderr)
"""


def main() -> None:
    """Print peak, table, their difference and the bar, then what is shown of the broken run."""
    with tempfile.TemporaryDirectory() as folder:
        gold, sound, broken = write(Path(folder))
        print(f"run of {sound.stat().st_size / 1e9:.2f} GB, {QUERIES * DEPTH:,} results")
        rounds = [check(gold, sound, 0) for _ in range(ROUNDS)]
        peak, seconds = (statistics.median(side) for side in list(zip(*rounds, strict=True))[:2])
        table = table_of(gold, sound)
        print(
            f"peak {peak:.0f} MB, table {table:.0f} MB, beyond it {peak - table:.0f} MB, bar < {BAR} MB; "
            f"{seconds:.0f} s"
        )
        peak, seconds, said = check(gold, broken, 2)
        lines = said.splitlines()
        print(
            f"{BROKEN:,} faults: {len(lines)} lines, bar < {SHOWN_LINES}; peak {peak:.0f} MB; {seconds:.0f} s"
        )
        print(lines[0], *lines[-1:], sep="\n")


def check(gold: Path, run: Path, expected: int) -> tuple[float, float, str]:
    """Megabytes at the peak, seconds, and what was said."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CHECK, str(gold), str(run)], capture_output=True, text=True, check=False
    )
    if done.returncode != expected:
        raise SystemExit(f"check ended with {done.returncode}: {done.stderr}")
    return float(done.stderr.splitlines()[-1]), time.perf_counter() - start, done.stdout


def table_of(gold: Path, run: Path) -> float:
    """Megabytes of the lists as they are kept."""
    from ragtui.dataset.reading import open_pair

    lists = open_pair(gold, {"run": run}).runs["run"].lists
    return float(lists.chunk_ids.nbytes + lists.scores.nbytes + lists.offsets.nbytes) / 2**20


def write(folder: Path) -> tuple[Path, Path, Path]:
    """Qrels, a run, and the same run with some lines that are cut off, no number, or have a decimal comma."""
    rng = np.random.default_rng(0)
    gold, sound, broken = (folder / name for name in ("qrels.trec", "sound.trec", "broken.trec"))
    scores = [f"{score:.6f}" for score in np.sort(rng.random(DEPTH))[::-1] * 30]
    odd = set(rng.choice(QUERIES * DEPTH, BROKEN, replace=False).tolist())
    with gold.open("w") as of_gold, sound.open("w") as of_sound, broken.open("w") as of_broken:
        for query in range(QUERIES):
            chunks = rng.choice(CHUNKS, DEPTH, replace=False).tolist()
            of_gold.writelines(f"q{query} 0 doc{chunk:07d} 1\n" for chunk in chunks[:5])
            lines = [
                f"q{query} Q0 doc{chunk:07d} {rank} {score} made-up\n"
                for rank, (chunk, score) in enumerate(zip(chunks, scores, strict=True), start=1)
            ]
            of_sound.writelines(lines)
            wrong = [f"q{query} Q0 x\n", f"q{query} Q0 x 1 nan made-up\n", f"q{query} Q0 x 1 0,5 made-up\n"]
            first = query * DEPTH
            of_broken.writelines(
                wrong[(first + place) % 3] if first + place in odd else line
                for place, line in enumerate(lines)
            )
    return gold, sound, broken


if __name__ == "__main__":
    main()
