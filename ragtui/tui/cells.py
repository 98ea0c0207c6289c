"""Text measured in terminal cells: crop, pad, wrap. A Chinese character takes two, a combining mark none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rich.cells import cell_len, get_character_cell_size

ELLIPSIS = ".."


def width(text: str) -> int:
    """Cells that `text` takes."""
    return cell_len(text)


def crop(text: str, cells: int) -> str:
    """`text` in at most `cells` cells; what was cut off is `..`. Never cuts a two-cell character in half."""
    if cells <= 0:
        return ""
    # no character is wider than two cells, so longer text cannot fit and need not be measured to its end
    if len(text) <= 2 * cells + 2 and cell_len(text) <= cells:
        return text
    if cells <= len(ELLIPSIS):
        whole = head(text, cells)
        return whole if whole == text else ELLIPSIS[:cells]
    kept = head(text, cells)
    if len(kept) == len(text):
        return text
    return head(text, cells - len(ELLIPSIS)).rstrip() + ELLIPSIS


def head(text: str, cells: int) -> str:
    """The longest beginning of `text` that fits into `cells` cells, without a mark that it was cut."""
    used = 0
    for index, character in enumerate(text):
        used += get_character_cell_size(character)
        if used > cells:
            return text[:index]
    return text


def pad(text: str, cells: int, align: Literal["left", "right"] = "left") -> str:
    """`text` cropped or filled with spaces to exactly `cells` cells."""
    shown = crop(text, cells)
    space = " " * (cells - cell_len(shown))
    return space + shown if align == "right" else shown + space


def wrap(text: str, cells: int, lines: int | None = None) -> list[str]:
    """Break `text` into lines of at most `cells` cells.

    Breaks at spaces where there are some, and anywhere between two-cell characters, as Chinese does; words
    longer than a line are broken. Line breaks in the text stay.

    Args:
        text: what to break.
        cells: width of a line, at least 2.
        lines: at most so many lines; the last one then ends in `..`. None for all.
    """
    found: list[str] = []
    for line in _broken(text, max(cells, 2)):
        if lines is not None and len(found) == lines:
            found[-1] = crop(found[-1] + " " * cells + ".", cells)
            return found
        found.append(line)
    return found


def _broken(text: str, cells: int) -> Iterator[str]:
    for paragraph in text.split("\n"):
        rest = paragraph
        while True:
            line = head(rest, cells)
            if len(line) == len(rest):
                yield line.rstrip()
                break
            end = _break_before(rest, len(line))
            yield rest[:end].rstrip()
            rest = rest[end:].lstrip(" ")


def _break_before(text: str, limit: int) -> int:
    """Best place to break `text` at or before index `limit`: after a space or beside a two-cell character."""
    for place in range(limit, 0, -1):
        before, after = text[place - 1], text[place]
        if before == " " or after == " ":
            return place
        if get_character_cell_size(before) == 2 and after not in _NEVER_FIRST:
            return place
        if get_character_cell_size(after) == 2 and after not in _NEVER_FIRST:
            return place
    return max(limit, 1)


_NEVER_FIRST = frozenset("，。、；：？！）】》」』”’％,.;:?!)]}%")
