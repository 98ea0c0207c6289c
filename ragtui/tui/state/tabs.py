"""The line of screens: which there are, which one is seen, and that nobody has judged yet."""

from __future__ import annotations

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.actions import BY_ID, TABS, Place
from ragtui.tui.glyphs import glyphs
from ragtui.tui.state.pieces import Fact, Piece


def tab_texts(place: Place) -> list[tuple[Place, str]]:
    """Screens with what is written for each; the one that is seen stands in brackets, colour or not."""
    return [
        (tab, f"[{name}]" if tab == place else f" {name} ")
        for tab in TABS
        for name in [f"{BY_ID[tab].keys[0]} {t(f'tui.tab.{tab}')}"]
    ]


def tab_facts(place: Place, *, is_unjudged: bool) -> tuple[Fact, Fact]:
    """Left and right end of the line."""
    left = tuple(
        Piece(text, "accent" if tab == place else "dim", bold=tab == place) for tab, text in tab_texts(place)
    )
    chip = (Piece(f"{judge_chip()} ", "dim"),) if is_unjudged else ()
    return left, chip


def judge_chip() -> str:
    """That nobody has judged, and the key of the screen that does."""
    return t("judges.tab-chip", dot=glyphs().dot, key=BY_ID["judges"].keys[0])


def tab_at(place: Place, x: int) -> Place | None:
    """The screen whose name is drawn at a cell of the line."""
    at = 0
    for tab, text in tab_texts(place):
        at += cells.width(text)
        if x < at:
            return tab
    return None
