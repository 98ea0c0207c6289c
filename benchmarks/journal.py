"""The journal of decisions: how long it takes to open, and from a decision until it is on disk.

Run it as `python benchmarks/journal.py`. Journals of 100,000 and of 1,000,000 events are made up: tags, notes
and grades of three reviewers about 200,000 queries, every hundredth undone. Opening is measured in a process
of its own, reading the causes of all queries apart from it. The peer of opening is the least that a reader of
such a file could do, `json.loads` of every line; that of a decision is a commit to SQLite on the same disk,
synchronous=FULL. Both of a pair take turns. Seconds of opening are CPU seconds, and wall seconds beside them;
those of a decision are wall seconds, because it waits for the disk.
"""

from __future__ import annotations

import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ragtui.review.events import Event, Grade, Note, Tag, Undo, What, place_of
from ragtui.review.given import GivenCauses
from ragtui.review.journal import FILE, Journal
from ragtui.review.lines import line_of

REVIEWERS, QUERIES, CHUNKS, DECISIONS, ROUNDS = ("ann", "bob", "王芳"), 200_000, 5_000, 200, 3
CAUSES = ("ranking", "stale-version", "chunk-boundary", "partial-evidence")

OPEN = """
import sys, time, resource
from pathlib import Path
from ragtui.review.given import GivenCauses
from ragtui.review.journal import Journal
wall, cpu = time.perf_counter(), time.process_time()
journal = Journal.open(Path(sys.argv[1]), "ann")
opened = time.perf_counter() - wall, time.process_time() - cpu
cpu = time.process_time()
given = GivenCauses(journal.state)
causes = time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
print(*opened, causes, peak, len(given.by_query), journal.set_aside)
"""

LOADS = """
import sys, time, json
from pathlib import Path
content = Path(sys.argv[1]).read_bytes()
cpu = time.process_time()
for line in content.splitlines():
    json.loads(line)
print(time.process_time() - cpu)
"""


def events(n: int) -> Iterator[Event]:
    """Decisions as people make them."""
    earlier: list[Event] = []
    for number in range(n):
        reviewer, query_id = REVIEWERS[number % 3], f"query-{number * 7919 % QUERIES:06d}"
        what: What
        if number % 100 == 99:
            last = earlier[-3]  # of the same reviewer
            what = Undo(last.id, *place_of(last.what))
        elif number % 4 == 3:
            what = Grade(query_id, f"document-{number % CHUNKS}#2", 3.0, 0.0, in_sight=("bm25", "e5-small"))
        elif number % 10 == 0:
            what = Note(query_id, "read it again, the table goes on overleaf")
        else:
            cause = CAUSES[number % 4]
            what = Tag(query_id, (cause,), run="e5-small", k=5, suggested=cause, session="3fa9c1d2")
        event = Event(f"{number:016x}", time_of(number), reviewer, what)
        earlier = [*earlier[-2:], event]
        yield event


def time_of(number: int) -> str:
    """One decision a second, for an hour over and over."""
    return f"2026-11-30T09:{number // 60 % 60:02d}:{number % 60:02d}.000000+00:00"


def written(folder: Path, n: int) -> Path:
    """A journal of `n` events."""
    folder.mkdir()
    with (folder / FILE).open("wb") as file:
        for event in events(n):
            file.write(line_of(event))
    return folder


def told(script: str, argument: Path) -> list[float]:
    """What a script prints, in a process of its own."""
    command = [sys.executable, "-c", script, str(argument)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def opening(folder: Path, n: int, bar: float) -> None:
    """Open it, and let the peer read it."""
    ours, peer = [], []
    for _ in range(ROUNDS):
        ours.append(told(OPEN, folder))
        peer.append(told(LOADS, folder / FILE)[0])
    wall, cpu, causes, peak, *_ = (statistics.median(column) for column in zip(*ours, strict=True))
    loads = statistics.median(peer)
    size = (folder / FILE).stat().st_size / 1e6
    print(
        f"opening {n:>9,} events ({size:.0f} MB)  {cpu:5.2f} s CPU, {wall:5.2f} s wall  bar < {bar:g} s"
        f"  {cpu / bar:.2f}   json.loads {loads:.2f} s, {cpu / loads:.2f} of it"
        f"   causes of all queries {causes:.2f} s   peak {peak:.0f} MB"
    )


def deciding(folder: Path, n: int, bar: float) -> None:
    """From a decision until it is on disk and folded, and the same by SQLite."""
    journal = Journal.open(folder, "ann")
    base = sqlite3.connect(folder / "peer.db")
    base.execute("pragma synchronous=FULL")
    base.execute("create table event (line text)")
    rows = ((json.dumps({"n": number}),) for number in range(n))
    base.executemany("insert into event values (?)", rows)
    base.commit()
    given = GivenCauses(journal.state)
    ours, peer, follows = [], [], []
    for number in range(DECISIONS):
        start = time.perf_counter()
        journal.append(Tag(f"query-{number:06d}", ("noise",), run="e5-small", k=5))
        ours.append(1000 * (time.perf_counter() - start))
        start = time.perf_counter()
        given.follow(journal.state)
        follows.append(1000 * (time.perf_counter() - start))
        start = time.perf_counter()
        base.execute("insert into event values (?)", (json.dumps({"query_id": number}),))
        base.commit()
        peer.append(1000 * (time.perf_counter() - start))
    base.close()
    follow = statistics.median(follows)
    median, worst, lite = statistics.median(ours), max(ours), statistics.median(peer)
    print(
        f"a decision at {n:>9,} events   {median:5.2f} ms, at worst {worst:.1f} ms  bar < {bar:g} ms"
        f"  {median / bar:.2f}   SQLite {lite:.2f} ms   causes followed {follow:.2f} ms"
    )


def main() -> None:
    """Measure both sizes."""
    with tempfile.TemporaryDirectory() as place:
        for n, bar in ((100_000, 0.5), (1_000_000, 5.0)):
            folder = written(Path(place) / str(n), n)
            opening(folder, n, bar)
            deciding(folder, n, 50.0)


if __name__ == "__main__":
    main()
