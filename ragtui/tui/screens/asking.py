"""What screens have in common that ask judges: the plan first, then the job, then what it found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from textual import work

from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.tui.actions import Need
from ragtui.tui.glyphs import shown_lines
from ragtui.tui.screens.looking import Looking
from ragtui.tui.widgets.footer import KeyFooter

if TYPE_CHECKING:
    from ragtui.tui.app import RagtuiApp
    from ragtui.tui.desk_facts import Prepared

Result = TypeVar("Result")


class Asking(Looking[Result]):
    """A screen from which judges are asked."""

    def meets(self, need: Need | None) -> bool:
        """Whether what an action needs is there."""
        if need == "judge":
            return self.session.run is not None
        return super().meets(need)

    def verdicts_came(self) -> None:
        """Verdicts were written: show them."""

    def judging_moved(self) -> None:
        """Judging has come further."""

    def is_free(self) -> bool:
        """Whether a job could begin; where one is under way, that is said."""
        if self.session.desk.is_busy:
            self.notify(t("judges.notice.busy"))
            return False
        return True

    @work(exclusive=True, group="plan")
    async def plan(self, prepare: Callable[[], Prepared], *, asks_first: bool = True) -> None:
        """Make a plan, show it, and carry it out where the person says so.

        Args:
            prepare: makes the plan, in a thread.
            asks_first: whether to show a plan that takes no call.
        """
        footer = self.query_one(KeyFooter)
        footer.job = t("judges.plan.planning")
        try:
            prepared = await asyncio.to_thread(prepare)
        except RagtuiError as error:
            self.notify(shown_lines(str(error)), severity="error", markup=False)
            return
        finally:
            footer.job = ""
        if not self.query(KeyFooter):  # the person has left this screen meanwhile
            return
        self.use_plan(prepared, asks_first=asks_first)

    def use_plan(self, prepared: Prepared, *, asks_first: bool) -> None:
        """Carry out a plan that is there, after it was shown where it costs something."""
        from ragtui.tui.screens.plan import PlanDialog

        if not prepared.open_work:
            self.notify(_nothing_to_do(prepared), markup=False)
        elif asks_first or prepared.calls:
            self.app.push_screen(PlanDialog(prepared), self._carry_out)
        else:
            self._carry_out(prepared)

    def _carry_out(self, prepared: Prepared | None) -> None:
        if prepared is not None and self.is_free():
            cast("RagtuiApp", self.app).start_judging(prepared)


def _nothing_to_do(prepared: Prepared) -> str:
    if any(plan.known for plan in prepared.plans):
        return t("judges.notice.nothing-to-do")
    why = ", ".join(
        t(f"judges.plan.left-out.{state}", n=n) for state, n in prepared.counts.items() if state != "judged"
    )
    return t("judges.notice.cannot-judge-one", why=why) if why else t("judges.plan.nothing-to-judge")
