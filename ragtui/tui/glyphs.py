"""Two glyph sets, and foreign text in a form that every terminal draws as wide as it is measured.

East Asian *ambiguous* characters (`…`, `·`, quotation marks, `─`, Greek, accented Latin) take one cell in
most terminals and two in some. Where they take two, foreign text is shown with narrow equivalents; copying
gives the original.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ragtui.inert import inert, inert_lines

Choice = Literal["auto", "unicode", "ascii"]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Signs of our own outside of tables and cards. Inside them only ASCII is used, whatever the set.

    Attributes:
        rule, bar: a thin line across and down.
        left, right, up, down: how those keys are called.
        dot: between two facts on a line.
        blocks: bars that stand on a line, from nothing to a whole cell in eighths.
        hatch: the same in quarters, hatched.
        hanging: bars that hang from a line, in eighths as near as there are characters for.
        thick: a part of a rule that stands out.
        cross: where a bar crosses a rule.
        fitted: a place on a rule.
    """

    rule: str
    bar: str
    left: str
    right: str
    up: str
    down: str
    dot: str
    blocks: str
    hatch: str
    hanging: str
    thick: str
    cross: str
    fitted: str


UNICODE = Glyphs(
    rule="─",
    bar="│",
    left="←",
    right="→",
    up="↑",
    down="↓",
    dot="·",
    blocks=" ▁▂▃▄▅▆▇█",
    hatch=" ⢀⢄⢔⢕",
    hanging=" ▔▔▀▀▀▀██",
    thick="━",
    cross="┼",
    fitted="◆",
)
ASCII = Glyphs(
    rule="-",
    bar="|",
    left="left",
    right="right",
    up="up",
    down="down",
    dot="-",
    blocks=" ...:####",
    hatch=" ,,//",
    hanging=" '''ooooo",
    thick="=",
    cross="+",
    fitted="^",
)

_glyphs = UNICODE
_wide = False


def glyphs() -> Glyphs:
    """The set now in use."""
    return _glyphs


def use(choice: Choice, *, ambiguous_is_wide: bool = False) -> None:
    """Choose the set for this process; `auto` is `ascii` where ambiguous characters are drawn double."""
    global _glyphs, _wide
    _wide = ambiguous_is_wide
    _glyphs = ASCII if choice == "ascii" or (choice == "auto" and ambiguous_is_wide) else UNICODE


def shown(text: str) -> str:
    """Foreign text on one line, harmless, and as wide as it measures."""
    return _steady(inert(text))


def shown_flat(text: str) -> str:
    """Like `shown`, with line breaks as blanks: for a glimpse of a text that has several lines."""
    return shown(" ".join(text.splitlines()))


def shown_lines(text: str) -> str:
    """Like `shown`, but line breaks stay."""
    return _steady(inert_lines(text))


def _steady(text: str) -> str:
    if text.isascii():
        return text
    text = text.translate(_unsteady())
    return text.translate(_narrow()) if _wide else text


@cache
def _unsteady() -> dict[int, str | None]:
    """Characters whose width depends on neighbour or terminal.

    Soft hyphens, marks of direction, musical format signs, emoji selectors, skin tones, flags, tags.
    """
    table: dict[int, str | None] = dict.fromkeys((0xAD, 0x61C, 0x180E, 0x20E3, 0xFE0E, 0xFE0F), None)
    table |= dict.fromkeys(range(0x1D173, 0x1D17B), None)
    table |= dict.fromkeys(range(0x1F3FB, 0x1F400), None)
    table |= dict.fromkeys(range(0xE0000, 0xE0080), None)
    table |= {0x1F1E6 + n: chr(ord("A") + n) for n in range(26)}
    return table


@cache
def _narrow() -> dict[int, str]:
    """Ambiguous characters (Unicode annex 11, class A) to narrow text of any length."""
    return {
        code: _equivalent(chr(code))
        for code in range(0xA1, 0x10000)
        if unicodedata.east_asian_width(chr(code)) == "A"
    }


def _equivalent(character: str) -> str:
    by_hand = _by_hand()
    if character in by_hand:
        return by_hand[character]
    parts = unicodedata.normalize("NFKD", character)
    plain = "".join(by_hand.get(c, c) for c in parts if not unicodedata.combining(c))
    if plain.isascii():
        return plain
    if "\u2500" <= character <= "\u259f":
        return "+" if character < "\u2580" else "#"
    name = unicodedata.name(character, "")
    if name.startswith(("GREEK", "CYRILLIC")) and " LETTER " in name:
        sound = _sounds().get(name.split(" LETTER ")[1].split(" WITH ")[0].replace(" ", "_"), "?")
        return sound.capitalize() if "CAPITAL" in name else sound
    return "" if unicodedata.combining(character) else "?"


@cache
def _sounds() -> dict[str, str]:
    """Latin letters for Greek and Cyrillic ones, by the word for the letter in its Unicode name."""
    return {name: sound for name, _, sound in (pair.partition("=") for pair in _LETTERS.split())}


@cache
def _by_hand() -> dict[str, str]:
    return {character: text for characters, text in _BY_HAND.items() for character in characters}


_BY_HAND = {
    "…‥": "..",
    "·•∙": ".",
    "–—―‐─━": "-",
    "│┃‖∥": "|",
    "“”„″": '"',
    "‘’′`´": "'",
    "×": "x",
    "÷": "/",
    "≠": "!=",
    "≈": "~",
    "≤≦": "<=",
    "≥≧": ">=",
    "→⇒": "->",
    "←": "<-",
    "↔⇔": "<->",
    "↑": "^",
    "↓": "v",
    "√": "V",
    "∞": "inf",
    "±": "+-",
    "°": "deg",
    "§": "S.",
    "¶": "P",
    "£": "GBP",
    "□■◆◇○●◎★☆▲△▼▽": "*",
    "\u2044": "/",
    "®": "(R)",
    "¡": "!",
    "¿": "?",
    "€": "EUR",
    "Ω": "Ohm",
    "※†‡": "*",
    "∑": "sum",
    "∏": "prod",
    "≡": "==",
    "‰": "o/oo",
    "∈": "in",
    "Œ": "OE",
    "œ": "oe",
    "ßẞ": "ss",
    "æ": "ae",
    "Æ": "AE",
    "øØ": "o",
    "đð": "d",
    "þ": "th",
    "ı": "i",
    "ł": "l",
}
_LETTERS = """
ALPHA=a BETA=b GAMMA=g DELTA=d EPSILON=e ZETA=z ETA=h THETA=th IOTA=i KAPPA=k LAMDA=l MU=m NU=n XI=x
OMICRON=o PI=p RHO=r SIGMA=s TAU=t UPSILON=u PHI=ph CHI=ch PSI=ps OMEGA=w A=a BE=b VE=v GHE=g DE=d IE=e
IO=yo ZHE=zh ZE=z I=i SHORT_I=y KA=k EL=l EM=m EN=n O=o PE=p ER=r ES=s TE=t U=u EF=f HA=h TSE=ts CHE=ch
SHA=sh SHCHA=shch HARD_SIGN=' YERU=y SOFT_SIGN=' E=e YU=yu YA=ya
"""
