"""What a person looks through on every screen: run, stage and cut-off, and the keys that change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from textual.screen import Screen

from ragtui.messages import t
from ragtui.tui.actions import Need
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.session import Session
from ragtui.tui.state.query_choices import stage_choices

Result = TypeVar("Result")


class Looking(Screen[Result]):
    """A screen over a session. A subclass says how it is seen anew."""

    session: Session

    def see_anew(self) -> None:
        """Show the same in the light of another run, stage or cut-off."""
        raise NotImplementedError

    @property
    def has_rows(self) -> bool:
        """Whether there is a query to do something with."""
        return True

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        session = self.session
        has_run = session.run is not None
        met: Mapping[Need | None, bool] = {
            "run": has_run,
            "runs": len(session.workspace.runs) > 1,
            "stages": bool(session.stages),
            "rows": self.has_rows,
            # without a run the command that makes one is copied
            "text": self.has_rows or not has_run,
        }
        return met.get(need, True)

    def save(self) -> None:
        """Keep view and marks; where that cannot be done, say so."""
        if not self.session.save():
            folder = shown(str(self.session.workspace.state_folder))
            self.notify(t("tui.notice.not-saved", folder=folder), severity="warning", markup=False)

    def action_less_k(self) -> None:
        """A smaller cut-off."""
        self._step_k(-1)

    def action_more_k(self) -> None:
        """A larger cut-off."""
        self._step_k(1)

    def action_previous_run(self) -> None:
        """The previous run."""
        self._step_run(-1)

    def action_next_run(self) -> None:
        """The next run."""
        self._step_run(1)

    def action_stage(self) -> None:
        """Choose which list of the run is read."""
        if not self.session.stages:
            self.notify(t("tui.notice.no-stages"))
            return
        title = t("tui.stage.title", run=shown(self.session.run or ""))
        dialog = ChooseDialog(title, stage_choices(self.session), self.session.stage or "")
        self.app.push_screen(dialog, self._take_stage)

    def _step_k(self, by: int) -> None:
        if self.session.step_k(by):
            self.see_anew()
        else:
            self.notify(t("tui.notice.no-further-k", ks=", ".join(map(str, self.session.ks))))

    def _step_run(self, by: int) -> None:
        if self.session.step_run(by):
            self.see_anew()
        else:
            self.notify(t("tui.notice.no-other-run"))

    def _take_stage(self, stage: str | None) -> None:
        if stage is not None:
            self.session.stage = stage or None
            self.see_anew()
