"""The terminal app: a frame for screens, with what they share."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from ragtui.messages import t
from ragtui.tui import glyphs
from ragtui.tui.session import Session
from ragtui.workspace import Workspace

SECOND_PRESS = 2.0
"""Seconds within which a second ctrl+c quits."""


class RagtuiApp(App[None]):
    """The app over one opened set. `session` holds what all screens share."""

    TITLE = "ragtui"
    CSS_PATH: ClassVar = ["styles/app.tcss", "styles/queries.tcss", "styles/detail.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "interrupt", show=False, priority=False)]

    def __init__(self, workspace: Workspace, *, run: str | None = None) -> None:
        super().__init__()
        self.session = Session(workspace, run)
        self._interrupted = -SECOND_PRESS

    def on_mount(self) -> None:
        """Dress, and open the first screen."""
        from ragtui.tui.screens.queries import QueriesScreen

        wanted = self.session.view.theme
        if wanted in self.available_themes:
            self.theme = wanted
        self.push_screen(QueriesScreen(self.session))

    def action_interrupt(self) -> None:
        """ctrl+c: the first press says so, the second within two seconds quits."""
        now = monotonic()
        if now - self._interrupted <= SECOND_PRESS:
            self.leave()
        else:
            self._interrupted = now
            self.notify(t("tui.notice.once-more"), timeout=SECOND_PRESS)

    def leave(self) -> None:
        """Quit; what was looked at is remembered."""
        self.session.save()
        self.exit()


def run(workspace: Workspace, *, run: str | None = None, glyph_choice: glyphs.Choice = "auto") -> None:
    """Open the app on `workspace` and return when the person leaves it.

    Raises:
        RagtuiError: there is no run called `run`.
    """
    glyphs.use(glyph_choice)
    RagtuiApp(workspace, run=run).run()
