"""The app under test: opened, driven by keys, read as it is drawn."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.workspace import Workspace


async def settled(pilot: Pilot[None]) -> None:
    """Everything that was started has ended and is drawn."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@asynccontextmanager
async def opened(
    workspace: Workspace, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Pilot[None], QueriesScreen]]:
    """The app on the queries of a set."""
    app = RagtuiApp(workspace)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, QueriesScreen)
        yield pilot, screen


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and wait for what they do."""
    await pilot.press(*keys)
    await settled(pilot)


async def search(pilot: Pilot[None], screen: QueriesScreen, text: str) -> None:
    """Put a filter into the field and apply it, without a press for every letter."""
    await pilot.press("slash")
    screen.field.value = text
    await press(pilot, "enter")


def lines(pilot: Pilot[None]) -> list[str]:
    """The screen as it is drawn, each line to its full width."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def page(pilot: Pilot[None]) -> str:
    """The screen as it is drawn, without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in lines(pilot))


def row_of(pilot: Pilot[None], query_id: str) -> str:
    """The line of a query in the list."""
    return next(line for line in page(pilot).splitlines() if f" {query_id} " in line)


def said(pilot: Pilot[None]) -> list[str]:
    """Notices that were given."""
    return [notice.message for notice in pilot.app._notifications]
