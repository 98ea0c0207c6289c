"""One card in full over the screen: all of its text, why gold has it, what the corpus says of it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Palette
from ragtui.tui.screens.page import Ends, PageScreen
from ragtui.tui.state.cards import Card, card_lines
from ragtui.tui.state.copying import card_text


class CardScreen(PageScreen):
    """A card over the whole screen; y copies its text as it is in the corpus."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "copy", show=False)]

    def __init__(self, card: Card) -> None:
        super().__init__(
            shown((card.title or card.name)[:500]), lambda width, _: card_lines(card, max(8, width))
        )
        self._card = card

    def heading(self, palette: Palette, width: int) -> Ends:
        """Title and id of the chunk, and how it was judged."""
        (title, closes) = super().heading(palette, width)
        dim = palette.style("dim", "raised")
        right = [(piece.text, palette.style(piece.ink, "raised")) for piece in self._card.right]
        room = width - sum(cells.width(text) for text, _ in (*right, *closes)) - 8
        name = cells.crop(shown(self._card.name[:500]) if self._card.title else "", room // 2)
        text, style = title[0]
        title = [(cells.crop(text, room - cells.width(name)), style), (f"  {name}", dim)]
        return title, [*right, ("   ", dim), *closes]

    def action_copy(self) -> None:
        """Copy the text."""
        self.app.copy_to_clipboard(card_text(self._card))
        self.notify(t("tui.notice.copied", what=t("detail.copied-text")), markup=False)
