"""Scrollbars of plain cells: the eighths of a block that Textual draws are wide in some terminals."""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender


class PlainScrollBar(ScrollBarRender):
    """Whole cells only, told apart by their background."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def plain_scrollbars() -> None:
    """Draw all scrollbars of this process so."""
    ScrollBar.renderer = PlainScrollBar
