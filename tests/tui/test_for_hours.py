"""The app is used for hours: what was looked at and closed is let go."""

from __future__ import annotations

import gc
import weakref

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.widgets.lines import Lines
from ragtui.workspace import Workspace
from tests.tui.driving import opened, press


async def test_closed_screens_leave_no_drawn_lines_behind(judged: Workspace) -> None:
    async with opened(judged, (80, 24)) as (pilot, _):
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, DetailScreen)
        drawn = [weakref.ref(widget._styles_cache) for widget in pilot.app.screen.query(Lines)]
        assert drawn
        await press(pilot, "escape", "question_mark", "escape")
        gc.collect()
        assert [kept() for kept in drawn] == [None] * len(drawn)
