"""Every ink can be read on every ground, in every theme that is shipped."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from ragtui.tui.palette import Ground, Ink, Palette, contrast, palette_of_theme

GROUNDS: tuple[Ground, ...] = ("background", "selected", "raised")
INKS: dict[Ink, float] = {"text": 4.5, "miss": 4.5, "partial": 4.5, "found": 4.5, "accent": 4.5, "dim": 3.0}
THEMES = [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi]


def palette(name: str) -> Palette:
    return palette_of_theme(BUILTIN_THEMES[name].to_color_system().generate())


def ratio(one: str, other: str) -> float:
    """WCAG 2 contrast, written anew here from the recommendation."""

    def luminance(text: str) -> float:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in Color.parse(text).normalized
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_recommendation() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    # #767676 is known as the lightest grey that passes 4.5 on white
    assert contrast((0x76 / 255,) * 3, (1, 1, 1)) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", THEMES)
def test_every_ink_can_be_read(name: str, ground: Ground) -> None:
    colours = palette(name)
    behind = getattr(colours, ground)
    poor = {
        ink: round(ratio(colours.colour(ink, ground), behind), 2)
        for ink, least in INKS.items()
        if ratio(colours.colour(ink, ground), behind) < least
    }
    assert poor == {}


@pytest.mark.parametrize("name", THEMES)
def test_the_selected_row_is_a_tint_that_can_be_seen(name: str) -> None:
    colours = palette(name)
    assert 1.1 < ratio(colours.selected, colours.background) < 1.6


@pytest.mark.parametrize("name", THEMES)
def test_misses_do_not_look_like_finds(name: str) -> None:
    colours = palette(name)
    hues = {ink: Color.parse(colours.colour(ink)).hsl.h for ink in ("miss", "found")}
    apart = abs(hues["miss"] - hues["found"])
    assert min(apart, 1 - apart) > 0.1


def test_native_themes_leave_colours_to_the_terminal() -> None:
    style = palette_of_theme({}, native=True).style("miss", "selected")
    assert style.color is not None
    assert style.color.name == "red"
    assert style.bgcolor is not None
    assert style.bgcolor.is_default
    assert style.bold


def test_without_colour_the_failing_mark_is_reversed_and_no_colour_is_used() -> None:
    colours = palette_of_theme({}, colourless=True)
    assert colours.mark("miss").reverse
    assert not colours.mark("partial").reverse
    for ink in INKS:
        style = colours.style(ink)
        assert style.color is not None
        assert style.color.is_default
