"""100,000 verdicts beside a set: reading them, against a loop of `get` over diskcache.

Run it as `python benchmarks/judging_verdicts.py`. The set is made up and lies in a temporary folder: 20,000
queries, each with five chunks of some 500 characters judged by one model. Ours is the verdict table as
opening the set reads it, every field of every verdict, from what was kept when the file was parsed first; the
first parse is told apart. The peer is a diskcache with its own defaults that holds the same 100,000 replies,
and gets each of them as text. CPU seconds, medians of five rounds in turn; the files are in the cache of the
operating system for both.

What follows has no peer and is told as it is: joining the verdicts to the lists of a run, which makes the
hash of every text to see which verdict is still about it, scores every query, and finds where judge and gold
differ; and the plan of judging all of it once more, with its calls.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

import diskcache
import numpy as np
import orjson
from measuring import ROUNDS, cpu_seconds, in_turn

from ragtui.judging import table
from ragtui.judging.interpret import verdicts_from
from ragtui.judging.model import Reply
from ragtui.workspace import Workspace

QUERIES, DEPTH = 20_000, 5
FASTER = 5.0
JUDGE, MODEL = "context-precision", "lab/made-up"
WORDS = ("the", "fare", "of", "a", "taxi", "is", "paid", "where", "no", "train", "runs", "before", "six")


def main() -> None:
    """Print CPU of both, the ratio and the bar, then joining and the calls of a second run."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RAGTUI_CACHE_DIR"] = f"{folder}/cache"
        place = Path(folder) / "set"
        write_set(place)
        workspace = Workspace.open(place)
        record(workspace)
        queries = workspace.table("made-up", DEPTH)
        replies = diskcache_of(Path(folder) / "replies")
        keys = list(replies)

        asker = workspace.judgments.asker(JUDGE, MODEL)

        def ours() -> None:
            workspace.forget_verdicts()
            if len(workspace.judgments.table(asker)) != QUERIES * DEPTH:
                raise ValueError("not all verdicts were read")

        def peer() -> None:
            for key in keys:
                replies.get(key)

        first = cpu_seconds(ours)
        sides = in_turn(ours, peer)
        print(
            f"reading {QUERIES * DEPTH:,} verdicts: {sides.ours:.3f} s, diskcache {sides.peer:.3f} s, "
            f"{1 / sides.ratio:.1f} × as fast, bar ≥ {FASTER:g} ×; the first time {first:.2f} s"
        )
        joining = statistics.median(
            cpu_seconds(lambda: workspace.with_verdicts(queries)) for _ in range(ROUNDS)
        )
        print(f"joining them to the lists of a run: {joining:.2f} s")
        calls: list[int] = []
        seconds = cpu_seconds(lambda: calls.append(planned(workspace)))
        print(f"a second run of the same: {calls[0]} calls, bar 0; planned in {seconds:.1f} s")


def write_set(place: Path) -> None:
    """A set in the native form; the first chunk of each list is gold."""
    rng = np.random.default_rng(0)
    (place / "runs").mkdir(parents=True)
    (place / "qrels").mkdir()
    queries = [
        {"_id": f"q{n}", "text": f"question {n}: {text(rng, 8)}", "metadata": {"reference": text(rng, 20)}}
        for n in range(QUERIES)
    ]
    chunks = [{"_id": f"c{n}", "text": f"{n} {text(rng, 100)}"} for n in range(QUERIES * DEPTH)]
    lists = [[f"c{n * DEPTH + place}" for place in range(DEPTH)] for n in range(QUERIES)]
    gold = [{"query_id": f"q{n}", "chunk_id": chunk_ids[0], "grade": 1} for n, chunk_ids in enumerate(lists)]
    run = [
        {"query_id": f"q{n}", "results": [{"chunk_id": c, "score": -i} for i, c in enumerate(chunk_ids)]}
        for n, chunk_ids in enumerate(lists)
    ]
    for name, rows in (
        ("queries", queries),
        ("corpus", chunks),
        ("qrels/dev", gold),
        ("runs/made-up", run),
    ):
        (place / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def text(rng: np.random.Generator, words: int) -> str:
    """So many words in disorder."""
    return " ".join(WORDS[i] for i in rng.integers(0, len(WORDS), words))


def record(workspace: Workspace) -> None:
    """A verdict on every chunk of every list, as a run of judging leaves them."""
    judgments = workspace.judgments
    asker = judgments.asker(JUDGE, MODEL)
    rng = np.random.default_rng(1)
    works = judgments.plan(judgments.selected("made-up", asker, DEPTH), asker).to_ask
    answers = []
    for work in works:
        reply = Reply(f'{{"reason": "{text(rng, 12)}", "verdict": {rng.integers(0, 2)}}}', "stop", 700, 40)
        answers.append((work.key, verdicts_from(asker.judge, work.item, reply, model=MODEL)))
    table.append(judgments.folder, asker.judge, MODEL, answers)
    judgments.forget()


def planned(workspace: Workspace) -> int:
    """Calls of judging everything again."""
    judgments = workspace.judgments
    asker = judgments.asker(JUDGE, MODEL)
    return judgments.plan(judgments.selected("made-up", asker, DEPTH), asker).calls


def diskcache_of(folder: Path) -> diskcache.Cache:
    """The replies as diskcache holds them by default."""
    rng = np.random.default_rng(1)
    replies = diskcache.Cache(str(folder), size_limit=1 << 32)
    with replies.transact():
        for n in range(QUERIES * DEPTH):
            said = {
                "model": MODEL,
                "text": text(rng, 12),
                "finish": "stop",
                "tokens_in": 700,
                "tokens_out": 40,
            }
            replies.set(f"{n:064x}", orjson.dumps(said).decode())
    return replies


if __name__ == "__main__":
    main()
