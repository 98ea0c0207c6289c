"""The palette: every action of the screen below it, found by its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Protocol, cast, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from ragtui.messages import t
from ragtui.tui.actions import Need, Place, actions_of, keys_shown

if TYPE_CHECKING:
    from ragtui.tui.app import RagtuiApp

Found = tuple[str, str, Callable[[], object]]


@runtime_checkable
class Placed(Protocol):
    """A screen that is one of the places of the catalogue."""

    place: ClassVar[Place]

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""


class ActionCommands(Provider):
    """Actions of the catalogue, and the themes."""

    async def search(self, query: str) -> Hits:
        """Actions whose words match."""
        matcher = self.matcher(query)
        for name, what, run in self._commands():
            score = matcher.match(f"{name} {what}")
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=what)

    async def discover(self) -> Hits:
        """All actions, before anything is typed."""
        for name, what, run in self._commands():
            yield DiscoveryHit(name, run, help=what)

    def _commands(self) -> Iterator[Found]:
        app = cast("RagtuiApp", self.app)
        screen: object = self.screen
        if isinstance(screen, Placed):
            for action in actions_of(screen.place):
                if action.id not in {"palette", "back"} and screen.meets(action.needs):
                    name = f"{action.name}  {keys_shown(action.keys)}"
                    yield name, action.what, partial(app.act, action)
        yield t("tui.palette.theme"), t("tui.palette.theme-help"), app.search_themes
