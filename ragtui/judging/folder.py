"""Folders that describe judges, read strictly: bundled, of the user, and beside a set.

A folder holds `judge.toml`; for the engine `rubric` also `prompt.<language>.md` for each language and
`schema.json`; `calibration.jsonl` where the judge can be measured. The last folder of a name wins.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn, get_args

from ragtui import locations
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.items import asks_together
from ragtui.judging.model import Engine, Judge, Unit
from ragtui.judging.plugins import python_judges
from ragtui.judging.schema_shape import BadSchema, shape_of
from ragtui.judging.template import BadTemplate, fields_of, messages

_KEYS = ("schema", "name", "version", "unit", "engine", "scale", "languages", "defaults")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_LARGEST_FILE = 2**20

_NEEDED: Mapping[Unit, tuple[frozenset[str], ...]] = {
    "context": (frozenset({"context"}), frozenset({"contexts"})),
    "reference": (frozenset({"reference", "contexts"}),),
    "statement-context": (frozenset({"claim", "context"}),),
}
"""Fields of which a prompt has to hold one of these groups, so that the judge sees what it judges."""


_DEFAULTS: Mapping[str, Mapping[str, type]] = {
    "rule": {"rule": str, "threshold": float},
    "model": {
        "temperature": float,
        "top_p": float,
        "top_k": float,
        "max_tokens": float,
        "seed": float,
        "presence_penalty": float,
        "frequency_penalty": float,
        "reasoning_effort": str,
    },
}
"""What `[defaults]` may hold: a set may come from anybody, and must not say where keys are sent."""


def load_judges(set_path: Path | None = None) -> Mapping[str, Judge]:
    """All judges by name: bundled ones, then those in Python, the user's, and those beside the set.

    Args:
        set_path: folder of an evaluation set whose own `judges/` counts too; None for none.

    Raises:
        RagtuiError: a judge cannot be used; it names file, fault and mend.
    """
    found = _in_folder(locations.bundled("judges"))
    for name, judge in python_judges().items():
        found[name] = with_digest(judge.judge)
    found |= _in_folder(locations.settings_file().parent / "judges")
    if set_path is not None and set_path.is_dir():
        found |= _in_folder(set_path / "judges")
    return found


def read_judge(folder: Path) -> Judge:
    """The judge that a folder describes.

    Raises:
        RagtuiError: `judge.toml`, a prompt or the schema is missing or says what it may not.
    """
    file = folder / "judge.toml"
    table = _toml(file)
    _check_keys(table, file)
    engine: Engine = _choice(table, "engine", get_args(Engine), file)
    unit: Unit = _choice(table, "unit", get_args(Unit), file)
    name = _text(table, "name", _NAME, file)
    if name != folder.name:
        _refuse("name-not-folder", file, name=name, folder=folder.name)
    judge = Judge(
        name=name,
        version=_text(table, "version", _VERSION, file),
        unit=unit,
        engine=engine,
        scale=_scale(table, file),
        languages=_languages(table, engine, file),
        defaults=_defaults(table, engine, file),
        folder=folder,
    )
    if engine == "ragas" and (unit == "statement-context" or judge.scale != (0.0, 1.0)):
        _refuse("ragas-unit", file)
    if engine == "rubric":
        judge = replace(judge, prompts={lang: _prompt(folder, lang, unit) for lang in judge.languages})
    if engine != "rule":
        several = unit == "reference" or asks_together(judge)
        judge = replace(judge, schema=_schema(folder / "schema.json", several=several))
    return with_digest(judge)


def with_digest(judge: Judge) -> Judge:
    """The judge with the hex SHA-256 of everything in it that can change a verdict."""
    content = json.dumps(
        [
            judge.name,
            judge.version,
            judge.unit,
            judge.engine,
            judge.scale,
            dict(judge.prompts),
            judge.schema,
            dict(judge.defaults),
        ],
        sort_keys=True,
    )
    return replace(judge, digest=hashlib.sha256(content.encode("ascii")).hexdigest())


def _in_folder(folder: Path) -> dict[str, Judge]:
    if not folder.is_dir():
        return {}
    folders = sorted(entry for entry in folder.iterdir() if entry.is_dir() and entry.name[0] not in "._")
    return {judge.name: judge for judge in map(read_judge, folders)}


def _refuse(key: str, file: Path, **values: Any) -> NoReturn:
    shown = {name: inert(str(value)) for name, value in values.items()}
    raise RagtuiError(f"judging.folder.{key}", where=str(file), **shown)


def _content(file: Path) -> str:
    """Text of a small UTF-8 file, with or without a byte order mark."""
    try:
        with file.open("rb") as stream:
            content = stream.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        _refuse("missing", file, name=file.name)
    except OSError as error:
        _refuse("unreadable", file, reason=error.strerror or type(error).__name__)
    if len(content) > _LARGEST_FILE:
        _refuse("too-large", file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("not-utf8", file)


def _toml(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(_content(file))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse("not-toml", file, reason=str(error))


def _check_keys(table: Mapping[str, Any], file: Path) -> None:
    for name in table:
        if name not in _KEYS:
            nearest = difflib.get_close_matches(name, _KEYS, n=1, cutoff=0)[0]
            _refuse("unknown-key", file, name=name, nearest=nearest)
    if table.get("schema", 1) != 1:
        _refuse("newer", file, schema=table["schema"])


def _choice(table: Mapping[str, Any], name: str, choices: tuple[Any, ...], file: Path) -> Any:
    value = table.get(name)
    if value not in choices:
        _refuse("not-a-choice", file, name=name, value=value, choices=", ".join(choices))
    return value


def _text(table: Mapping[str, Any], name: str, form: re.Pattern[str], file: Path) -> str:
    value = table.get(name)
    if not isinstance(value, str) or not form.fullmatch(value):
        _refuse(f"bad-{name}", file, value=value)
    return value


def _scale(table: Mapping[str, Any], file: Path) -> tuple[float, ...]:
    values = table.get("scale")
    numbers = isinstance(values, list) and all(_is_number(value) for value in values)
    if not isinstance(values, list) or not numbers or len(values) < 2:
        _refuse("bad-scale", file, value=values)
    if any(low >= high for low, high in pairwise(values)):
        _refuse("bad-scale", file, value=values)
    return tuple(float(value) for value in values)


def _languages(table: Mapping[str, Any], engine: Engine, file: Path) -> tuple[str, ...]:
    values = table.get("languages", [])
    known = isinstance(values, list) and all(isinstance(v, str) and _LANGUAGE.fullmatch(v) for v in values)
    if not known or (engine == "rubric" and not values):
        _refuse("bad-languages", file, value=values)
    return tuple(values)


def _defaults(table: Mapping[str, Any], engine: Engine, file: Path) -> Mapping[str, Any]:
    values = table.get("defaults", {})
    if not isinstance(values, dict):
        _refuse("bad-defaults", file, name="defaults", value=values)
    known = _DEFAULTS["rule" if engine == "rule" else "model"]
    for name, value in values.items():
        if name not in known:
            _refuse("unknown-default", file, name=name, names=", ".join(known))
        if not (isinstance(value, str) if known[name] is str else _is_number(value)):
            _refuse("bad-defaults", file, name=f"defaults.{name}", value=value)
    if engine == "rule" and "rule" not in values:
        _refuse("no-rule", file)
    return dict(values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _schema(file: Path, *, several: bool) -> Mapping[str, Any]:
    try:
        schema = json.loads(_content(file))
        shape = shape_of(schema)
    except (json.JSONDecodeError, RecursionError) as error:
        _refuse("not-json", file, reason=str(error))
    except BadSchema:
        _refuse("bad-schema", file)
    if several != bool(shape.several):
        _refuse("schema-not-several" if several else "schema-several", file, contexts="{contexts}")
    return dict(schema)


def _prompt(folder: Path, language: str, unit: Unit) -> str:
    file = folder / f"prompt.{language}.md"
    template = _content(file).replace("\r\n", "\n")
    try:
        messages(template)
    except BadTemplate as bad:
        _refuse(f"prompt.{bad.kind}", file, **bad.values)
    fields = fields_of(template)
    if not any(group <= fields for group in _NEEDED[unit]):
        wanted = " / ".join("".join(f"{{{name}}}" for name in sorted(group)) for group in _NEEDED[unit])
        _refuse("prompt.field-missing", file, wanted=wanted, unit=unit)
    return template
