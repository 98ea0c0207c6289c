"""The verdict table: what judges said, one JSON line each, appended and never rewritten.

A file per judge, version and model. Lines of a set's own `verdicts/` are read first, then those of its state,
and of two verdicts on the same texts the later one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd

from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.judging.lines import Parsed, frame_of, lines_of, row_of
from ragtui.judging.model import Judge, Verdict
from ragtui.judging.parsed_files import parsed_file

_SAME = ["query_id", "chunk_id", "claim", "text_hash", "repeat"]
_SAME_REPLY = ["query_id", "text_hash", "repeat"]


@lru_cache(maxsize=64)
def file_name(judge: str, version: str, model: str) -> str:
    """Name of the file of a judge in full; characters that no file name should hold become `_`."""
    readable = [
        "".join(c if c.isalnum() or c in "-._" else "_" for c in part) for part in (judge, version, model)
    ]
    return f"{readable[0]}@{readable[1]}{f'+{readable[2]}' if readable[2] else ''}.jsonl"


def append(folder: Path, judge: Judge, model: str, replies: Iterable[tuple[str, Sequence[Verdict]]]) -> None:
    """Append the verdicts of replies, each with the key of its request, on disk when this returns.

    Raises:
        RagtuiError: the folder cannot be written, or the disk is full.
    """
    lines = b"".join(lines_of(request, verdicts) for request, verdicts in replies)
    if not lines:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic.append_lines(folder / file_name(judge.name, judge.version, model), lines)
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("judging.verdicts-unwritable", where=str(folder), why=why) from error


def read(folders: Iterable[Path], judge: Judge, model: str) -> Parsed:
    """Verdicts of a judge with a model from all folders, later ones in place of earlier ones.

    A folder or file that is not there holds none.

    Raises:
        RagtuiError: a file is there and cannot be read.
    """
    name = file_name(judge.name, judge.version, model)
    parts = [parsed_file(folder / name) for folder in folders]
    frames = [part.frame for part in parts if len(part.frame)] or [frame_of([])]
    frame = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    # Two models may share a file name, for it lacks the characters that set them apart.
    frame = frame[(frame["model"] == model).to_numpy()]
    return Parsed(latest(frame, judge), sum(part.set_aside for part in parts))


def latest(frame: pd.DataFrame, judge: Judge) -> pd.DataFrame:
    """Of several verdicts on the same thing the last one, in the order of the file.

    Of a reference the whole last reply counts, for each reply splits it into statements of its own.
    """
    if judge.unit == "reference":
        last = frame.groupby(_SAME_REPLY)["time"].transform("last")
        frame = frame[(frame["time"] == last).to_numpy()]
    return frame.drop_duplicates(_SAME, keep="last", ignore_index=True)


def judges_in(folders: Iterable[Path]) -> list[tuple[str, str, str]]:
    """Judge, version and model of every file, as its first line says; in order of the file names."""
    found: dict[tuple[str, str, str], None] = {}
    for folder in folders:
        for path in sorted(folder.glob("*@*.jsonl")):
            with path.open("rb") as file:
                row = row_of(file.readline())
            if row is not None:
                found[(row["judge"], row["version"], row["model"])] = None
    return list(found)
