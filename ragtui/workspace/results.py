"""Results that were saved, one JSON line each, oldest first: `results.jsonl` of the state folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragtui import atomic
from ragtui.errors import RagtuiError


def append_result(folder: Path, result: Mapping[str, Any]) -> Path:
    """Append a result with the time, on disk when this returns; gives the file.

    A line that a crash left unfinished is closed first, so that it spoils only itself.

    Raises:
        RagtuiError: the folder cannot be written.
    """
    path = folder / "results.jsonl"
    time = datetime.now(UTC).isoformat(timespec="seconds")
    line = json.dumps({**result, "time": time}, ensure_ascii=False, allow_nan=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic.append_lines(path, line.encode("utf-8", "surrogatepass") + b"\n")
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("workspace.cannot-save", where=str(folder), why=why) from error
    return path
