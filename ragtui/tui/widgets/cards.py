"""A pane of cards: a title that stays, and below it rows, of which only the visible ones are drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from textual.events import Click, MouseScrollDown, MouseScrollUp, Resize
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ragtui.tui.glyphs import glyphs
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground, Palette
from ragtui.tui.state.cards import Card, Pane
from ragtui.tui.state.pieces import Piece, Row, total
from ragtui.tui.strips import Painted, strip
from ragtui.tui.widgets.drawn import Drawn

TITLE = 1
BAR = 1
_NOTHING = Pane("", ())
_WHEEL = 3


class CardPane(Drawn, Widget):
    """Cards with a selection. The selected one opens to its whole text while the pane is in use.

    In a pane that is not in use one card can be marked as the twin of the selected card in the other.
    """

    DEFAULT_CSS = "CardPane { width: 1fr; height: 1fr; }"

    @dataclass
    class Selected(Message):
        """A card was selected, by key or click."""

        pane: CardPane

    @dataclass
    class Opened(Message):
        """The selected card was clicked: its whole text is wanted."""

        pane: CardPane

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.pane = _NOTHING
        self.selected: str | None = None
        self.is_used = False
        self._twin: str | None = None
        self._top = 0
        self._rows: list[Row] = []
        self._starts: list[int] = []
        self._folded: dict[int, list[Row]] = {}

    @property
    def card(self) -> Card | None:
        """The selected card."""
        return next((card for card in self.pane.cards if card.key == self.selected), None)

    @property
    def room(self) -> int:
        """Lines for cards."""
        return max(1, self.size.height - TITLE)

    def show(self, pane: Pane, selected: str | None = None) -> None:
        """Show other cards, with one of them selected; None takes the one the pane wants to start with."""
        self.pane = pane
        self._twin = None
        self._top = 0
        self._folded.clear()
        keys = {card.key for card in pane.cards}
        self.selected = selected if selected in keys else pane.start
        self._lay_out()

    def use(self, is_used: bool) -> None:
        """Open the selected card, or close it where another pane is used from now on."""
        if is_used != self.is_used:
            self.is_used = is_used
            self._twin = None
            self._lay_out()

    def select(self, key: str | None) -> None:
        """Select a card of this pane."""
        if key is not None and key != self.selected:
            self.selected = key
            self._lay_out()
            self.post_message(self.Selected(self))

    def mark_twin(self, key: str | None) -> None:
        """Mark the twin of the card that is selected in another pane, and bring it into sight if near."""
        self._twin = key
        self._reveal_chosen()

    def move(self, by: int) -> None:
        """Select the card so many further on, at most the first or last."""
        keys = [card.key for card in self.pane.cards]
        if keys:
            at = keys.index(self.selected) if self.selected in keys else 0
            self.select(keys[max(0, min(at + by, len(keys) - 1))])

    def move_lines(self, by: int) -> None:
        """Select the card about so many lines further on; at least the next one."""
        at = self._index_of(self.selected)
        if at is None:
            self._scroll(by)
            return
        key = self._nearest_card(self._entry_at(self._starts[at] + by), by)
        if key is None or key == self.selected:
            self.move(1 if by > 0 else -1)
        else:
            self.select(key)

    def on_resize(self, event: Resize) -> None:
        """Wrap anew."""
        self._folded.clear()
        self._lay_out()

    def on_click(self, event: Click) -> None:
        """Select a card; the selected one is wanted whole."""
        line = event.y - TITLE + self._top
        if event.y < TITLE or line >= len(self._rows):
            return
        entry = self.pane.entries[self._entry_at(line)]
        if not isinstance(entry, Card):
            return
        if entry.key == self.selected and self.is_used:
            self.post_message(self.Opened(self))
        else:
            self.selected = entry.key
            self._lay_out()
            self.post_message(self.Selected(self))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Move what is seen, not the selection."""
        self._scroll(_WHEEL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Move what is seen, not the selection."""
        self._scroll(-_WHEEL)

    def line(self, y: int) -> Strip:
        """The title, or a line of a card."""
        palette = palette_of(self)
        return self._title(palette) if y < TITLE else self._line(palette, y - TITLE + self._top)

    def _title(self, palette: Palette) -> Strip:
        title = Piece(f" {self.pane.title} ", "text" if self.is_used else "dim", bold=self.is_used)
        return self._painted(
            Row((title,), (Piece(self._place(), "dim"),), is_rule=True), palette, "background"
        )

    def _place(self) -> str:
        """What is seen of how much, where it is not all."""
        if len(self._rows) <= self.room:
            return ""
        seen = min(100, round(100 * (self._top + self.room) / len(self._rows)))
        return f" {seen}% "

    def _line(self, palette: Palette, at: int) -> Strip:
        if at >= len(self._rows):
            return Strip.blank(self.size.width, palette.style())
        entry = self._entry_at(at)
        card = self.pane.entries[entry]
        is_chosen = isinstance(card, Card) and card.key == (self.selected if self.is_used else self._twin)
        ground: Ground = "selected" if is_chosen and self.is_used else "background"
        bar = (">" if at == self._starts[entry] else "|") if is_chosen else " "
        row = self._rows[at]
        left = (Piece(bar, "accent", bold=True), *row.left)
        return self._painted(Row(left, row.right, row.is_rule), palette, ground)

    def _painted(self, row: Row, palette: Palette, ground: Ground) -> Strip:
        """A row over the whole width; its right end keeps its place, and the last cell is a margin."""
        margin = 0 if row.is_rule else 1
        room = self.size.width - margin - total(row.right)
        filler = palette.style("text", ground)
        left = _in_colour(row.left, palette, ground)
        if row.is_rule:
            left.append((glyphs().rule * max(0, room - total(row.left)), palette.style("rule", ground)))
        gap = 1 if row.right and not row.is_rule else 0
        right = [(" " * gap, filler), *_in_colour(row.right, palette, ground)]
        return Strip.join(
            [
                strip(left, room - gap, filler),
                strip(right, gap + total(row.right), filler),
                Strip.blank(margin, palette.style()),
            ]
        )

    def _lay_out(self) -> None:
        """Put the rows of all entries below one another and bring the selection into sight."""
        self._rows, self._starts = [], []
        width = self.size.width - BAR - 1
        if width < 8:
            return
        for index, entry in enumerate(self.pane.entries):
            self._starts.append(len(self._rows))
            if self.is_used and isinstance(entry, Card) and entry.key == self.selected:
                others = len(entry.rows(width, 1)) - 1
                self._rows += entry.rows(width, max(3, self.room - others))
            else:
                if index not in self._folded:
                    self._folded[index] = entry.rows(width)
                self._rows += self._folded[index]
        self._reveal_chosen()

    def _reveal_chosen(self) -> None:
        key = self.selected if self.is_used else self._twin
        at = self._index_of(key)
        entry = None if at is None else self.pane.entries[at]
        if self.is_used or (isinstance(entry, Card) and entry.is_near):
            self._reveal(key)
        else:
            self._scroll(0)

    def _reveal(self, key: str | None) -> None:
        """Scroll as little as needed for a card to be seen; the first one with what stands above it."""
        at = self._index_of(key)
        if at is not None and self._starts:
            start, end = self._starts[at], self._end_of(at)
            if not any(isinstance(entry, Card) for entry in self.pane.entries[:at]):
                start = 0
            self._top = max(self._top, end - self.room)
            self._top = min(self._top, start)
        self._scroll(0)

    def _scroll(self, by: int) -> None:
        self._top = max(0, min(self._top + by, len(self._rows) - self.room))
        self.refresh()

    def _index_of(self, key: str | None) -> int | None:
        for at, entry in enumerate(self.pane.entries):
            if isinstance(entry, Card) and entry.key == key:
                return at
        return None

    def _entry_at(self, line: int) -> int:
        return max(0, bisect_right(self._starts, max(0, min(line, len(self._rows) - 1))) - 1)

    def _end_of(self, at: int) -> int:
        return self._starts[at + 1] if at + 1 < len(self._starts) else len(self._rows)

    def _nearest_card(self, at: int, direction: int) -> str | None:
        entries = self.pane.entries[at:] if direction > 0 else self.pane.entries[at::-1]
        return next((entry.key for entry in entries if isinstance(entry, Card)), None)


def _in_colour(pieces: Iterable[Piece], palette: Palette, ground: Ground) -> list[Painted]:
    """Pieces in colours; a bold miss is a mark, which is seen without colour as well."""
    return [
        (
            piece.text,
            palette.mark("miss", ground)
            if piece.ink == "miss" and piece.bold
            else palette.style(piece.ink, ground, bold=piece.bold, underline=piece.underline),
        )
        for piece in pieces
    ]
