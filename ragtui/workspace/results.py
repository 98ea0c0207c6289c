"""Results that were saved, one JSON line each, oldest first: `results.jsonl` of the state folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from ragtui.errors import RagtuiError


def append_result(folder: Path, result: Mapping[str, Any]) -> Path:
    """Append a result with the time, on disk when this returns; gives the file.

    A line that a crash left unfinished is closed first, so that it spoils only itself.

    Raises:
        RagtuiError: the folder cannot be written.
    """
    from filelock import FileLock

    path = folder / "results.jsonl"
    time = datetime.now(UTC).isoformat(timespec="seconds")
    line = json.dumps({**result, "time": time}, ensure_ascii=False, allow_nan=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".results.lock"), path.open("a+b") as file:
            if _is_torn(file):
                file.write(b"\n")
            file.write(line.encode("utf-8", "surrogatepass") + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("workspace.cannot-save", where=str(folder), why=why) from error
    return path


def _is_torn(file: IO[bytes]) -> bool:
    """Whether the last line lacks its end. Where the file is read to does not matter to appending."""
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
