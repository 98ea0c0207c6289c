"""Figures as the screens write them: as short as they can be and still be told apart."""

from __future__ import annotations

import math


def score_text(score: float) -> str:
    """A similarity or distance in at most six cells: `.871`, `7.310`, `23.48`, `1234`, `1e12`, `.0004`."""
    size = abs(score)
    if 0 < size < 0.0005:
        return _without_zero(f"{score:.4f}") if size >= 0.00005 else f"{score:.0e}".replace("e-0", "e-")
    if size < 10:
        return _without_zero(f"{score:.3f}")
    if size < 100_000:
        return f"{score:.{max(0, 3 - int(math.log10(size)))}f}"
    return f"{score:.0e}".replace("e+0", "e").replace("e+", "e")


def share_text(value: float) -> str:
    """A metric in [0, 1] in four cells: `.58`, `1.00`; `-` where there is none."""
    return "-" if math.isnan(value) else _without_zero(f"{value:.2f}")


def grade_text(grade: float) -> str:
    """A grade: `3`, `2.5`."""
    return f"{grade:g}"


def time_text(seconds: float) -> str:
    """`0:43`, `1:02:10`."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _without_zero(figure: str) -> str:
    return figure.replace("0.", ".", 1) if figure.lstrip("-").startswith("0.") else figure
