"""The app over 100,000 queries × 50 results and 200,000 chunks: what is waited for, and what it takes.

Run it as `python benchmarks/query_table.py` on Linux. The set is made up in memory; the app runs without a
terminal, at 120 × 36, driven by keys. CPU time of all threads from a key until everything that it set off has
been drawn, the preview too. First paint is counted from the app being made, with metrics and table of the
run. Medians of five; what is said of a filter is the median over its letters, and the slowest of them. Memory
is what the process grew by since the same sitting over a hundred queries: once the set is there, and after
the sitting. The hashes of the set, which the app makes in the background, are made beforehand.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from large_set import large_set
from textual.pilot import Pilot
from textual.screen import Screen

from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.state.query_list import WORST, Sort
from ragtui.workspace import Workspace

QUERIES, DEPTH, CHUNKS, ROUNDS = 100_000, 50, 200_000, 5
FILTERS = ("hotel 酒店", "type:direct", "id:query-0999", "rank:none", "needs:document-1", "chunk:document-1")
SORTS = ("text", "type", "first_rank", "ndcg@K", WORST)


@dataclass(frozen=True, slots=True)
class Measured:
    """One claim: what was measured, and the bar that it has to stay under."""

    what: str
    value: float
    unit: str
    bar: float

    def say(self) -> None:
        """Print ours, the bar, and ours as a share of it."""
        share = self.value / self.bar
        print(
            f"{self.what:40} {self.value:7.2f} {self.unit:2}  bar < {self.bar:g} {self.unit:2}  {share:.2f}"
        )


def megabytes() -> float:
    """Memory of this process now, without what has been freed and not yet given back."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Person:
    """Somebody at the app, with a watch."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> QueriesScreen:
        """The list of queries."""
        screen = self.pilot.app.screen
        if not isinstance(screen, QueriesScreen):
            raise TypeError(f"on top is {screen}")
        return screen

    async def settle(self) -> None:
        """Wait until everything has been drawn."""
        await self.pilot.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def key(self, key: str) -> float:
        """CPU milliseconds of a key."""
        start = time.process_time()
        await self.pilot.press(key)
        await self.settle()
        return 1000 * (time.process_time() - start)

    async def keys(self, *keys: str) -> list[float]:
        """CPU milliseconds of each key."""
        return [await self.key(key) for key in keys]

    async def typed(self, text: str) -> list[float]:
        """CPU milliseconds of each letter of a filter, which is then taken away."""
        await self.key("slash")
        named = {" ": "space", ":": "colon", "-": "minus", ">": "greater_than_sign"}
        spent = await self.keys(*(named.get(letter, letter) for letter in text))
        self.screen.field.value = ""
        await self.keys("escape", "escape")
        return spent

    async def sort(self, sort: Sort) -> float:
        """CPU milliseconds of sorting the list."""
        start = time.process_time()
        self.screen._sort(sort)
        await self.settle()
        return 1000 * (time.process_time() - start)


def is_drawn(screen: Screen[object]) -> bool:
    """Whether a query stands on the screen, which is drawn for that."""
    strips = screen._compositor.render_strips() if getattr(screen, "has_rows", False) else []
    return any("query-" in segment.text for strip in strips for segment in strip)


async def first_paint(workspace: Workspace) -> float:
    """CPU seconds until the first rows of a set that has not been looked at have been drawn."""
    start = time.process_time()
    app = RagtuiApp(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        while not is_drawn(app.screen):
            await asyncio.sleep(0.005)
        spent = time.process_time() - start
        await Person(pilot).settle()
        return spent


async def sitting(workspace: Workspace) -> list[Measured]:
    """Move, change K, filter and sort."""
    async with RagtuiApp(workspace).run_test(size=(120, 36)) as pilot:
        person = Person(pilot)
        await person.settle()
        nothing = statistics.median(await person.keys(*["f9"] * ROUNDS))
        moves = await person.keys(*["j", "k", "G", "g", "ctrl+d", "ctrl+u", "pagedown", "n"] * ROUNDS)
        ks = await person.keys(*["right_square_bracket", "left_square_bracket"] * ROUNDS)
        found = [
            Measured(f"a key that moves (nothing: {nothing:.0f} ms)", statistics.median(moves), "ms", 50),
            Measured("another K", statistics.median(ks), "ms", 100),
        ]
        for text in FILTERS:
            found += spent_on(f"filter {text}", await person.typed(text))
        for by in SORTS:
            times = [await person.sort(Sort(by, reverse)) for reverse in (False, True, False, True, False)]
            found.append(Measured(f"sort by {by}", statistics.median(times), "ms", 300))
            found.append(Measured("  the first time", times[0], "ms", 300))
        return found


def spent_on(what: str, letters: list[float]) -> Iterator[Measured]:
    """What letters took: typing is answered within 100 ms, and the filter is there within 300."""
    yield Measured(what, statistics.median(letters), "ms", 100)
    yield Measured("  the slowest letter", max(letters), "ms", 300)


def main() -> None:
    """Print one line for each claim."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["RAGTUI_DATA_DIR"] = state
        asyncio.run(sitting(Workspace(large_set(100, DEPTH, 1000), state=Path(state) / "small")))
        before = megabytes()
        evaluation = large_set(QUERIES, DEPTH, CHUNKS)
        data = megabytes() - before
        print(f"{QUERIES:,} queries x {DEPTH}, {CHUNKS:,} chunks, corpus {evaluation.hashes.corpus[:6]}")
        for measured in asyncio.run(sitting(Workspace(evaluation, state=Path(state) / "used"))):
            measured.say()
        Measured(f"memory, of {data:.0f} MB of data", (megabytes() - before) / data, "x", 2).say()
        fresh = [Workspace(evaluation, state=Path(state) / str(n)) for n in range(ROUNDS)]
        paints = [asyncio.run(first_paint(workspace)) for workspace in fresh]
        Measured("first paint", statistics.median(paints), "s", 1).say()


if __name__ == "__main__":
    main()
