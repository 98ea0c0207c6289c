"""What the app remembers of a set between two visits: what was looked at, how, and what was marked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from ragtui import atomic

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class ViewState:
    """The view of one set. Marks are a person's work, all else is convenience.

    `score`, `rule`, `min_auroc` and `cursors` (by run) are those of the refusal thresholds.
    """

    run: str | None = None
    k: int | None = None
    stage: str | None = None
    sort: str | None = None
    reverse: bool = False
    filter: str = ""
    selected: str | None = None
    theme: str | None = None
    marks: tuple[str, ...] = ()
    dismissed: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    judge: str | None = None
    judge_model: str | None = None
    judge_api_base: str | None = None
    score: str | None = None
    rule: str | None = None
    min_auroc: float | None = None
    cursors: Mapping[str, float] = field(default_factory=dict)


def load(folder: Path) -> ViewState:
    """State saved in `folder`; the default where there is none.

    A damaged file is set aside as `view.json.damaged`, so that marks in it can still be read by a person.
    """
    path = folder / "view.json"
    try:
        content = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    except FileNotFoundError:
        return ViewState()
    except (OSError, UnicodeDecodeError):
        return ViewState()
    except ValueError:
        _set_aside(path)
        return ViewState()
    return _from_json(content) if isinstance(content, dict) else ViewState()


def save(folder: Path, state: ViewState) -> bool:
    """Write `state` whole; False where the folder cannot be written (the app goes on and says so)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"schema": SCHEMA, **asdict(state)}, ensure_ascii=False, indent=1)
        atomic.write_bytes(folder / "view.json", text.encode("utf-8", "surrogatepass"))
    except OSError:
        return False
    return True


def _from_json(content: dict[str, Any]) -> ViewState:
    kinds: dict[str, type | tuple[type, ...]] = {
        "k": int,
        "reverse": bool,
        "marks": list,
        "dismissed": list,
        "columns": list,
        "filters": dict,
        "cursors": dict,
        "min_auroc": float,
    }
    values: dict[str, Any] = {}
    for item in fields(ViewState):
        value = content.get(item.name)
        if value is None or not isinstance(value, kinds.get(item.name, str)):
            continue
        values[item.name] = tuple(str(v) for v in value) if isinstance(value, list) else value
    return ViewState(**values)


def _set_aside(path: Path) -> None:
    try:
        path.replace(path.with_name(path.name + ".damaged"))
    except OSError:
        return
