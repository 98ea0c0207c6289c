"""The one catalogue of texts that people read, in English and Chinese.

A key is `area.name`; the area is the file (`en/dataset.toml`, `zh/dataset.toml`) and is read when it is first
asked for. Values are `str.format` templates. A template named `key_one` is used where `n` is 1. Text that
comes from a user's files is only ever a *value* of a template, never a template.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_chosen: Language | None = None


def language() -> Language:
    """Language now in use: the one set by `use`, else that of `RAGTUI_LANGUAGE`, else of the locale."""
    if _chosen is not None:
        return _chosen
    for variable in ("RAGTUI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value and value != "auto":
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def use(chosen: Language | None) -> None:
    """Fix the language for this process; `None` returns to what the environment says."""
    global _chosen
    _chosen = chosen


def t(key: str, in_language: Language | None = None, /, **values: Any) -> str:
    """Text for `key` with `values` filled in.

    Raises:
        KeyError: the key is in no catalogue; a missing translation falls back to English.
    """
    wanted = in_language or language()
    area = key.split(".", 1)[0]
    for candidate in (wanted, "en"):
        texts = catalogue(candidate, area)
        template = texts.get(f"{key}_one") if values.get("n") == 1 else None
        template = template or texts.get(key)
        if template is not None:
            return template.format(**values)
    raise KeyError(key)


@cache
def catalogue(of_language: Language, area: str) -> Mapping[str, str]:
    """All texts of one area, keys with the area in front; empty where the file is absent."""
    source = resources.files(__package__) / of_language / f"{area}.toml"
    if not source.is_file():
        return {}
    return dict(_flat(area, tomllib.loads(source.read_text(encoding="utf-8"))))


def areas() -> list[str]:
    """Names of all areas, sorted."""
    folder = resources.files(__package__) / "en"
    return sorted(
        entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")
    )


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{prefix}.{name}"
        pairs += _flat(key, value) if isinstance(value, Mapping) else [(key, str(value))]
    return pairs
