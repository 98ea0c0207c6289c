"""A menu in which characters choose: letters of causes, digits of grades."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Key
from textual.message import Message

from ragtui.tui.bindings import FAR
from ragtui.tui.widgets.menu import Menu

_PAGE = 10


class KeyMenu(Menu, inherit_bindings=False):
    """Each choice has a character of its own, of full width as well. Without a digit, digits count lines.

    Only arrows move, for letters choose.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", f"move({_PAGE})", show=False),
        Binding("pageup", f"move(-{_PAGE})", show=False),
        Binding("home", f"move(-{FAR})", show=False),
        Binding("end", f"move({FAR})", show=False),
    ]

    @dataclass
    class Keyed(Message):
        """A character chose a line."""

        value: str

    def on_key(self, event: Key) -> None:
        """Choose the line of a character."""
        character = unicodedata.normalize("NFKC", event.character or "")
        at = self._line_of(character)
        if at is not None:
            event.stop()
            event.prevent_default()
            self.cursor = at
            self.post_message(self.Keyed(self.choices[at].value))

    def sign(self, at: int) -> str:
        """The digit of a choice."""
        return f"{self.choices[at].key or ' '} " if self._has_digits else super().sign(at)

    @property
    def _has_digits(self) -> bool:
        return any(choice.key.isdigit() for choice in self.choices)

    def _line_of(self, character: str) -> int | None:
        for at, choice in enumerate(self.choices):
            if choice.key and choice.key == character:
                return at
        is_number = character.isdigit() and not self._has_digits
        return int(character) - 1 if is_number and 0 < int(character) <= min(9, len(self.choices)) else None
