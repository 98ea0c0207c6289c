"""Colours of our own lines, computed from a theme so that all of them can be read on what they stand on.

A theme's own colours were never chosen for small text on a tinted row: its red may have a contrast of 1.5
there. So each colour is moved in lightness, its hue kept, until it stands out enough on the background, on
the selected row and on raised lines. Contrast is that of WCAG 2: (L1 + .05) / (L2 + .05) over relative
luminance.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rich.style import Style

Ink = Literal["text", "dim", "miss", "partial", "found", "accent", "rule"]
Ground = Literal["background", "selected", "raised"]

READABLE = 4.5
DIM = 3.0
FAINT = 0.42
"""How much of an ink is left in an area that is not looked at."""

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """Colours as Rich names them: `#rrggbb` as the theme wishes them, or names of the 16 terminal colours.

    Attributes:
        background, selected, raised: what text stands on: the screen, the selected row, header and footer.
        text, dim: ordinary text; what is there without being asked for.
        miss, partial, found: evidence that was missed, got in part, got.
        accent: keys, the bar of the selected row.
        rule: thin lines, which carry no text.
        colourless: nothing may rely on colour, not even a little: a failing mark is reversed.
    """

    background: str
    selected: str
    raised: str
    text: str
    dim: str
    miss: str
    partial: str
    found: str
    accent: str
    rule: str
    colourless: bool = False

    def colour(self, ink: Ink, ground: Ground = "background") -> str:
        """The ink as it is shown on a ground: readable there."""
        return _colour(self, ink, ground)

    def style(
        self,
        ink: Ink = "text",
        ground: Ground = "background",
        *,
        bold: bool = False,
        italic: bool = False,
        underline: bool = False,
    ) -> Style:
        """Rich style of an ink on a ground; cached."""
        return _style(self, ink, ground, bold, italic, underline)

    def faint(self, ink: Ink) -> Style:
        """Style of an area that is not looked at: the ink at less strength. It holds no text."""
        return _faint(self, ink)

    def mark(self, ink: Ink, ground: Ground = "background") -> Style:
        """Style of a mark that says failing (`miss`) or incomplete (`partial`), seen without colour too."""
        style = self.style(ink, ground, bold=True)
        return style + Style(reverse=True) if self.colourless and ink == "miss" else style


SIXTEEN = Palette(
    background="default",
    selected="default",
    raised="default",
    text="default",
    dim="default",
    miss="red",
    partial="yellow",
    found="green",
    accent="blue",
    rule="default",
)
COLOURLESS = replace(
    SIXTEEN, miss="default", partial="default", found="default", accent="default", colourless=True
)


def palette_of_theme(
    colours: Mapping[str, str], *, native: bool = False, colourless: bool = False
) -> Palette:
    """Palette for a theme.

    Args:
        colours: what the theme calls `background`, `foreground`, `primary`, `error`, `warning` and `success`,
            as `#rrggbb`.
        native: the theme leaves colours to the terminal (fewer than 256 of them).
        colourless: the user wants no colour.
    """
    if colourless:
        return COLOURLESS
    if native:
        return SIXTEEN
    background, foreground = _rgb(colours["background"]), _rgb(colours["foreground"])
    selected = _mixed(background, _rgb(colours["primary"]), 0.24)
    # the tint is kept near the background, or no strong colour is left that reads on it
    while contrast(selected, background) > 1.45:
        selected = _mixed(selected, background, 0.1)
    return Palette(
        background=_hex(background),
        selected=_hex(selected),
        raised=_hex(_mixed(background, foreground, 0.07)),
        text=_hex(foreground),
        dim=_hex(_mixed(foreground, background, 0.45)),
        miss=colours["error"],
        partial=colours["warning"],
        found=colours["success"],
        accent=colours["primary"],
        rule=_hex(_mixed(background, foreground, 0.25)),
    )


@lru_cache(maxsize=1024)
def _style(palette: Palette, ink: Ink, ground: Ground, bold: bool, italic: bool, underline: bool) -> Style:
    sixteen = palette.background == "default"
    return Style(
        color=palette.colour(ink, ground),
        bgcolor=getattr(palette, ground),
        # of the sixteen colours none is a reliable grey, so dimming is left to the terminal
        dim=True if sixteen and ink in {"dim", "rule"} and ground != "selected" else None,
        # and the selected row, which has no tint there, is told by weight
        bold=True if bold or (sixteen and ground == "selected") else None,
        italic=italic or None,
        underline=underline or None,
    )


@lru_cache(maxsize=64)
def _faint(palette: Palette, ink: Ink) -> Style:
    if palette.background == "default":
        return palette.style(ink) + Style(dim=True)
    mixed = _mixed(_rgb(palette.background), _rgb(palette.colour(ink)), FAINT)
    return Style(color=_hex(mixed), bgcolor=palette.background)


@lru_cache(maxsize=1024)
def _colour(palette: Palette, ink: Ink, ground: Ground) -> str:
    wished: str = getattr(palette, ink)
    if palette.background == "default" or ink == "rule":
        return wished
    # a little over what is asked: terminals round colours too
    least = {"text": 7.0, "dim": DIM + 0.4}.get(ink, READABLE + 0.1)
    return _hex(_until_readable(_rgb(wished), _rgb(getattr(palette, ground)), least))


def contrast(one: Rgb, other: Rgb) -> float:
    """WCAG 2 contrast of two colours with channels in 0 to 1; from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _until_readable(colour: Rgb, ground: Rgb, least: float) -> Rgb:
    """Move `colour` away from `ground` in lightness until it has the contrast, or is black or white."""
    step = 0.01 if _luminance(ground) < 0.18 else -0.01
    hue, lightness, saturation = colorsys.rgb_to_hls(*colour)
    while contrast(colour, ground) < least and 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        # rounded now, because it is the rounded colour that is shown
        colour = _rgb(_hex(colorsys.hls_to_rgb(hue, lightness, saturation)))
    return colour


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return _rgb(_hex((red, green, blue)))


def _rgb(text: str) -> Rgb:
    digits = text.lstrip("#")
    return (int(digits[0:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255)


def _hex(colour: Rgb) -> str:
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in colour)
