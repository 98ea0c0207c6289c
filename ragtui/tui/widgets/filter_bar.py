"""The filter line: a field that filters as it is typed in, and what it can be completed with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual.binding import BindingType
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from ragtui.analysis.completion import Completion
from ragtui.analysis.where_parser import WhereError
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground
from ragtui.tui.strips import strip, two_sided

MOST_SHOWN = 8
LINE_CELLS = 64


class FilterInput(Input):
    """The field. It can only be entered by asking for it, so that keys go to the list."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("filter")]

    # what is underlined follows both
    error: reactive[WhereError | None] = reactive(None)
    is_unfinished: reactive[bool] = reactive(False)

    class Left(Message):
        """The person is done with the field."""

    class SaveWanted(Message):
        """The filter is to be kept under a name."""

    def __init__(
        self, completions: Completions, complete: Callable[[str, int], Sequence[Completion]]
    ) -> None:
        super().__init__(
            placeholder=t("tui.list.hint"), compact=True, select_on_focus=False, highlighter=_ErrorMark(self)
        )
        self.can_focus = False
        self._completions = completions
        self._complete = complete

    def enter(self) -> None:
        """Take the keys."""
        self.can_focus = True
        self.focus()
        self.cursor_position = len(self.value)
        self.suggest()

    def leave(self) -> None:
        """Give the keys back to the list."""
        self._completions.show(())
        self.is_unfinished = False
        self.can_focus = False
        self.post_message(self.Left())

    def suggest(self) -> None:
        """Show what could be typed at the cursor."""
        if not self.can_focus:
            return
        found = self._complete(self.value, self.cursor_position)
        # what can still be completed is unfinished, not wrong
        self.is_unfinished = bool(found)
        self._completions.show(found, None if found else self.error)

    def action_choose_next(self) -> None:
        """Down the completions."""
        self._choose(1)

    def action_choose_previous(self) -> None:
        """Up the completions, at last back into the field."""
        self._choose(-1)

    def _choose(self, by: int) -> None:
        if not self._completions.is_open:
            self.suggest()
        else:
            self._completions.move(by)

    def action_complete(self) -> None:
        """Put in the completion under the cursor, or the first one."""
        self.put(self._completions.chosen or self._completions.first)

    def action_accept(self) -> None:
        """Put in a completion that was moved to, else leave the field with the filter applied."""
        chosen = self._completions.chosen
        if chosen is not None:
            self.put(chosen)
        else:
            self.leave()
            self.post_message(self.Submitted(self, self.value))

    def action_close(self) -> None:
        """Close the completions; where there are none, leave the field."""
        if self._completions.is_open:
            self._completions.show(())
        else:
            self.leave()

    def action_save_filter(self) -> None:
        """Ask for a name to keep the filter under."""
        self.post_message(self.SaveWanted())

    def put(self, completion: Completion | None) -> None:
        """Put a completion in place of what it completes."""
        if completion is None:
            return
        before, after = self.value[: completion.start], self.value[completion.end :]
        self.value = before + completion.insert + after
        self.cursor_position = len(before) + len(completion.insert)


class _ErrorMark(Highlighter):
    """Underlines what is wrong in the field."""

    def __init__(self, field: FilterInput) -> None:
        self._field = field

    def highlight(self, text: Text) -> None:
        error = self._field.error
        if error is not None and not self._field.is_unfinished:
            style = palette_of(self._field).style("miss", underline=True)
            text.stylize(style, error.position, error.position + error.length)


class Completions(Widget):
    """What is wrong with the filter, and below it what could be typed next."""

    DEFAULT_CSS = "Completions { display: none; width: 100%; height: 1; }"

    chosen_at: reactive[int] = reactive(-1)

    @dataclass
    class Clicked(Message):
        """A completion was clicked."""

        completion: Completion

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._found: Sequence[Completion] = ()
        self._error: WhereError | None = None

    def show(self, found: Sequence[Completion], error: WhereError | None = None) -> None:
        """Show other completions, none of them chosen yet; with neither those nor an error, close."""
        self._found, self._error = found, error
        self.chosen_at = -1
        self.styles.height = min(len(found), MOST_SHOWN) + (error is not None)
        self.display = bool(found) or error is not None
        self.refresh()

    @property
    def is_open(self) -> bool:
        return bool(self.display)

    @property
    def first(self) -> Completion | None:
        return self._found[0] if self._found else None

    @property
    def chosen(self) -> Completion | None:
        """The one that was moved to."""
        return self._found[self.chosen_at] if 0 <= self.chosen_at < len(self._found) else None

    def move(self, by: int) -> None:
        """Choose the next or previous one."""
        self.chosen_at = max(-1, min(len(self._found) - 1, self.chosen_at + by))

    def on_click(self, event: Click) -> None:
        """Say which completion was clicked."""
        at = event.y - (self._error is not None) + self._first_shown
        if 0 <= at < len(self._found):
            self.post_message(self.Clicked(self._found[at]))

    @property
    def _first_shown(self) -> int:
        return max(0, self.chosen_at - MOST_SHOWN + 1)

    def render_line(self, y: int) -> Strip:
        """The error, or one completion with its count."""
        palette, width = palette_of(self), self.size.width
        plain = palette.style("text", "raised")
        if self._error is not None:
            if y == 0:
                says = shown(f"{self._error.message} {self._error.mend}")
                return strip([(f"   {says}", palette.style("miss", "raised"))], width, plain)
            y -= 1
        at = y + self._first_shown
        if at >= len(self._found):
            return Strip.blank(width, plain)
        completion = self._found[at]
        ground: Ground = "selected" if at == self.chosen_at else "raised"
        count = "" if completion.count is None else f"{completion.count} "
        typed = shown(completion.insert)
        label = shown(completion.label) if completion.label.casefold() not in typed.casefold() else ""
        inside = min(width, LINE_CELLS)
        left = [
            ("  >" if at == self.chosen_at else "   ", palette.style("accent", ground, bold=True)),
            (cells.crop(typed, inside - 14), palette.style("text", ground)),
            (f"  {label}", palette.style("dim", ground)),
        ]
        right = [(count, palette.style("dim", ground))]
        line = two_sided(left, right, inside, palette.style("text", ground))
        return Strip.join([line, strip([], width - inside, plain)])
