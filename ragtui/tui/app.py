"""The terminal app: a frame for screens, with what they share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual._styles_cache import StylesCache
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.theme import Theme, ThemeProvider
from textual.widgets import Input

from ragtui import messages, settings
from ragtui.messages import t
from ragtui.tui import glyphs
from ragtui.tui.actions import Action, Place, call_of
from ragtui.tui.commands import ActionCommands
from ragtui.tui.screens.page import PageScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.scrollbar import plain_scrollbars
from ragtui.tui.session import Session
from ragtui.tui.state.help import help_page
from ragtui.tui.state.remarks import remarks_page
from ragtui.tui.terminal import ambiguous_is_wide
from ragtui.workspace import Workspace

if TYPE_CHECKING:
    from ragtui.tui.desk_facts import Prepared
    from ragtui.tui.judging_watch import JudgingWatch

SECOND_PRESS = 2.0
"""Seconds within which a second ctrl+c quits."""


OVER_QUERIES: frozenset[Place] = frozenset({"detail", "no_answer", "wrong_side", "judges", "failures"})
"""Screens that lie over the list of queries."""

NATIVE_THEME = "ansi-dark"
"""The theme that leaves all colours to the terminal."""


def run(workspace: Workspace | None, *, run: str | None = None) -> None:
    """Open the app on `workspace`, as the user's settings wish it, and return when the person leaves it.

    Without one it opens on the start page.

    Raises:
        RagtuiError: there is no run called `run`, or the settings cannot be read.
    """
    wishes, warnings = settings.load()
    if wishes.language != "auto":
        messages.use(wishes.language)
    app = RagtuiApp(workspace, run=run, theme=wishes.theme, warnings=warnings)
    glyphs.use(wishes.glyphs, ambiguous_is_wide=ambiguous_is_wide())
    app.run()


class RagtuiApp(App[None]):
    """The app over one opened set, or over the start page, from which sets are opened and left again."""

    TITLE = "ragtui"
    CSS_PATH: ClassVar = [
        f"styles/{name}.tcss"
        for name in ("app", "queries", "detail", "no_answer", "judges", "review", "start")
    ]
    # its key and its words would be Textual's; ours is opened by an action of the catalogue
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave_at_once", show=False, priority=True),
        # before the fields, which would copy nothing and so swallow it
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        workspace: Workspace | None,
        *,
        run: str | None = None,
        theme: str | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        # with NO_COLOR not a single colour is sent, which Textual does only where colours are native
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._session = Session(workspace, run) if workspace is not None else None
        self._wished_theme = theme
        self._warnings = warnings
        self._interrupted = -SECOND_PRESS
        self._watch: JudgingWatch | None = None

    @property
    def session(self) -> Session:
        """What all screens over the opened set share.

        Raises:
            RuntimeError: no set is open.
        """
        if self._session is None:
            raise RuntimeError("no set is open")
        return self._session

    def on_mount(self) -> None:
        """Dress, and open the first screen."""
        plain_scrollbars()
        self._dress()
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        if self._session is not None:
            self.push_screen(QueriesScreen(self._session))
        else:
            from ragtui.tui.screens.start import StartScreen

            self.push_screen(StartScreen())
        for warning in self._warnings:
            self.notify(warning, severity="warning", markup=False)

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen, and let go of what it had drawn.

        Textual 8.2.8 remembers two colours of each widget in a cache over a method, and so keeps the last
        1,024 widgets with every line that they had drawn: tens of megabytes after some hundred keys.
        """
        left = super().pop_screen()
        StylesCache.get_inner_outer.cache_clear()
        return left

    def enter(self, workspace: Workspace) -> None:
        """Open a set over the start page."""
        self._session = Session(workspace)
        self._dress()
        self.push_screen(QueriesScreen(self._session))

    def leave_set(self) -> bool:
        """Back to the start page, where the set was opened from it; else False."""
        # the app's own first screen, the start page, the queries
        if len(self.screen_stack) < 3 or self._session is None:
            return False
        if self._judging is not None:
            self._judging.stop_first(self._session, self.leave_set, leaves_set=True)
            return True
        self._keep_view()
        self._session = None
        self.pop_screen()
        return True

    @property
    def has_few_colours(self) -> bool:
        """Whether a theme's shades would fall together here, so that the terminal's own colours are used."""
        return self.no_color or self.console.color_system in {None, "standard", "windows"}

    def _remember_theme(self, theme: Theme) -> None:
        # what this terminal forces is no choice, and another terminal may show more
        if self._session is not None and not self.has_few_colours:
            self._session.remember(theme=theme.name)

    def _dress(self) -> None:
        """The theme of the set, else that of the settings."""
        wanted = (self._session.view.theme if self._session is not None else None) or self._wished_theme
        if self.has_few_colours:
            self.theme = NATIVE_THEME
        elif wanted in self.available_themes:
            self.theme = wanted
        elif wanted is not None:
            known = ", ".join(sorted(self.available_themes))
            said = t("tui.notice.no-such-theme", theme=glyphs.shown(wanted), known=known)
            self.notify(said, severity="warning", markup=False)

    @property
    def place(self) -> Place | None:
        """Which of the places of the catalogue is on top."""
        return getattr(self.screen, "place", None)

    async def act(self, action: Action) -> None:
        """Do what an action's key does on the screen on top."""
        await self.run_action(call_of(action), self.screen)

    def action_palette(self) -> None:
        """Open the palette."""
        self.push_screen(CommandPalette(providers=[ActionCommands], placeholder=t("tui.palette.search")))

    def search_themes(self) -> None:
        """Choose the colours."""
        self.push_screen(
            CommandPalette(providers=[ThemeProvider], placeholder=t("tui.palette.search-themes"))
        )

    def action_keys(self) -> None:
        """Show the keys of this screen."""
        place = self.place
        if place is not None:
            title = t("tui.help.page")
            self.push_screen(PageScreen(title, lambda width, _: help_page(place, width)))

    def action_remarks(self) -> None:
        """Show what to know of set and run."""
        title = t("tui.remarks.page")
        self.push_screen(PageScreen(title, lambda width, _: remarks_page(self.session, width)))

    async def action_queries(self) -> None:
        """Back to the list of queries, from wherever."""
        while len(self.screen_stack) > 1 and self.place in OVER_QUERIES:
            self._dismiss()

    def _dismiss(self) -> None:
        """Close the screen on top, however deep it is."""
        if self._session is not None and self._session.open_desk is not None:
            self._session.open_desk.hear()
        self.screen.dismiss(getattr(self.screen, "position", None))

    async def action_judges(self) -> None:
        """To the judges, from wherever."""
        if self.place == "detail" and any(getattr(s, "place", None) == "judges" for s in self.screen_stack):
            self._dismiss()
            return
        await self.action_queries()
        if isinstance(self.screen, QueriesScreen):
            self.screen.open_judges()

    async def action_no_answer(self) -> None:
        """To the histograms, from wherever."""
        if self._is_below("no_answer"):
            while self.place != "no_answer":
                self._dismiss()
            return
        await self.action_queries()
        if isinstance(self.screen, QueriesScreen):
            self.screen.open_no_answer()

    async def action_failures(self) -> None:
        """To the failures, from wherever."""
        if self._is_below("failures"):
            while self.place != "failures":
                self._dismiss()
            return
        await self.action_queries()
        if isinstance(self.screen, QueriesScreen):
            self.screen.open_failures()

    def _is_below(self, place: Place) -> bool:
        """Whether a screen is under the one on top."""
        return any(getattr(screen, "place", None) == place for screen in self.screen_stack)

    async def action_leave(self) -> None:
        """One level back; at the top quit."""
        if self.place == "start" or (self.place == "queries" and not self.leave_set()):
            self.leave(asks=True)
        elif self.place in OVER_QUERIES:
            await self.run_action("back", self.screen)

    def action_leave_at_once(self) -> None:
        """Quit from wherever."""
        self.leave()

    # judging

    def start_judging(self, prepared: Prepared) -> None:
        """Carry out a plan; it goes on whatever screen is looked at."""
        from ragtui.tui.judging_watch import JudgingWatch

        if self._watch is None:
            self._watch = JudgingWatch(self)
        self._watch.start(self.session, prepared)

    async def on_judging_watch_ended(self, message: JudgingWatch.Ended) -> None:
        """Show what was found out."""
        if self._watch is not None:
            await self._watch.end(message.job)

    @property
    def _judging(self) -> JudgingWatch | None:
        """Who watches judging, where some is under way."""
        desk = self._session.open_desk if self._session is not None else None
        return self._watch if desk is not None and desk.is_busy else None

    def on_unmount(self) -> None:
        """Leave nothing behind that runs."""
        desk = self._session.open_desk if self._session is not None else None
        if desk is not None:
            desk.close()

    def action_interrupt(self) -> None:
        """ctrl+c: copy what is selected, else say so, and quit on the second press within two seconds."""
        field = self.focused
        selected = field.selected_text if isinstance(field, Input) else self.screen.get_selected_text()
        if selected:
            self.copy_to_clipboard(selected)
            return
        now = monotonic()
        if now - self._interrupted <= SECOND_PRESS:
            self.leave()
        else:
            self._interrupted = now
            self.notify(t("tui.notice.once-more"), timeout=SECOND_PRESS)

    def leave(self, *, asks: bool = False) -> None:
        """Quit; what was looked at is remembered.

        Judging that is under way is stopped first; `asks` whether that is wanted.
        """
        if self._judging is not None and self._session is not None:
            if asks:
                self._judging.stop_first(self._session, self.leave)
            else:
                self._judging.stop(self._session, self.leave)
            return
        self._keep_view()
        self.exit(message=None if self._watch is None else self._watch.last_words)

    def _keep_view(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, QueriesScreen):
                screen.remember()
        if self._session is not None:
            self._session.save()
