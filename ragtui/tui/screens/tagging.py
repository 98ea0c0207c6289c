"""Why a query fails: one cause by a letter, or several and a note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import Input

from ragtui.analysis.causes.catalogue import Cause
from ragtui.messages import t
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.dialog import Dialog
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.widgets.key_menu import KeyMenu
from ragtui.tui.widgets.lines import Lines
from ragtui.tui.widgets.menu import Menu

Way = Literal["one", "several"]

LOW = 30
"""Lines below which nothing is left free, and the evidence is read below the list."""

AROUND = 7
"""Lines of the dialog besides the causes, where nothing is left free."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Causes, the main one first, none to take them back; and a note."""

    causes: tuple[str, ...]
    note: str = ""


class TagDialog(Dialog[Answer]):
    """Gives the causes that were chosen.

    A letter or digit chooses and closes (`one`), or chooses and stays (`several`). Space always chooses and
    stays, and from then on letters do, too. Enter takes what was chosen, or else the line under the cursor.

    Args:
        title: the question, fit to be shown.
        causes: to choose from.
        before: what the reviewer said before.
        suggested: the cause that a rule suggests and may be shown; `""` for none.
        evidence: of the suggestion, fit to be shown.
        way: what a letter does.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", show=False),
        Binding("tab,shift+tab", "other_part", show=False),
        Binding("space", "choose", show=False),
        Binding("right", "choose", show=False),
        Binding("f2", "several", show=False),
    ]

    def __init__(
        self,
        title: str,
        causes: Sequence[Cause],
        before: Answer,
        *,
        suggested: str = "",
        evidence: str = "",
        way: Way = "one",
    ) -> None:
        super().__init__(title)
        self._causes = tuple(causes)
        self._chosen = list(before.causes)
        self._suggested, self._evidence = suggested, evidence
        self._way: Way = way
        self._is_marked = way == "several"
        first = next(iter([*before.causes, suggested]), "")
        at = next((n for n, cause in enumerate(self._causes) if cause.name == first), 0)
        self.menu = KeyMenu(self._choices(), at)
        self.field = Input(
            before.note, placeholder=t("tagging.tag.note"), compact=True, select_on_focus=False
        )

    def body(self) -> Iterator[Widget]:
        """The causes, a field for a note, the keys."""
        yield self.menu
        yield self.field
        yield Lines(self._keys, id="dialog-keys", ground="raised")

    def on_mount(self) -> None:
        """Letters choose at first."""
        self.menu.focus()

    def on_resize(self, event: Resize) -> None:
        """Causes scroll before note and keys go out of sight."""
        self.set_class(event.size.height < LOW, "-low")
        self.menu.styles.max_height = max(3, event.size.height - AROUND)

    def _choices(self) -> list[Choice]:
        return [
            Choice(
                cause.name,
                f"{self._box(cause.name)}{cause.letter or ' '} {shown(cause.title())}",
                t("tagging.tag.is-suggested") if cause.name == self._suggested else "",
                about=cause.meaning,
                key=cause.letter,
            )
            for cause in self._causes
        ]

    def _box(self, name: str) -> str:
        if not self._is_marked:
            return ""
        return "[x] " if name in self._chosen else "[ ] "

    def _keys(self, width: int, height: int) -> list[Fact]:
        way: Way = "several" if self._is_marked else "one"
        lines: list[Fact] = []
        if self._evidence and not self.has_class("-low"):
            lines += flow([(Piece(t("tagging.tag.suggested", evidence=self._evidence), "dim"),)], width)
        keys: list[Fact] = [(Piece(key, "dim"),) for key in t(f"tagging.tag.keys-{way}").split("    ")]
        return [*lines, *flow(keys, width)]

    def on_key_menu_keyed(self, message: KeyMenu.Keyed) -> None:
        """A letter or a digit."""
        if self._is_marked:
            self._toggle(message.value)
        else:
            self._close((message.value,))

    def on_menu_chosen(self, message: Menu.Chosen) -> None:
        """A click."""
        if self._is_marked:
            self._toggle(message.value)
        else:
            self._close((message.value,))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Enter in the note."""
        message.stop()
        self.action_take()

    def action_take(self) -> None:
        """Take what was chosen, else the line under the cursor."""
        if self._is_marked:
            self._close(tuple(self._chosen))
        else:
            self._close((self._causes[self.menu.cursor].name,))

    def action_choose(self) -> None:
        """Choose the line under the cursor, or not, and stay."""
        if not self._is_marked:
            self.action_several()
            self._chosen.clear()
        self._toggle(self._causes[self.menu.cursor].name)

    def action_several(self) -> None:
        """From now on letters choose and stay."""
        self._is_marked = True
        self._show()

    def action_other_part(self) -> None:
        """To the note, and back to the causes."""
        (self.menu if self.field.has_focus else self.field).focus()

    def _toggle(self, name: str) -> None:
        if name in self._chosen:
            self._chosen.remove(name)
        else:
            self._chosen.append(name)
        self._show()

    def _show(self) -> None:
        self.menu.show(self._choices(), self.menu.cursor)
        self.query_one("#dialog-keys", Lines).show(self._keys)

    def _close(self, causes: tuple[str, ...]) -> None:
        self.dismiss(Answer(causes, self.field.value))
