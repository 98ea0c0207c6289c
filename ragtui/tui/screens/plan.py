"""What asking a judge would take, before anything is asked: enter asks, esc does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from ragtui.messages import t
from ragtui.tui.desk_facts import Prepared
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.judging_words import aim_fact, full_name, plan_facts
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.widgets.lines import Lines


class PlanDialog(Dialog[Prepared]):
    """Gives back what was prepared where it is to be carried out, else None.

    Args:
        prepared: the plan; its work is not empty.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ask", show=False),
        Binding("q,left", "dismiss(None)", show=False),
    ]

    def __init__(self, prepared: Prepared) -> None:
        super().__init__(full_name(prepared.errand.asker))
        self._prepared = prepared

    def body(self) -> Iterator[Widget]:
        """What would be asked, and what it would take."""
        yield Lines(self._lines, ground="raised", margin=2, id="plan-lines")

    def action_ask(self) -> None:
        """Go ahead."""
        self.dismiss(self._prepared)

    def _lines(self, width: int, height: int) -> list[Fact]:
        prepared = self._prepared
        key = "enter" if not prepared.calls else "enter-measures" if prepared.aim is None else "enter-asks"
        keys = (
            Piece(f"{t(f'judges.plan.{key}')}   ", "accent", bold=True),
            Piece(t("judges.plan.esc"), "dim"),
        )
        return [(), *self._what(width), *plan_facts(prepared, width), (), keys]

    def _what(self, width: int) -> list[Fact]:
        prepared = self._prepared
        if prepared.aim is None:
            pairs = prepared.open_work + sum(plan.known for plan in prepared.plans)
            return [(Piece(t("judges.plan.pairs", n=pairs), "dim"),)]
        return flow([aim_fact(prepared.aim, prepared.stage, prepared.queries)], width)
