"""Verdicts as JSON lines and as a table, and the way from one to the other."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pandas as pd

from ragtui.judging.model import VERDICT_COLUMNS, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = 1
COLUMNS = (*VERDICT_COLUMNS, "request", "time")
"""Those of a verdict, the key of its request (`""` for rules), and the time in UTC, one for a whole reply."""

_NUMBERS = ("value", "latency_ms", "tokens_in", "tokens_out", "cost")
_MAYBE = ("chunk_id", "claim")
_KINDS: Mapping[str, Any] = {"repeat": np.int64, "cached": np.bool_, **dict.fromkeys(_MAYBE, object)}
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
    rows = [row for request, verdicts in replies for row in _rows(request, verdicts)]
    return pd.DataFrame({name: _column(name, [row[name] for row in rows]) for name in COLUMNS})


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
        return frame_of([])
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
    return from_arrow(table.drop_columns(["schema"]))


def from_arrow(table: pa.Table) -> pd.DataFrame:
    """A table of Arrow with these columns, each of its kind but for nulls, as `Parsed.frame`."""
    import pyarrow.compute as pc

    unsaid: dict[str, Any] = {"repeat": 0, "cached": False}
    columns: dict[str, Any] = {}
    for name in table.column_names:
        column = table[name]
        if name in _MAYBE:
            columns[name] = _column(name, column.to_pylist())
        elif name in _NUMBERS:
            columns[name] = column.to_numpy()
        else:
            whole: Any = pc.fill_null(column, unsaid.get(name, ""))
            columns[name] = whole.to_pandas()
    return pd.DataFrame(columns)


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
    """Rows that were read; what is not of its column's kind is as good as unsaid, or becomes text."""
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        values = [row[name] for row in rows]
        if name in _NUMBERS:
            columns[name] = pd.to_numeric(pd.Series(values, dtype=object), errors="coerce").astype("float64")
        elif name == "repeat":
            columns[name] = pd.Series(values, dtype=object).fillna(0).astype("int64")
        elif name == "cached":
            columns[name] = _column(name, [value is True for value in values])
        elif name in _MAYBE:
            columns[name] = _column(name, values)
        else:
            columns[name] = pd.Series(values, dtype=object).fillna("").astype("str")
    return pd.DataFrame(columns)


def _column(name: str, values: list[Any]) -> Any:
    """Values of their column's kind, None where a number, a chunk or a claim is unsaid."""
    if name in _NUMBERS:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if name in _KINDS:
        return pd.Series(values, dtype=_KINDS[name])
    return pd.Series(values, dtype="str")
