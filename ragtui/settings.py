"""Typed settings: a file of the user's, and environment variables that win over it.

`settings.toml` lies where `locations.settings_file()` says; the field `timeout` is `RAGTUI_TIMEOUT` in the
environment. Keys of model providers are no settings: they stay in the variables the providers name, and no
file of ragtui's holds them. What a field is for stands in the message catalogue as `settings.field.<name>`.
"""

from __future__ import annotations

import difflib
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from ragtui import locations
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may choose, with defaults that work; None where the default is to choose nothing."""

    language: Literal["auto", "en", "zh"] = "auto"
    glyphs: Literal["auto", "unicode", "ascii"] = "auto"
    theme: str | None = None
    api_base: str | None = None
    embedding_model: str | None = None
    judge_model: str | None = None
    reviewer: str | None = None
    concurrency: int = 8
    timeout: float = 60.0


def load(
    file: Path | None = None, environ: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[str, ...]]:
    """Settings of this user, and warnings to show, such as an unknown key with the nearest name.

    Args:
        file: instead of `locations.settings_file()`; a file that is not there says nothing.
        environ: instead of `os.environ`.

    Raises:
        RagtuiError: the file cannot be read or is no TOML, or a value is not what its field takes.
    """
    file = locations.settings_file() if file is None else file
    environ = os.environ if environ is None else environ
    kinds = get_type_hints(Settings)
    chosen: dict[str, Any] = {}
    warnings = []
    for name, value in _table(file).items():
        if name in kinds:
            chosen[name] = _checked(name, value, kinds[name], where=str(file))
        else:
            nearest = difflib.get_close_matches(name, kinds, n=1, cutoff=0)[0]
            warnings.append(
                t("settings.unknown-key", file=inert(str(file)), name=inert(name), nearest=nearest)
            )
    for name, kind in kinds.items():
        text = environ.get(variable_of(name), "").strip()
        if text:
            chosen[name] = _checked(name, _read_number(text, kind), kind, where=variable_of(name))
    return Settings(**chosen), tuple(warnings)


def variable_of(name: str) -> str:
    """Environment variable that sets the field `name`."""
    return f"RAGTUI_{name.upper()}"


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RagtuiError("settings.unreadable", where=str(file), reason=error.strerror or "") from error
    except UnicodeDecodeError as error:
        raise RagtuiError("settings.not-utf8", where=str(file)) from error
    except tomllib.TOMLDecodeError as error:
        raise RagtuiError("settings.not-toml", where=str(file), reason=inert(str(error))) from error


def _read_number(text: str, kind: Any) -> Any:
    """Text of the environment as the number that `kind` asks for, unchanged where it is none."""
    if kind not in (int, float):
        return text
    try:
        return kind(text)
    except ValueError:
        return text


def _checked(name: str, value: Any, kind: Any, where: str) -> Any:
    if kind is int or kind is float:
        numeric = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
        if numeric and 0 < value < math.inf:
            return kind(value)
        expected = t("settings.expected-whole" if kind is int else "settings.expected-number")
    elif type(None) in get_args(kind):
        if isinstance(value, str):
            return value.strip() or None
        expected = t("settings.expected-text")
    else:
        if value in get_args(kind):
            return value
        expected = t("settings.expected-choice", choices=", ".join(get_args(kind)))
    shown = inert(str(value))
    raise RagtuiError("settings.wrong-value", where=where, name=name, value=shown, expected=expected)
