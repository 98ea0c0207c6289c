"""Cards that were kept: how far a judge agreed with its own labelled pairs, beside the verdicts it gave.

A card is believed only of the judge, version, model and prompts that it was made with; the digest of the
judge stands for all that can change a verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import ragtui
from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.judging.card import Card
from ragtui.judging.card_json import card_as_json, card_from_json
from ragtui.judging.model import Judge
from ragtui.judging.table import file_name

SCHEMA = 1
FOLDER = "cards"
"""Below a folder of verdicts."""

_LARGEST_FILE = 1 << 20


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card with the time in UTC at which it was made."""

    card: Card
    time: str


def keep_card(folder: Path, judge: Judge, model: str, card: Card) -> Path:
    """Write the card of a judge with a model into `cards` of a folder of verdicts, in place of an older one.

    Raises:
        RagtuiError: the folder cannot be written, or the disk is full.
    """
    content = {
        "schema": SCHEMA,
        "ragtui": ragtui.__version__,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "judge": judge.name,
        "version": judge.version,
        "model": model or None,
        "digest": judge.digest,
        "card": card_as_json(card),
    }
    file = _file(folder, judge, model)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic.write_text(file, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("judging.verdicts-unwritable", where=str(file.parent), why=why) from error
    return file


def kept_card(folders: Iterable[Path], judge: Judge, model: str) -> KeptCard | None:
    """The newest card of a judge with a model in folders of verdicts.

    None where there is none: a file that is damaged, or of another judge, version, model or prompt, is none.
    """
    found = (_read(_file(folder, judge, model), judge, model) for folder in folders)
    return max((kept for kept in found if kept is not None), key=lambda kept: kept.time, default=None)


def _file(folder: Path, judge: Judge, model: str) -> Path:
    name = file_name(judge.name, judge.version, model).removesuffix(".jsonl")
    return folder / FOLDER / f"{name}.json"


def _read(file: Path, judge: Judge, model: str) -> KeptCard | None:
    try:
        if file.stat().st_size > _LARGEST_FILE:
            return None
        content = json.loads(file.read_bytes())
        named = tuple(content[name] for name in ("schema", "judge", "version", "model", "digest"))
        if named != (SCHEMA, judge.name, judge.version, model or None, judge.digest):
            return None
        card = card_from_json(content["card"], judge=judge.name, version=judge.version, model=model)
        return KeptCard(card, str(content["time"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
