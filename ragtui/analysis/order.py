"""Orders of the rows of a query table: all stable, and rows without a value last either way round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ragtui.analysis.columns import Column
from ragtui.analysis.query_table import QueryTable

_STATES = ("scored", "left-out", "no-answer", "no-gold", "unjudged")


def worst_first(table: QueryTable, metric: str) -> npt.NDArray[np.int64]:
    """(n,) rows in the order of reading: what fails first.

    Scored queries come first: those with incomplete evidence, then by the share of evidence found, by the
    metric (one of the columns, passed over where it was not computed), and by how late the first relevant
    chunk comes. Then no-answer queries, those with the surest first result in front; then queries that gold
    says nothing of.
    """
    frame = table.frame
    groups = frame["groups"].to_numpy(dtype=np.float64)
    got = frame["got"].to_numpy(dtype=np.float64)
    coverage = np.divide(got, groups, out=np.ones(len(frame)), where=groups > 0)
    value = frame[metric].to_numpy(dtype=np.float64) if metric in frame.columns else np.zeros(len(frame))
    states = table.columns["state"]
    state = np.array([_STATES.index(name) for name in states.texts], dtype=np.int64)[states.codes]
    scored = state == 0
    first_rank = frame["first_rank"].to_numpy(dtype=np.float64)
    latest = np.where(scored, _none_as(first_rank, np.inf), 0.0)
    top1 = frame["top1"].to_numpy(dtype=np.float64)
    sureness = top1 if table.run.direction == "higher" else -top1
    surest = np.where(scored, 0.0, _none_as(sureness, -np.inf))
    # the last key of lexsort is the first to decide
    keys = (-surest, -latest, _none_as(value, np.inf), coverage, coverage >= 1, state)
    return np.lexsort(keys).astype(np.int64)


def by_column(table: QueryTable, column: str, *, reverse: bool = False) -> npt.NDArray[np.int64]:
    """(n,) rows by a column of the frame, ascending unless reversed; `query_id` is the order of the set.

    Evidence found is compared by its share. Columns that hold only numbers are compared as numbers, others
    as text without case.
    """
    if column == "query_id":
        rows = np.arange(len(table), dtype=np.int64)
        return rows[::-1] if reverse else rows
    values, empty = _comparable(table, column)
    order = np.argsort(-values if reverse else values, kind="stable")
    return np.concatenate([order[~empty[order]], order[empty[order]]]).astype(np.int64)


def _comparable(table: QueryTable, column: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Numbers that sort like the values of a column, and which rows have none."""
    series = table.frame[column]
    if column in {"got", "groups"}:
        groups = table.frame["groups"].to_numpy(dtype=np.float64)
        values = series.to_numpy(dtype=np.float64)
        share = np.divide(values, groups, out=np.zeros(len(values)), where=groups > 0)
        return share if column == "got" else values, (groups == 0) | (values < 0)
    if series.dtype.kind in "fiub":
        numbers = series.to_numpy(dtype=np.float64)
        return numbers, np.isnan(numbers)
    # the mark alone differs from one cut-off to another, so that it is not coded once for all
    coded = Column.of(series.to_numpy(dtype=object)) if column == "mark" else table.columns[column]
    return np.append(coded.places, 0.0)[coded.codes], coded.is_empty


def _none_as(values: npt.NDArray[np.float64], stand_in: float) -> npt.NDArray[np.float64]:
    return np.where(np.isnan(values), stand_in, values)
