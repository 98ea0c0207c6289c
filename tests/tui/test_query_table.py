"""The table draws what is seen and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import App, ComposeResult

from ragtui.tui.state.pieces import Piece
from ragtui.tui.state.rows import Cell, Column
from ragtui.tui.widgets.query_table import QueryTable

COLUMNS = (Column("n", "n", 12), Column("text", "text", 10, is_flexible=True))


class Million:
    """A million rows that remember which of them were asked for."""

    def __init__(self) -> None:
        self.made: set[int] = set()

    def __len__(self) -> int:
        return 1_000_000

    def cells(self, position: int) -> Mapping[str, Cell]:
        self.made.add(position)
        return {"n": [Piece(str(position))], "text": [Piece("高铁二等座" * 20)]}

    def is_dim(self, position: int) -> bool:
        return position % 2 == 1


class TableApp(App[None]):
    def compose(self) -> ComposeResult:
        yield QueryTable()


async def test_only_rows_that_are_seen_are_made() -> None:
    app, rows = TableApp(), Million()
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.query_one(QueryTable)
        table.show(COLUMNS, rows, 500_000)
        await pilot.pause()
        # 23 lines below the header, the cursor on the last
        assert rows.made == set(range(499_978, 500_001))
        table.move(1)
        await pilot.pause()
        assert rows.made == set(range(499_978, 500_002))
        table.move_to(5_000_000)
        await pilot.pause()
        assert table.cursor == 999_999
        assert max(rows.made) == 999_999


async def test_every_line_is_as_wide_as_the_table() -> None:
    app = TableApp()
    for width in (12, 25, 40, 81, 200):
        async with app.run_test(size=(width, 10)) as pilot:
            table = app.query_one(QueryTable)
            table.show(COLUMNS, Million(), 3)
            await pilot.pause()
            inside = table.scrollable_content_region.width
            assert {table.render_line(y).cell_length for y in range(10)} == {inside}
        app = TableApp()


async def test_selected_text_is_what_stands_there() -> None:
    app = TableApp()
    async with app.run_test(size=(40, 10)) as pilot:
        table = app.query_one(QueryTable)
        table.show(COLUMNS, Million(), 0)
        await pilot.pause()
        app.screen.text_select_all()
        await pilot.pause()
        assert (app.screen.get_selected_text() or "").splitlines()[1].startswith(">0")
