"""A short list to choose one line from, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from ragtui.tui import cells
from ragtui.tui.bindings import moving
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground, Ink
from ragtui.tui.state.choices import Choice
from ragtui.tui.strips import two_sided
from ragtui.tui.widgets.drawn import DrawnList


class Menu(DrawnList, can_focus=True, inherit_bindings=False):
    """Lines with a cursor; digits choose at once, those of full width too. Other keys are its screen's."""

    DEFAULT_CSS = "Menu { height: auto; max-height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *moving("move"),
        *(Binding(f"{n},{chr(ord('０') + n)}", f"number({n})", show=False) for n in range(1, 10)),
    ]

    cursor: reactive[int] = reactive(0, init=False)

    @dataclass
    class Chosen(Message):
        """A line was chosen."""

        value: str

    def __init__(self, choices: Sequence[Choice], cursor: int = 0) -> None:
        super().__init__()
        self.choices: Sequence[Choice] = ()
        self.show(choices, cursor)

    def show(self, choices: Sequence[Choice], cursor: int) -> None:
        """Offer other lines, with the cursor on one of them."""
        self.choices = choices
        self.virtual_size = Size(0, len(choices))
        self.set_reactive(Menu.cursor, self._within(cursor))
        self.reveal(self.cursor)
        self.refresh(layout=True)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.cursor = self._within(self.cursor + by)

    def watch_cursor(self) -> None:
        """Bring the cursor into sight."""
        self.reveal(self.cursor)
        self.refresh()

    def action_choose(self) -> None:
        """Choose the line under the cursor."""
        if self.choices:
            self.post_message(self.Chosen(self.choices[self.cursor].value))

    def action_number(self, number: int) -> None:
        """Choose a line by its number."""
        if number <= len(self.choices):
            self.cursor = number - 1
            self.action_choose()

    def on_click(self, event: Click) -> None:
        """Choose the line that was clicked."""
        self.action_number(event.y + self.scroll_offset.y + 1)

    def on_resize(self, event: Resize) -> None:
        """Keep the cursor in sight."""
        self.reveal(self.cursor)

    def line(self, y: int) -> Strip:
        """One choice."""
        palette = palette_of(self)
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= len(self.choices):
            return Strip.blank(width, palette.style("text", "raised"))
        choice, is_cursor = self.choices[at], at == self.cursor
        ground: Ground = "selected" if is_cursor else "raised"
        ink: Ink = "dim" if choice.is_dim and not is_cursor else "text"
        plain, dim = palette.style("text", ground), palette.style("dim", ground)
        left = [
            (">" if is_cursor else " ", palette.style("accent", ground, bold=True)),
            (self.sign(at), dim),
            (choice.label, palette.style(ink, ground, bold=is_cursor)),
        ]
        note = f" {cells.crop(choice.note, width // 2)} "
        if choice.about:
            room = width - sum(cells.width(text) for text, _ in left) - cells.width(note) - 4
            left.append((f"  {cells.crop(choice.about, room)}", dim))
        return two_sided(left, [(note, dim)], width, plain)

    def sign(self, at: int) -> str:
        """What stands in front of a choice: the digit that chooses it."""
        return f"{at + 1} " if at < 9 else "  "

    def _within(self, at: int) -> int:
        return max(0, min(at, len(self.choices) - 1))
