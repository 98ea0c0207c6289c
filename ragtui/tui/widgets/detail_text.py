"""One card in full over the screen: all of its text, why gold has it, what the corpus says of it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import MouseScrollDown, MouseScrollUp, Resize
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Palette
from ragtui.tui.state.cards import Card, marked
from ragtui.tui.state.copying import card_text
from ragtui.tui.state.pieces import Fact, Piece, flow
from ragtui.tui.strips import Painted, paint, strip, with_selection
from ragtui.tui.widgets.line import Line

_MARGIN = 2
_WHEEL = 3


class WholeText(Widget, can_focus=True):
    """Text of any length, wrapped when its width is known."""

    DEFAULT_CSS = "WholeText { height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_lines(1)", show=False),
        Binding("k,up", "scroll_lines(-1)", show=False),
        Binding("ctrl+d", "scroll_pages(0.5)", show=False),
        Binding("ctrl+u", "scroll_pages(-0.5)", show=False),
        Binding("pagedown,space", "scroll_pages(1)", show=False),
        Binding("pageup", "scroll_pages(-1)", show=False),
        Binding("g,home", "scroll_lines(-1000000000)", show=False),
        Binding("G,end", "scroll_lines(1000000000)", show=False),
    ]

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._card = card
        self._top = 0
        self._lines: list[Fact] = []
        self._wrapped: tuple[int, list[Fact]] | None = None

    @property
    def place(self) -> str:
        """How much of the text has been seen, where it is longer than the box."""
        if len(self._lines) <= self.size.height:
            return ""
        return f"{min(100, round(100 * (self._top + self.size.height) / len(self._lines)))}%"

    def on_resize(self, event: Resize) -> None:
        """Wrap anew."""
        self._lines = self._card_lines(self.size.width)
        self.action_scroll_lines(0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are, for `height: auto`."""
        return len(self._card_lines(width))

    def _card_lines(self, width: int) -> list[Fact]:
        if self._wrapped is None or self._wrapped[0] != width:
            self._wrapped = (width, card_lines(self._card, max(8, width - 2 * _MARGIN)))
        return self._wrapped[1]

    def action_scroll_lines(self, by: int) -> None:
        """Move by lines."""
        self._top = max(0, min(self._top + by, len(self._lines) - self.size.height))
        self.screen.refresh()
        self.refresh()

    def action_scroll_pages(self, by: float) -> None:
        """Move by heights of the box."""
        self.action_scroll_lines(int(by * self.size.height))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Move down."""
        self.action_scroll_lines(_WHEEL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Move up."""
        self.action_scroll_lines(-_WHEEL)

    def render_line(self, y: int) -> Strip:
        """A line of the text."""
        palette = palette_of(self)
        filler = palette.style()
        at = y + self._top
        fact = self._lines[at] if at < len(self._lines) else ()
        line = strip([(" " * _MARGIN, filler), *paint(fact, palette)], self.size.width, filler)
        selection = self.text_selection
        span = selection.get_span(y) if selection is not None else None
        if span is not None:
            line = with_selection(line, span, self.screen.get_component_rich_style("screen--selection"))
        return line.apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Text under a selection made with the mouse."""
        lines = [self.render_line(y).text.rstrip() for y in range(self.size.height)]
        return selection.extract("\n".join(lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()


class CardDialog(ModalScreen[None]):
    """A card over the whole screen; esc, q and enter close it, y copies its text as it is in the corpus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", show=False),
        Binding("y", "copy", show=False),
    ]

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._card = card

    def compose(self) -> ComposeResult:
        """Title, text, and how to leave."""
        with Vertical(id="card"):
            yield Line(self._heading, ground="raised")
            yield WholeText(self._card)
            yield Line(self._foot, ground="raised")

    def on_resize(self, event: Resize) -> None:
        """Leave room for the first and last line where the text is longer than the screen."""
        self.query_one(WholeText).styles.max_height = max(1, event.size.height * 9 // 10 - 2)

    def action_copy(self) -> None:
        """Copy the text."""
        self.app.copy_to_clipboard(card_text(self._card))
        self.notify(t("tui.notice.copied", what=t("detail.copied-text")), markup=False)

    def _heading(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        strong, dim = palette.style("text", "raised", bold=True), palette.style("dim", "raised")
        title, name = shown(self._card.title[:500]), shown(self._card.name[:500])
        right = [(f"{piece.text}", palette.style(piece.ink, "raised")) for piece in self._card.right]
        room = width - sum(cells.width(text) for text, _ in right) - 6
        name = cells.crop(name, room // 2)
        title = cells.crop(title, room - cells.width(name))
        return [(f" {title or name}", strong), (f"  {name if title else ''}", dim)], [*right, (" ", dim)]

    def _foot(self, palette: Palette, width: int) -> tuple[list[Painted], list[Painted]]:
        dim = palette.style("dim", "raised")
        place = self.query_one(WholeText).place
        return [(f" {t('detail.closes')}", dim)], [(f"{place} ", dim)]


def card_lines(card: Card, width: int) -> list[Fact]:
    """All there is on a card, in lines of at most `width` cells: why gold has it, its text, its facts."""
    lines: list[Fact] = [()]
    why = card.why(len(card.reason))
    if why.text:
        lines += [*((why._replace(text=line),) for line in cells.wrap(why.text, width)), ()]
    if card.text is None:
        lines.append((Piece(t("detail.not-in-corpus"), "miss"),))
    else:
        text = shown_lines(card.text)
        lines += marked(cells.wrap(text, width), text, card.words)
    lines.append(())
    for paragraph in card.facts:
        lines += flow(paragraph, width)
    return [*lines, ()] if card.facts else lines
