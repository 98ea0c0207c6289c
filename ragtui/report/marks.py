"""Rectangles, lines and texts, and the two files they are written to: SVG, and PNG for what takes no SVG."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Literal

from ragtui.errors import RagtuiError
from ragtui.inert import inert

Anchor = Literal["start", "middle", "end"]

PNG_SCALE = 2
_PNG_LETTERS = 0x24F
"""Code points up to here have a letter in the font that is drawn with."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle; units are pixels from the upper left corner."""

    left: float
    top: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text on its base line."""

    x: float
    y: float
    text: str
    colour: str
    size: int
    anchor: Anchor


Mark = Rectangle | Line | Text


def svg(marks: Sequence[Mark], width: int, height: int) -> bytes:
    """A picture that asks nothing of any server; texts are escaped and shown as they are."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *map(_element, marks),
        "</svg>",
    ]
    return "\n".join(lines).encode("utf-8", "replace") + b"\n"


def _element(mark: Mark) -> str:
    if isinstance(mark, Rectangle):
        size = f'width="{mark.width:.2f}" height="{mark.height:.2f}"'
        return f'<rect x="{mark.left:.2f}" y="{mark.top:.2f}" {size} fill="{mark.colour}"/>'
    if isinstance(mark, Line):
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in mark.points)
        dashes = ' stroke-dasharray="5 4"' if mark.dashed else ""
        return (
            f'<polyline points="{points}" fill="none" stroke="{mark.colour}" '
            f'stroke-width="{mark.width:g}"{dashes}/>'
        )
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" fill="{mark.colour}" font-size="{mark.size}" '
        f'text-anchor="{mark.anchor}">{escape(inert(mark.text))}</text>'
    )


def png(marks: Sequence[Mark], width: int, height: int) -> bytes:
    """The same picture in pixels, twice as many each way.

    Raises:
        RagtuiError: a text has letters that the font inside the library lacks.
    """
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width * PNG_SCALE, height * PNG_SCALE), "#ffffff")
    canvas = ImageDraw.Draw(image)
    for mark in marks:
        if isinstance(mark, Rectangle):
            left, top = mark.left * PNG_SCALE, mark.top * PNG_SCALE
            right, bottom = left + mark.width * PNG_SCALE, top + mark.height * PNG_SCALE
            canvas.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), fill=mark.colour)
        elif isinstance(mark, Line):
            points = [(x * PNG_SCALE, y * PNG_SCALE) for x, y in mark.points]
            for start, end in _dashes(points) if mark.dashed else pairwise(points):
                canvas.line((start, end), fill=mark.colour, width=round(mark.width * PNG_SCALE))
        else:
            text = inert(mark.text)
            if any(ord(letter) > _PNG_LETTERS for letter in text):
                raise RagtuiError("calibrate.no-png", text=text)
            font = ImageFont.load_default(mark.size * PNG_SCALE)
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[mark.anchor]
            at = (mark.x * PNG_SCALE, mark.y * PNG_SCALE)
            canvas.text(at, text, fill=mark.colour, font=font, anchor=anchor)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _dashes(
    points: Sequence[tuple[float, float]], on: float = 10, off: float = 8
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Pieces of a line, 10 pixels drawn and 8 not."""
    pieces = []
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        at = 0.0
        while at < length:
            end = min(at + on, length)
            ends = [(x0 + (x1 - x0) * part / length, y0 + (y1 - y0) * part / length) for part in (at, end)]
            pieces.append((ends[0], ends[1]))
            at += on + off
    return pieces


def axis_texts(low: float, high: float, count: int = 6) -> list[tuple[float, str]]:
    """Round numbers on an axis from `low` to `high`, with their places on it from 0 to 1."""
    step = _round_step((high - low) / count)
    decimals = max(0, -math.floor(math.log10(step)))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [
        ((number * step - low) / (high - low), f"{number * step:.{decimals}f}")
        for number in range(first, last + 1)
    ]


def _round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, not below `rough`."""
    power = float(10 ** math.floor(math.log10(rough)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))
