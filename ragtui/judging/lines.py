"""Verdicts as JSON lines and as a table, and the way from one to the other."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime
from typing import Any

import orjson
import pandas as pd

from ragtui.judging.model import VERDICT_COLUMNS, Verdict

SCHEMA = 1
COLUMNS = (*VERDICT_COLUMNS, "request", "time")
"""Those of a verdict, the key of its request (`""` for rules), and the time in UTC, one for a whole reply."""

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
class Parsed:
    """Lines that were read.

    Attributes:
        frame: `COLUMNS`, in the order of the lines. Numbers are float64, NaN where unsaid, but `repeat` is
            int64; `cached` is bool; the rest is text, None where there is no chunk or claim.
        set_aside: lines that could not be read.
    """

    frame: pd.DataFrame
    set_aside: int = 0


def lines_of(request: str, verdicts: Sequence[Verdict]) -> bytes:
    """The verdicts of one reply as lines; what a field leaves unsaid is left out."""
    return b"".join(map(_line, _rows(request, verdicts)))


def frame_of(replies: Iterable[tuple[str, Sequence[Verdict]]]) -> pd.DataFrame:
    """Verdicts in hand, each reply with the key of its request, as the table that their lines would give."""
    return _frame([row for request, verdicts in replies for row in _rows(request, verdicts)])


def parse(content: bytes) -> Parsed:
    """Read lines. One that is damaged, or of a newer schema, is set aside."""
    frame = _read_at_once(content)
    if frame is not None:
        return Parsed(frame)
    lines = [line for line in content.split(b"\n") if line.strip()]
    rows = [row for line in lines if (row := row_of(line)) is not None]
    return Parsed(_frame(rows), len(lines) - len(rows))


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


def _read_at_once(content: bytes) -> pd.DataFrame | None:
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
    return typed(table.drop_columns(["schema"]).to_pandas())


def row_of(line: bytes) -> dict[str, Any] | None:
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
    return typed(pd.DataFrame({name: [row[name] for row in rows] for name in COLUMNS}))


def typed(frame: pd.DataFrame) -> pd.DataFrame:
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
