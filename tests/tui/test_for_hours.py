"""The app is used for hours: what was looked at and closed is let go."""

from __future__ import annotations

import gc

from textual.strip import Strip

from ragtui.workspace import Workspace
from tests.tui.driving import opened, press

ROUND = ("j", "enter", "n", "tab", "escape", "5", "j", "escape", "question_mark", "escape", "g")


def lines_in_memory() -> int:
    gc.collect()
    return sum(type(thing) is Strip for thing in gc.get_objects())


async def test_closed_screens_leave_no_lines_behind(judged: Workspace) -> None:
    async with opened(judged, (80, 24)) as (pilot, _):
        counts = []
        for _ in range(4):
            await press(pilot, *ROUND)
            counts.append(lines_in_memory())
    # one round draws hundreds of lines; those of the list that stays are the same each time
    assert counts[3] < counts[1] + 100
