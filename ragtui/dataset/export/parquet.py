"""The folder of a set with every table as Parquet, for engines that read columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from ragtui.dataset.export.frames import frames, result_frame
from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.writing import NO_SPLIT, new_folder, write_splits


def write_parquet(evaluation: EvaluationSet, folder: Path) -> None:
    """Write `queries.parquet`, `corpus.parquet`, `qrels/<split>.parquet` and `runs/<name>.parquet`.

    Metadata that has no type of its own, because rows differ, is written as JSON text.

    Raises:
        CannotWrite: `folder` is taken, or the place cannot be written.
    """
    tables = frames(evaluation)
    with new_folder(folder) as aside:
        _write(tables.queries.drop(columns="split"), aside / "queries.parquet")
        if len(tables.chunks):
            _write(tables.chunks, aside / "corpus.parquet")
        (aside / "qrels").mkdir()
        for split, rows in tables.gold.groupby("split", sort=False, dropna=False):
            name = split if isinstance(split, str) else NO_SPLIT
            _write(rows.drop(columns="split"), aside / "qrels" / f"{name}.parquet")
        if evaluation.runs:
            (aside / "runs").mkdir()
        for run in evaluation.runs.values():
            _write(result_frame(run), aside / "runs" / f"{run.name}.parquet")
        write_splits(evaluation, aside)


def _write(table: pd.DataFrame, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: _column(table[name]) for name in table.columns}
    pq.write_table(pa.table({name: column for name, column in columns.items() if column is not None}), path)


def _column(values: pd.Series[Any]) -> Any:
    """A column in the type Arrow finds for it, else as JSON text; None for one that says nothing."""
    import orjson
    import pyarrow as pa

    if values.dtype != object:
        return pa.Array.from_pandas(values)
    said = values.to_list()
    if all(one is None for one in said):
        return None
    try:
        return pa.array(said)
    except (pa.ArrowException, OverflowError, TypeError):
        return pa.array([None if one is None else orjson.dumps(one).decode() for one in said], pa.string())
