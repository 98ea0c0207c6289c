"""The start page: which set to open, where none was named and this folder is none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from ragtui import __version__
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.actions import Need, Place
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Palette
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.state.emptiness import sentence_of
from ragtui.tui.state.pieces import Fact
from ragtui.tui.state.start import example_sets, own_set, start_choices
from ragtui.tui.strips import Painted
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.tui.widgets.line import Line
from ragtui.tui.widgets.lines import Lines
from ragtui.tui.widgets.menu import Menu
from ragtui.workspace import Workspace, recent

if TYPE_CHECKING:
    from ragtui.tui.app import RagtuiApp


class StartScreen(Screen[None]):
    """Sets that were opened before and the bundled ones; a set that cannot be read says why, and it stays."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("start")]
    place: ClassVar[Place] = "start"

    def __init__(self) -> None:
        super().__init__()
        self._recent = recent.recent_sets()
        self._examples = example_sets()
        self._failure: RagtuiError | None = None
        self.menu = Menu(start_choices(self._recent, self._examples))

    def compose(self) -> ComposeResult:
        """Heading, sets, how to open one's own, keys."""
        yield Line(self._heading, ground="raised")
        yield self.menu
        yield Lines(self._below, margin=2, id="own")
        yield KeyFooter("start", self.meets)

    def meets(self, need: Need | None) -> bool:
        """Only a set that was opened before can be taken off the list."""
        return need != "saved" or bool(self._recent)

    def on_screen_resume(self) -> None:
        """What was opened meanwhile stands first now."""
        self._renew()

    def action_open_set(self) -> None:
        """Open the set under the cursor."""
        self.menu.action_choose()

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """Open the set that was chosen."""
        self.open(Path(message.value))

    def action_open_path(self) -> None:
        """Ask for the path of a set."""
        self.app.push_screen(AskDialog(t("tui.ask.path"), f"{Path.cwd()}/"), self._open_path)

    def _open_path(self, path: str | None) -> None:
        if path is not None:
            self.open(Path(path).expanduser())

    def action_forget(self) -> None:
        """Take the set under the cursor off the list; its files stay."""
        if self.menu.cursor < len(self._recent):
            recent.forget(self._recent[self.menu.cursor].path)
            self._renew()
        else:
            self.notify(t("tui.start.stays"))

    @work(exclusive=True)
    async def open(self, path: Path) -> None:
        """Read a set and show its queries; of several wishes the last one counts."""
        footer = self.query_one(KeyFooter)
        footer.job = t("tui.start.opening", name=shown(path.name))
        try:
            workspace = await asyncio.to_thread(Workspace.open, path)
        except RagtuiError as error:
            self._failure = error
        else:
            self._failure = None
            recent.remember(workspace.set.path)
            cast("RagtuiApp", self.app).enter(workspace)
        footer.job = ""
        self.query_one("#own", Lines).show(self._below)

    def _renew(self) -> None:
        self._recent = recent.recent_sets()
        self.menu.show(start_choices(self._recent, self._examples), self.menu.cursor)
        self.query_one(KeyFooter).refresh()

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        strong, dim = palette.style("text", "raised", bold=True), palette.style("dim", "raised")
        return [(" ragtui", strong), (f"   {t('tui.start.title')}", dim)], [(f"{__version__} ", dim)]

    def _below(self, width: int, height: int) -> list[Fact]:
        return [*(sentence_of(self._failure, width) if self._failure is not None else ()), *own_set(width)]
