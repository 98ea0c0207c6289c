"""The verdict table: what judges said, one JSON line each, appended and never rewritten.

A file per judge, version and model. Lines of a set's own `verdicts/` are read first, then those of its state,
and of two verdicts on the same texts the later one counts.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import orjson
import pandas as pd

from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.judging.model import VERDICT_COLUMNS, Judge, Verdict

SCHEMA = 1
REQUEST = "request"
"""Column beside those of `VERDICT_COLUMNS`: key of the request that the verdict came from, `""` for rules."""

SAME = ["query_id", "text_hash", "claim", "repeat"]
"""What two verdicts have in common of which only the later one counts."""

_NUMBERS = ("value", "latency_ms", "tokens_in", "tokens_out", "cost")
_OPTIONAL = {item.name: item.default for item in fields(Verdict) if item.name not in {"query_id", "status"}}


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdicts that were read.

    Attributes:
        frame: columns `VERDICT_COLUMNS` and `request`, oldest first, of each `SAME` the last one. Numbers are
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


def append(folder: Path, judge: Judge, model: str, verdicts: Sequence[tuple[str, Verdict]]) -> None:
    """Append verdicts, each with the key of its request, on disk when this returns.

    Raises:
        RagtuiError: the folder cannot be written, or the disk is full.
    """
    if not verdicts:
        return
    lines = b"".join(_line(request, verdict) for request, verdict in verdicts)
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
    return Verdicts(latest(frame), sum(part.set_aside for part in parts))


def latest(frame: pd.DataFrame) -> pd.DataFrame:
    """Of several verdicts on the same thing the last one, in the order of the file."""
    return frame.drop_duplicates(SAME, keep="last", ignore_index=True)


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


def frame_of(verdicts: Iterable[tuple[str, Verdict]]) -> pd.DataFrame:
    """The table of verdicts in hand, columns as in `Verdicts`."""
    return _frame([{**asdict(verdict), REQUEST: request} for request, verdict in verdicts])


def _line(request: str, verdict: Verdict) -> bytes:
    """One line; what a field leaves unsaid is left out."""
    said: dict[str, Any] = {
        name: value
        for name, value in asdict(verdict).items()
        if name not in _OPTIONAL or value != _OPTIONAL[name]
    }
    content = {"schema": SCHEMA, **said, **({REQUEST: request} if request else {})}
    try:
        return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half of a surrogate pair, which JSON can only hold as an escape
        import json

        return json.dumps(content).encode("ascii") + b"\n"


def _read_file(path: Path) -> Verdicts:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
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
    from pyarrow import json

    kinds: dict[str, pa.DataType] = dict.fromkeys(_NUMBERS, pa.float64())
    kinds |= {"schema": pa.int64(), "repeat": pa.int64(), "cached": pa.bool_()}
    columns = ["schema", *VERDICT_COLUMNS, REQUEST]
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in columns])
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    try:
        table = json.read_json(
            io.BytesIO(content), json.ReadOptions(block_size=max(1 << 24, len(content) // 4)), options
        )
    except pa.ArrowInvalid:
        return None
    if table["schema"].null_count or table["query_id"].null_count or table["status"].null_count:
        return None
    if table["schema"].unique().to_pylist() != [SCHEMA]:
        return None
    return _typed(table.drop_columns(["schema"]).to_pandas())


def _row(line: bytes) -> dict[str, Any] | None:
    """A line as a row; None where it is none, or was written by a newer version."""
    try:
        row = orjson.loads(line)
        if not isinstance(row, dict) or not 1 <= row.pop("schema", 0) <= SCHEMA:
            return None
        known = {name: row[name] for name in row if name in VERDICT_COLUMNS}
        return {**asdict(Verdict(**{**_OPTIONAL, **known})), REQUEST: row.get(REQUEST, "")}
    except (ValueError, TypeError):
        return None


def _frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    return _typed(pd.DataFrame({name: [row[name] for row in rows] for name in (*VERDICT_COLUMNS, REQUEST)}))


def _typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Every column with its kind, and what is unsaid as its default."""
    for name in frame.columns:
        if name in _NUMBERS:
            frame[name] = frame[name].astype("float64")
        elif name == "repeat":
            frame[name] = frame[name].fillna(0).astype("int64")
        elif name == "cached":
            frame[name] = frame[name].eq(True).astype(bool)
        elif name in {"chunk_id", "claim"}:
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
        else:
            frame[name] = frame[name].fillna("").astype("str")
    return frame
