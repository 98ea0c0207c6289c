"""Keys of the review loop over a journal of 100,000 events: from the key until its event is on disk.

Run it as `python benchmarks/review_app.py`. Set and journal are made up: 10,000 queries, of which some
thousands fail, and the events of `journal.py`, which are about these queries too. The app runs without a
terminal; `a` accepts suggestion after suggestion (one that is held back is tagged and not counted), `t` and
a letter tag, `u` undoes. Wall milliseconds from the event of a key until the journal has its own on disk, by
fsync, since a person waits for the disk; and CPU milliseconds until everything that the key changes has been
drawn, with what a key that does nothing takes (the driving of the app) beside them. Opening is CPU seconds
from the start of the app until the list stands, with the journal and without.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from journal import written
from large_set import large_set
from textual.pilot import Pilot

from ragtui.review.events import Event, What
from ragtui.review.journal import Journal
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.workspace import Workspace

QUERIES, DEPTH, CHUNKS, EVENTS, STEPS = 10_000, 20, 20_000, 100_000, 40
SAVED, DRAWN = 50.0, 100.0
"""Bars: milliseconds from a key to its event on disk, and until a key has been answered."""


class Watched:
    """When the journal acknowledged, whoever wrote."""

    def __init__(self) -> None:
        self.saved = 0.0
        append = Journal.append

        def watched(journal: Journal, *whats: What) -> tuple[Event, ...]:
            events = append(journal, *whats)
            self.saved = time.perf_counter()
            return events

        Journal.append = watched  # type: ignore[method-assign]


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything has been drawn."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def key(pilot: Pilot[None], watched: Watched, *names: str) -> tuple[float, float]:
    """Milliseconds from the last of some keys: wall until its event is on disk, CPU until all is drawn."""
    *before, last = names
    if before:
        await pilot.press(*before)
        await settle(pilot)
    wall, cpu = time.perf_counter(), time.process_time()
    pilot.app.simulate_key(last)
    await settle(pilot)
    return 1000 * (watched.saved - wall), 1000 * (time.process_time() - cpu)


async def accepted(pilot: Pilot[None], watched: Watched) -> tuple[float, float]:
    """What accepting takes."""
    before = watched.saved
    spent = await key(pilot, watched, "a")
    if watched.saved == before:
        await pilot.press("t", "n")
        await settle(pilot)
        return await accepted(pilot, watched)
    return spent


async def sitting(workspace: Workspace, watched: Watched) -> dict[str, list[tuple[float, float]]]:
    """What keys took, by what they do."""
    async with RagtuiApp(workspace).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        if not isinstance(screen, QueriesScreen):
            raise TypeError(str(screen))
        screen.field.value = "is:to-review"
        await settle(pilot)
        first = await key(pilot, watched, "a")
        found = {
            "nothing": [await key(pilot, watched, "f9") for _ in range(STEPS)],
            "the first accept": [first],
            "accept": [await accepted(pilot, watched) for _ in range(STEPS)],
            "tag by a letter": [await key(pilot, watched, "t", "n") for _ in range(STEPS)],
            "undo": [await key(pilot, watched, "u") for _ in range(STEPS)],
        }
        await pilot.press("enter")
        await settle(pilot)
        found["accept in the detail"] = [await accepted(pilot, watched) for _ in range(STEPS)]
        return found


async def opening(workspace: Workspace) -> float:
    """CPU seconds until the list stands."""
    start = time.process_time()
    async with RagtuiApp(workspace).run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        return time.process_time() - start


def told(name: str, spent: Sequence[tuple[float, float]], *, saves: bool) -> None:
    """Print a line."""
    parts = [_told("on disk", "wall", SAVED, [wall for wall, _ in spent])] if saves else []
    parts.append(_told("drawn", "CPU", DRAWN, [cpu for _, cpu in spent]))
    print(f"{name:<22}{'   '.join(parts)}")


def _told(what: str, clock: str, bar: float, spent: Sequence[float]) -> str:
    median = statistics.median(spent)
    return (
        f"{what} {median:6.1f} ms {clock}, at worst {max(spent):6.1f}  bar < {bar:g} ms  {median / bar:.2f}"
    )


def main() -> None:
    """Print ours, the bars and the ratios."""
    made = large_set(QUERIES, DEPTH, CHUNKS)
    watched = Watched()
    with tempfile.TemporaryDirectory() as place:
        without = asyncio.run(opening(Workspace(made, state=Path(place) / "without")))
        state = written(Path(place) / "state", EVENTS)
        opened = asyncio.run(opening(Workspace(made, state=state)))
        print(f"opening with {EVENTS:,} events {opened:.2f} s CPU, without {without:.2f} s")
        for name, spent in asyncio.run(sitting(Workspace(made, state=state), watched)).items():
            told(name, spent, saves=name != "nothing")


if __name__ == "__main__":
    main()
