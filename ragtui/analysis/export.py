"""Rows of a query table as text for other programs: CSV, JSON lines, Markdown."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.analysis.columns import shown
from ragtui.analysis.query_table import QueryTable
from ragtui.inert import inert

Row = Mapping[str, Any]

# A spreadsheet runs a cell that starts with one of these. Apostrophes in front are counted in, so that taking
# one away gives back every text.
_FORMULA = re.compile("'*[=+\\-@\t\r＝＋－＠]")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def export(table: QueryTable, rows: npt.NDArray[np.integer[Any]], file_format: str) -> str:
    """Rows of a table, in the given order, in one of `FORMATS`."""
    return FORMATS[file_format](records(table, rows))


def records(table: QueryTable, rows: npt.NDArray[np.integer[Any]]) -> list[dict[str, Any]]:
    """Rows as plain values: id, text, metadata that some query has, facts, metrics and judged scores at K."""
    frame = table.frame.iloc[rows]
    metadata = [name for name in table.metadata_names if table.frame[name].notna().any()]
    at_k = [name for name in table.metric_names if "@" not in name or name.endswith(f"@{table.k}")]
    facts = ["state", "mark", "first_rank", "got", "groups", "top1", "returned", "missing", "failed"]
    judged = [] if table.judged is None else list(table.judged.scores)
    columns = {name: frame[name].tolist() for name in ["text", *metadata, *facts, *at_k, *judged]}
    strips = [table.strip(int(row)).rstrip() for row in rows]
    return [
        {
            "query_id": query_id,
            **{name: plain(values[i]) for name, values in columns.items()},
            "gold_by_rank": strips[i],
        }
        for i, query_id in enumerate(frame.index)
    ]


def plain(value: Any) -> Any:
    """A value that JSON can hold: NaN and NA are None, numpy scalars are Python's."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | bool) else shown(value) or None


def as_csv(rows: Sequence[Row]) -> str:
    """Rows as CSV with a header. Text that a spreadsheet would run starts with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    if rows:
        writer.writerow([_defused(name) for name in rows[0]])
        writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return out.getvalue()


def as_excel_csv(rows: Sequence[Row]) -> str:
    """CSV with the byte order mark that Excel needs to read UTF-8."""
    return "\ufeff" + as_csv(rows)


def as_jsonl(rows: Sequence[Row]) -> str:
    """Rows as one JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def as_markdown(rows: Sequence[Row]) -> str:
    """Rows as a Markdown table; whatever a text holds is shown, not obeyed."""
    if not rows:
        return ""
    lines = [[_escaped(name) for name in rows[0]], ["---"] * len(rows[0])]
    lines += [[_escaped(_text(value)) for value in row.values()] for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


FORMATS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "csv": as_csv,
    "excel": as_excel_csv,
    "jsonl": as_jsonl,
    "markdown": as_markdown,
}


def _cell(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return _defused(_text(value))


def _defused(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def as_written(cell: str) -> str:
    """The text that a cell of `as_csv` stands for: without the apostrophe that kept a spreadsheet from it."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else shown(value)


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", inert(text))
