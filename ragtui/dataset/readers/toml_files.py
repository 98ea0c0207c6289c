"""Reads `set.toml` and run cards."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.model import RunCard, SetSettings
from ragtui.dataset.readers.content import document
from ragtui.dataset.readers.values import shown

_AT_LINE = re.compile(r"\(at line (\d+)")


def read_settings(path: Path, faults: Faults) -> SetSettings:
    """What `set.toml` says. A field that is not known is a warning, a value of the wrong kind an error."""
    table, lines = _read(path, faults)
    fields: dict[str, Any] = {}
    for name, value in table.items():
        # one number is the cut-off to start with, a list is all of them
        field = "start_k" if name == "k" and not isinstance(value, list) else name
        check = _CHECKS.get(field)
        if check is None:
            nearest = difflib.get_close_matches(name, _CHECKS, n=1)
            kind = "unknown-setting-near" if nearest else "unknown-setting"
            faults.warning(
                kind, path, lines(name), name=name, nearest="".join(nearest), names=", ".join(_CHECKS)
            )
            continue
        try:
            fields[field] = check(value)
        except ValueError as wanted:
            faults.error(f"setting-{wanted}", path, lines(name), name=name, value=shown(value))
    scale = fields.get("grade_scale")
    if scale is not None and 0.0 not in scale and "relevant_from" not in table:
        faults.error(
            "scale-without-zero", path, lines("grade_scale"), scale=", ".join(f"{g:g}" for g in scale)
        )
    return SetSettings(**fields)


def read_card(path: Path, faults: Faults) -> RunCard:
    """A run card; `depth` and `score_direction` are checked, all other fields are taken as they stand."""
    table, lines = _read(path, faults)
    depth = table.get("depth")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
        faults.error("card-depth", path, lines("depth"), value=shown(depth))
        table = {**table, "depth": None}
    direction = table.get("score_direction")
    if direction not in (None, "higher", "lower"):
        faults.error("card-direction", path, lines("score_direction"), value=shown(direction))
    return RunCard({name: value for name, value in table.items() if value is not None})


def _read(path: Path, faults: Faults) -> tuple[Mapping[str, Any], Callable[[str], int | None]]:
    """The table of a TOML file, and a function that finds the line of a top-level key."""
    content = document(path, faults)
    if content is None:
        return {}, lambda _: None
    try:
        written = content.decode()
    except UnicodeDecodeError as bad:
        line = content.count(b"\n", 0, bad.start) + 1
        faults.error("not-utf8", path, line, byte=f"0x{content[bad.start]:02x}")
        return {}, lambda _: None
    try:
        table = tomllib.loads(written)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = _AT_LINE.search(str(error))
        reason = str(error).split(" (at ")[0] or "nested too deeply"
        faults.error("bad-toml", path, int(at[1]) if at else None, reason=reason)
        return {}, lambda _: None

    def line_of(name: str) -> int | None:
        pattern = re.compile(rf"\s*(?:\[\s*)?[\"']?{re.escape(name)}[\"']?\s*[=.\]]")
        return next((n for n, line in enumerate(written.splitlines(), 1) if pattern.match(line)), None)

    return table, line_of


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not-text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("not-true-or-false")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not-a-number")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("not-a-count")
    return value


def _scale(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) < 2:
        raise ValueError("not-a-scale")
    grades = [_number(grade) for grade in value]
    if any(low >= high for low, high in pairwise(grades)):
        raise ValueError("not-a-scale")
    return tuple(grades)


def _cutoffs(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError("not-cutoffs")
    return tuple(sorted({_count(k) for k in value}))


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("not-texts")
    return tuple(_text(item) for item in value)


def _numbers_by_name(value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError("not-a-table")
    return {name: _number(item) for name, item in value.items()}


def _texts_by_name(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("not-a-table")
    return {name: _text(item) for name, item in value.items()}


_CHECKS: Mapping[str, Callable[[object], Any]] = {
    "name": _text,
    "language": _text,
    "grade_scale": _scale,
    "relevant_from": _number,
    "strict": _number,
    "k": _cutoffs,
    "start_k": _count,
    "primary": _text,
    "gold_complete": _flag,
    "sealed": _texts,
    "targets": _numbers_by_name,
    "causes": _texts_by_name,
}
