"""Watches the judging under way for all screens: the footer, lists that verdicts came to, the end of it.

The thread that judges posts one message, at the end. What comes before is looked at a few times a second, so
that verdicts, however many come, cost the screen no more than that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from textual.app import App
from textual.message import Message
from textual.worker import Worker

from ragtui.analysis.judged import standing_text
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.desk_facts import Prepared
from ragtui.tui.glyphs import shown_lines
from ragtui.tui.judging_job import JudgingJob
from ragtui.tui.screens.asking import Asking
from ragtui.tui.screens.quitting import STOP, QuitDialog
from ragtui.tui.session import Session
from ragtui.tui.state.judging_words import footer_text, full_name
from ragtui.tui.widgets.footer import KeyFooter

GLANCE = 0.2
"""Seconds between two looks."""

FRESH = 3.0
"""Seconds at least between two readings of verdicts while they come in."""

SHARE = 20
"""A reading of verdicts is followed by at least so many times its own time without one."""


class JudgingWatch:
    """One for an app, from its first judging on.

    Args:
        app: whose screens are told.
    """

    class Ended(Message):
        """A job is over. It is posted to the app."""

        def __init__(self, job: JudgingJob) -> None:
            super().__init__()
            self.job = job

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._timer = app.set_interval(GLANCE, self.glance, pause=True)
        self._session: Session | None = None
        self._read_next = 0.0
        self._read_at = 0
        self._is_reading = False
        self.last_words: str | None = None

    def start(self, session: Session, prepared: Prepared) -> None:
        """Carry out a plan and watch it."""
        self._session = session
        self._read_at = 0
        self._read_next = monotonic() + FRESH
        session.desk.start(prepared, self._tell_end)
        self._timer.resume()
        self.glance()

    def glance(self) -> None:
        """Show how far judging has come, and now and then what came of it."""
        job = self._session.desk.job if self._session is not None else None
        self._say("" if job is None or job.is_over else footer_text(job))
        for screen in self._screens():
            screen.judging_moved()
        if job is None or job.is_over:
            self._timer.pause()
        elif not self._is_reading and job.progress.done > self._read_at and monotonic() > self._read_next:
            self._read_at = job.progress.done
            _: Worker[None] = self._app.run_worker(self._read, group="verdicts")

    def stop_first(self, session: Session, then: Callable[[], object], *, leaves_set: bool = False) -> None:
        """Ask whether judging is to be stopped, and go on once it has ended."""
        job = session.desk.job
        if job is None:
            then()
            return

        def answered(answer: str | None) -> None:
            if answer == STOP:
                self.stop(session, then)

        self._app.push_screen(QuitDialog(job.progress, leaves_set=leaves_set), answered)

    def stop(self, session: Session, then: Callable[[], object]) -> None:
        """Stop judging, and go on once it has ended."""
        self._say(t("judges.notice.stopping"))
        _: Worker[None] = self._app.run_worker(
            partial(self._stop, session, then), group="stopping", exclusive=True
        )

    async def _stop(self, session: Session, then: Callable[[], object]) -> None:
        await asyncio.to_thread(session.desk.close)
        job = session.desk.job
        if job is not None and job.progress.state != "done":
            progress = job.progress
            self.last_words = t("judges.quit.said", done=progress.done, total=progress.total)
        then()

    def _tell_end(self, job: JudgingJob) -> None:
        """In the thread that judged."""
        with suppress(RuntimeError):  # the person has quit
            self._app.post_message(self.Ended(job))

    async def end(self, job: JudgingJob) -> None:
        """Take in what was found out, and say how it went."""
        session = self._session
        if session is None or session.desk.job is not job:
            return
        try:
            await asyncio.to_thread(session.desk.settle, job)
        except RagtuiError as error:
            self._app.notify(shown_lines(str(error)), severity="error", markup=False)
        self.glance()
        self._announce(session, job)
        for screen in self._screens():
            screen.verdicts_came()

    def _announce(self, session: Session, job: JudgingJob) -> None:
        progress, asker = job.progress, job.errand.asker
        name = full_name(asker)
        counts = {"done": progress.done, "total": progress.total, "failed": progress.failed}
        if progress.state != "done":
            why = shown_lines(progress.why)
            said = t("judges.notice.ended", judge=name, why=why, **counts)
            severity = "error" if progress.state == "stopped" else "warning"
            self._app.notify(said, severity=severity, markup=False)  # type: ignore[arg-type]
        elif job.errand.run is None:
            card = session.workspace.judgments.card(asker)
            standing = standing_text(None if card is None else card.kappa)
            self._app.notify(t("judges.notice.measured", judge=name, standing=standing), markup=False)
        else:
            said = t(f"judges.notice.{'done-failed' if progress.failed else 'done'}", judge=name, **counts)
            severity = "warning" if progress.failed else "information"
            self._app.notify(said, severity=severity, markup=False)  # type: ignore[arg-type]

    async def _read(self) -> None:
        """Read the verdicts that came, and let the screen on top show them."""
        session = self._session
        if session is None or session.run is None:
            return
        self._is_reading = True
        start = monotonic()
        try:
            session.workspace.forget_verdicts()
            await asyncio.to_thread(session.facts)
        finally:
            self._is_reading = False
            self._read_next = monotonic() + max(FRESH, SHARE * (monotonic() - start))
        screen = self._app.screen
        if isinstance(screen, Asking):
            screen.verdicts_came()

    def _say(self, text: str) -> None:
        for screen in self._app.screen_stack:
            for footer in screen.query(KeyFooter):
                footer.judging = text

    def _screens(self) -> Iterator[Asking[Any]]:
        for screen in self._app.screen_stack:
            if isinstance(screen, Asking) and screen.is_mounted:
                yield screen
