"""A short list to choose one line from, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui import cells
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground, Ink
from ragtui.tui.state.choices import Choice
from ragtui.tui.strips import two_sided


class Menu(Widget, can_focus=True):
    """Lines with a cursor; `number` keys choose at once."""

    DEFAULT_CSS = "Menu { height: auto; max-height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("home,g", "move(-9999)", show=False),
        Binding("end,G", "move(9999)", show=False),
        Binding("pagedown,ctrl+d", "move(10)", show=False),
        Binding("pageup,ctrl+u", "move(-10)", show=False),
        Binding("enter,space,right", "choose", show=False),
        *(Binding(str(n), f"number({n})", show=False) for n in range(1, 10)),
    ]

    cursor: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """A line was chosen."""

        value: str

    def __init__(self, choices: Sequence[Choice], cursor: int = 0) -> None:
        super().__init__()
        self._choices = choices
        self._top = 0
        self.set_reactive(Menu.cursor, cursor)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """A line for each choice."""
        return len(self._choices)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.cursor = max(0, min(len(self._choices) - 1, self.cursor + by))

    def action_choose(self) -> None:
        """Choose the line under the cursor."""
        if self._choices:
            self.post_message(self.Chosen(self._choices[self.cursor].value))

    def action_number(self, number: int) -> None:
        """Choose a line by its number."""
        if number <= len(self._choices):
            self.cursor = number - 1
            self.action_choose()

    def on_click(self, event: Click) -> None:
        """Choose the line that was clicked."""
        self.action_number(event.y + self._top + 1)

    def render_line(self, y: int) -> Strip:
        """One choice, scrolled so that the cursor is seen."""
        palette = palette_of(self)
        width, height = self.size
        self._top = min(max(self._top, self.cursor - height + 1), self.cursor)
        at = y + self._top
        if at >= len(self._choices):
            return Strip.blank(width, palette.style("text", "raised"))
        choice, is_cursor = self._choices[at], at == self.cursor
        ground: Ground = "selected" if is_cursor else "raised"
        ink: Ink = "dim" if choice.is_dim and not is_cursor else "text"
        bar = ">" if is_cursor else " "
        number = f"{at + 1} " if at < 9 else "  "
        left = [
            (bar, palette.style("accent", ground, bold=True)),
            (number, palette.style("dim", ground)),
            (choice.label, palette.style(ink, ground, bold=is_cursor)),
        ]
        note = cells.crop(choice.note, width // 2)
        right = [(f" {note} ", palette.style("dim", ground))]
        return two_sided(left, right, width, palette.style("text", ground))
