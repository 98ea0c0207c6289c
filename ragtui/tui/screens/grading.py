"""Which grade a chunk has for a query: digits choose, the guide of the set stands beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown_lines
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.widgets.key_menu import KeyMenu
from ragtui.tui.widgets.lines import Lines
from ragtui.tui.widgets.menu import Menu

_PAGE = 4


@dataclass(frozen=True, slots=True)
class Graded:
    """A grade and why; None takes one's own back. `settles`: in place of what raters grade differently."""

    grade: float | None
    reason: str = ""
    settles: bool = False


class GradeDialog(Dialog[Graded]):
    """Gives the grade that was chosen.

    Args:
        title: the question, fit to be shown.
        choices: the grades of the set, their values as text.
        at: which of them stands there now, or is nearest.
        guide: what each grade means, as the set says it; foreign text.
        reason: what the reviewer gave before.
        can_take_back: there is a correction of the reviewer's own.
        raters: who says what, where they differ, fit to be shown; `""` where they do not.
        settles: whether the grade stands in place of theirs, until the person says otherwise.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", show=False),
        Binding("tab,shift+tab", "other_part", show=False),
        Binding("delete", "take_back", show=False),
        Binding("f2", "other_way", show=False, priority=True),
        Binding("pagedown,ctrl+d", f"guide({_PAGE})", show=False, priority=True),
        Binding("pageup,ctrl+u", f"guide(-{_PAGE})", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        at: int,
        *,
        guide: str = "",
        reason: str = "",
        can_take_back: bool = False,
        raters: str = "",
        settles: bool = False,
    ) -> None:
        super().__init__(title)
        self._guide = guide.strip()
        self._can_take_back = can_take_back
        self._raters, self._settles = raters, settles
        self.menu = KeyMenu(choices, at)
        self.field = Input(reason, placeholder=t("tagging.grade.reason"), compact=True, select_on_focus=False)

    def body(self) -> Iterator[Widget]:
        """The grades, what they mean, a field for the reason, the keys."""
        yield self.menu
        if self._guide:
            with VerticalScroll(id="guide-scroll", can_focus=False):
                yield Lines(self._guide_lines, id="guide", ground="raised")
        if self._raters:
            yield Lines(self._raters_lines, id="raters", ground="raised")
        yield self.field
        yield Lines(self._keys, id="dialog-keys", ground="raised")

    def on_mount(self) -> None:
        """Digits choose at first."""
        self.menu.focus()

    def _guide_lines(self, width: int, _: int) -> list[Fact]:
        return [(Piece(line, "dim"),) for line in cells.wrap(shown_lines(self._guide), width)]

    def _raters_lines(self, width: int, _: int) -> list[Fact]:
        way = t(f"tagging.grade.{'settles' if self._settles else 'own'}")
        said = t("tagging.grade.raters", raters=self._raters)
        return [
            (),
            *flow([(Piece(said, "partial"),)], width),
            *flow([(Piece(way, bold=True),)], width),
        ]

    def _keys(self, width: int, _: int) -> list[Fact]:
        names = ["digit", *(["guide"] if self._guide else []), "reason"]
        names += ["other-way"] if self._raters else []
        names += ["take-back"] if self._can_take_back else []
        return flow([(Piece(t(f"tagging.grade.key-{name}"), "dim"),) for name in names], width)

    def on_key_menu_keyed(self, message: KeyMenu.Keyed) -> None:
        """A digit."""
        self._close(message.value)

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """A click."""
        self._close(message.value)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Enter in the reason."""
        message.stop()
        self.action_take()

    def action_take(self) -> None:
        """Take the grade under the cursor."""
        self._close(self.menu.choices[self.menu.cursor].value)

    def action_take_back(self) -> None:
        """Take one's own correction back."""
        if self._can_take_back:
            self.dismiss(Graded(None, settles=self._settles))

    def action_other_part(self) -> None:
        """To the reason, and back to the grades."""
        (self.menu if self.field.has_focus else self.field).focus()

    def action_other_way(self) -> None:
        """Settle for all raters, or grade for oneself."""
        if self._raters:
            self._settles = not self._settles
            self.query_one("#raters", Lines).show(self._raters_lines)

    def action_guide(self, by: int) -> None:
        """Scroll what the grades mean."""
        for scroll in self.query("#guide-scroll").results(VerticalScroll):
            scroll.scroll_relative(y=by, animate=False)

    def _close(self, value: str) -> None:
        self.dismiss(Graded(float(value), self.field.value, self._settles))
