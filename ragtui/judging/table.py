"""The verdict table: what judges said, one JSON line each, appended and never rewritten.

A file per judge, version and model. Lines of a set's own `verdicts/` are read first, then those of its state,
and of two verdicts on the same texts the later one counts.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pandas as pd

from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.judging.model import VERDICT_COLUMNS, Judge, Verdict

SCHEMA = 1
COLUMNS = (*VERDICT_COLUMNS, "request", "time")
"""Those of a verdict, the key of its request (`""` for rules), and the time in UTC, one for a whole reply."""

_SAME = ["query_id", "chunk_id", "claim", "text_hash", "repeat"]
_SAME_REPLY = ["query_id", "text_hash", "repeat"]

_NUMBERS = ("value", "latency_ms", "tokens_in", "tokens_out", "cost")
_NEEDED = ("query_id", "status", "judge", "version", "model")
_UNSAID: Mapping[str, Any] = {
    "chunk_id": None,
    "claim": None,
    "value": None,
    "reason": "",
    **{item.name: item.default for item in fields(Verdict) if item.default is not MISSING},
    "request": "",
    "time": "",
}


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdicts that were read.

    Attributes:
        frame: `COLUMNS`, oldest first, of several verdicts on the same thing the last one. Numbers are
            float64 (NaN where unsaid) but `repeat`, which is int64; `cached` is bool; the rest is text, None
            where there is no chunk or claim.
        set_aside: lines that could not be read, such as one that a crash cut off.
    """

    frame: pd.DataFrame
    set_aside: int = 0


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
    lines = b"".join(_line(row) for request, verdicts in replies for row in _rows(request, verdicts))
    if not lines:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic.append_lines(folder / file_name(judge.name, judge.version, model), lines)
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("judging.verdicts-unwritable", where=str(folder), why=why) from error


def read(folders: Iterable[Path], judge: Judge, model: str) -> Verdicts:
    """Verdicts of a judge with a model from all folders, later ones in place of earlier ones.

    A folder or file that is not there holds none.

    Raises:
        RagtuiError: a file is there and cannot be read.
    """
    name = file_name(judge.name, judge.version, model)
    parts = [_read_file(folder / name) for folder in folders]
    frame = pd.concat([part.frame for part in parts], ignore_index=True) if parts else _frame([])
    # Two models may share a file name, for it lacks the characters that set them apart.
    frame = frame[(frame["model"] == model).to_numpy()]
    return Verdicts(latest(frame, judge), sum(part.set_aside for part in parts))


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
                row = _row(file.readline())
            if row is not None:
                found[(row["judge"], row["version"], row["model"])] = None
    return list(found)


def frame_of(replies: Iterable[tuple[str, Sequence[Verdict]]]) -> pd.DataFrame:
    """The table of verdicts in hand, columns as in `Verdicts`."""
    return _frame([row for request, verdicts in replies for row in _rows(request, verdicts)])


def _rows(request: str, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    time = datetime.now(UTC).isoformat(timespec="microseconds")
    return [
        {
            **{name: _whole(getattr(verdict, name)) for name in VERDICT_COLUMNS},
            "request": request,
            "time": time,
        }
        for verdict in verdicts
    ]


def _whole(value: Any) -> Any:
    """Text without halves of surrogate pairs, which neither the file nor the table can hold."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _line(row: Mapping[str, Any]) -> bytes:
    """One line; what a field leaves unsaid is left out."""
    said = {name: value for name, value in row.items() if name not in _UNSAID or value != _UNSAID[name]}
    return orjson.dumps({"schema": SCHEMA, **said}, option=orjson.OPT_APPEND_NEWLINE)


def _read_file(path: Path) -> Verdicts:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):  # a set may be a file
        return Verdicts(_frame([]))
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("judging.verdicts-unreadable", where=str(path), why=why) from error
    whole, _, tail = content.rpartition(b"\n")
    frame = _read_fast(whole)
    if frame is not None:
        return Verdicts(frame, int(bool(tail)))
    lines = [line for line in whole.split(b"\n") if line.strip()]
    rows = [row for line in lines if (row := _row(line)) is not None]
    return Verdicts(_frame(rows), len(lines) - len(rows) + bool(tail))


def _read_fast(content: bytes) -> pd.DataFrame | None:
    """All lines at once, None where one of them is not as it should be."""
    if not content:
        return _frame([])
    import pyarrow as pa
    from pyarrow import json as arrow

    kinds: dict[str, pa.DataType] = dict.fromkeys(_NUMBERS, pa.float64())
    kinds |= {"schema": pa.int64(), "repeat": pa.int64(), "cached": pa.bool_()}
    columns = ["schema", *COLUMNS]
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in columns])
    options = arrow.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    try:
        table = arrow.read_json(
            io.BytesIO(content), arrow.ReadOptions(block_size=max(1 << 24, len(content) // 4)), options
        )
    except pa.ArrowInvalid:
        return None
    if any(table[name].null_count for name in _NEEDED) or table["schema"].unique().to_pylist() != [SCHEMA]:
        return None
    return _typed(table.drop_columns(["schema"]).to_pandas())


def _row(line: bytes) -> dict[str, Any] | None:
    """A line as a row; None where it is none, or was written by a newer version."""
    try:
        row = orjson.loads(line)
    except ValueError:
        return None
    if not isinstance(row, dict) or row.get("schema") != SCHEMA:
        return None
    whole = {**_UNSAID, **{name: value for name, value in row.items() if name in COLUMNS}}
    return whole if all(isinstance(whole.get(name), str) for name in _NEEDED) else None


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    return _typed(pd.DataFrame({name: [row[name] for row in rows] for name in COLUMNS}))


def _typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Every column with its kind, and what is unsaid as its default."""
    for name in frame.columns:
        if name in _NUMBERS:
            frame[name] = pd.to_numeric(frame[name], errors="coerce").astype("float64")
        elif name == "repeat":
            frame[name] = frame[name].fillna(0).astype("int64")
        elif name == "cached":
            frame[name] = frame[name].eq(True).astype(bool)
        elif name in {"chunk_id", "claim"}:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
        else:
            frame[name] = frame[name].fillna("").astype("str")
    return frame
