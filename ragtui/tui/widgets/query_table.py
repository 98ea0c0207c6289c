"""A table of any length: only the lines that are seen are made.

`DataTable` measures every cell of every row; 100,000 rows take it a minute. Here a row costs nothing
until it is on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from ragtui.tui import cells
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Ground, Ink, Palette
from ragtui.tui.state.rows import GAP, Cell, Column, Rows, fitting
from ragtui.tui.strips import Painted, strip
from ragtui.tui.widgets.drawn import DrawnList

BAR = 1


class NoRows:
    """What a table shows before it is given something."""

    def __len__(self) -> int:
        return 0

    def cells(self, position: int) -> Mapping[str, Cell]:
        raise IndexError(position)

    def is_dim(self, position: int) -> bool:
        raise IndexError(position)


class QueryTable(DrawnList, can_focus=True, inherit_bindings=False):
    """Rows under a header that stays. It moves a cursor and says so; what rows mean is not its concern."""

    HEADER = 1

    cursor: reactive[int] = reactive(0, init=False, always_update=False)
    is_used: reactive[bool] = reactive(True)
    """Whether keys move the cursor here; where they do not, the row has its bar and no tint."""

    @dataclass
    class Moved(Message):
        """The cursor is on another row."""

        position: int
        table: QueryTable

    @dataclass
    class Opened(Message):
        """A row was clicked while the cursor was on it."""

        position: int
        table: QueryTable

    @dataclass
    class Scrolled(Message):
        """Other rows are seen."""

        table: QueryTable

    @dataclass
    class HeaderClicked(Message):
        """A header was clicked."""

        column: str
        table: QueryTable

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows: Rows = NoRows()
        self._columns: tuple[Column, ...] = ()
        self._fitted: tuple[int, list[tuple[Column, int]]] | None = None

    def show(self, columns: tuple[Column, ...], rows: Rows, cursor: int) -> None:
        """Draw other rows, with the cursor on one of them."""
        self._columns, self._rows = columns, rows
        self._lay_out()
        self.set_reactive(QueryTable.cursor, self._within(cursor))
        self.reveal(self.cursor)
        self.refresh()

    @property
    def seen(self) -> range:
        """Positions of the rows that are in sight."""
        top = self.scroll_offset.y
        return range(min(top, len(self._rows)), min(top + self.page, len(self._rows)))

    def watch_scroll_y(self, before: float, now: float) -> None:
        """Scroll, and say so."""
        super().watch_scroll_y(before, now)
        if round(before) != round(now):
            self.post_message(self.Scrolled(self))

    def move(self, by: int) -> None:
        """Move the cursor, at most to the first or last row."""
        self.cursor = self._within(self.cursor + by)

    def move_to(self, position: int) -> None:
        """Put the cursor on a row."""
        self.cursor = self._within(position)

    def watch_cursor(self, before: int, now: int) -> None:
        """Bring the row into sight and say where the cursor is."""
        self.refresh_line(before + self.HEADER)
        self.refresh_line(now + self.HEADER)
        self.reveal(self.cursor)
        self.post_message(self.Moved(now, self))

    def on_resize(self, event: Resize) -> None:
        """Lay out the columns anew."""
        self._lay_out()
        self.reveal(self.cursor)
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Choose a row, open the one that is chosen already, or name the column of the header."""
        if event.y < self.HEADER:
            column = self._column_at(event.x)
            if column is not None:
                self.post_message(self.HeaderClicked(column.id, self))
            return
        position = event.y - self.HEADER + self.scroll_offset.y
        if position >= len(self._rows):
            return
        if position == self.cursor:
            self.post_message(self.Opened(position, self))
        else:
            self.move_to(position)

    def line(self, y: int) -> Strip:
        """The header, or the row at a line of the screen."""
        palette = palette_of(self)
        width = self.scrollable_content_region.width
        position = y - self.HEADER + self.scroll_offset.y
        if y < self.HEADER:
            line = self._header(palette, width)
        elif position < len(self._rows):
            line = self._row(palette, position, width)
        else:
            line = Strip.blank(width, palette.style())
        return line

    def _header(self, palette: Palette, width: int) -> Strip:
        style = palette.style("dim", underline=not palette.background.startswith("#"))
        pieces: list[Painted] = [(" " * BAR, style)]
        for index, (column, cells_wide) in enumerate(self._layout):
            pieces.append((" " * GAP if index else "", style))
            pieces.append((cells.pad(column.title, cells_wide, column.align), style))
        return strip(pieces, width, style)

    def _row(self, palette: Palette, position: int, width: int) -> Strip:
        is_cursor = position == self.cursor
        ground: Ground = "selected" if is_cursor and self.is_used else "background"
        plain = palette.style("text", ground)
        bar = (">", palette.style("accent", ground, bold=True)) if is_cursor else (" ", plain)
        pieces: list[Painted] = [bar]
        row = self._rows.cells(position)
        is_dim = self._rows.is_dim(position)
        for index, (column, cells_wide) in enumerate(self._layout):
            pieces.append((" " * GAP if index else "", plain))
            cell = row.get(column.id, ())
            if is_cursor and column.is_flexible:
                cell = [piece._replace(bold=True) for piece in cell]
            elif is_dim and not is_cursor:
                cell = [piece._replace(ink="dim", bold=False) for piece in cell]
            pieces += _cell(cell, column, cells_wide, palette, ground)
        return strip(pieces, width, plain)

    def _lay_out(self) -> None:
        self.virtual_size = Size(self.size.width, len(self._rows) + self.HEADER)
        self._fitted = None

    @property
    def _layout(self) -> list[tuple[Column, int]]:
        """Columns with their widths; the scrollbar comes and goes without a resize."""
        room = self.scrollable_content_region.width - BAR - 1
        if self._fitted is None or self._fitted[0] != room:
            self._fitted = room, fitting(self._columns, room)
        return self._fitted[1]

    def _within(self, position: int) -> int:
        return max(0, min(position, len(self._rows) - 1))

    def _column_at(self, x: int) -> Column | None:
        left = BAR
        for column, cells_wide in self._layout:
            if left <= x < left + cells_wide + GAP:
                return column
            left += cells_wide + GAP
        return None


def _cell(cell: Cell, column: Column, width: int, palette: Palette, ground: Ground) -> list[Painted]:
    """Pieces of one cell, together exactly `width` cells; on the selected row nothing is dim."""
    painted: list[Painted] = []
    left = width
    for piece in cell:
        ink: Ink = "text" if piece.ink == "dim" and ground == "selected" else piece.ink
        style = palette.mark(ink, ground) if column.is_mark else palette.style(ink, ground, bold=piece.bold)
        shown = cells.crop(piece.text, left)
        painted.append((shown, style))
        left -= cells.width(shown)
    space = (" " * left, palette.style("text", ground))
    return [space, *painted] if column.align == "right" else [*painted, space]
