"""Slices: queries that share a value, each with its metrics, its size and its uncertainty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.fields import nearest
from ragtui.analysis.query_table import QueryTable
from ragtui.errors import RagtuiError
from ragtui.messages import t
from ragtui.metrics.summary import summarise
from ragtui.stats.estimate import Estimate

SMALL = 30
"""Slices with fewer queries are shown and marked."""

LENGTH, GROUPS = "length", "groups"
_BANDS = (5, 10, 20, 40)
_IDEOGRAPHS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNIT = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+")


@dataclass(frozen=True, slots=True)
class Slice:
    """One value of a slice key.

    Attributes:
        value: the value, or several joined by commas where the key joins several.
        n: scored queries that have it.
        small: fewer than 30.
        metrics: mean and interval of each metric over them.
    """

    value: str
    n: int
    small: bool
    metrics: Mapping[str, Estimate]


def slices(
    table: QueryTable,
    key: str,
    *,
    cluster: pd.Series[Any] | None = None,
    rows: npt.NDArray[np.bool_] | None = None,
) -> tuple[Slice, ...]:
    """Metrics of the scored queries by the values of a key.

    Args:
        table: of one run.
        key: a metadata key; `length` (of the query: words, and characters of Chinese, Japanese and Korean);
            `groups` (`one` or `several` evidence groups); or several of these joined by commas. A query
            whose value is a list counts in each of its slices.
        cluster: index query_id, what queries belong together; None without clusters.
        rows: (n,) rows to count; all for None.

    Raises:
        RagtuiError: no query has such a key.
    """
    counted = (table.frame["state"] == "scored").to_numpy(dtype=bool)
    if rows is not None:
        counted = counted & rows
    parts = [memberships(table, name.strip()) for name in key.split(",")]
    found: list[Slice] = []
    for combination in product(*parts):
        inside = np.logical_and.reduce([counted, *(members for _, members in combination)])
        n = int(inside.sum())
        if n:
            ids = table.frame.index[inside]
            metrics = summarise(
                table.frame.loc[inside, table.metric_names],
                None if cluster is None else cluster.reindex(ids),
                unavailable=table.result.unavailable,
            )
            found.append(Slice(", ".join(value for value, _ in combination), n, n < SMALL, metrics))
    return tuple(found)


def slice_keys(table: QueryTable) -> list[str]:
    """Keys that there are: metadata that some query of the set has, and the two that are computed."""
    queries = table.evaluation.queries
    names = ((name, name.removeprefix("metadata.")) for name in table.metadata_names)
    return [*(name for name, written in names if queries[written].notna().any()), LENGTH, GROUPS]


Membership = tuple[str, npt.NDArray[np.bool_]]


def memberships(table: QueryTable, key: str) -> list[Membership]:
    """Values of one key, each with the rows that have it."""
    if key == LENGTH:
        return list(_by_length(table))
    if key == GROUPS:
        groups = table.frame["groups"].to_numpy()
        return [(t("analysis.slice.one"), groups == 1), (t("analysis.slice.several"), groups > 1)]
    known = slice_keys(table)
    if key not in known:
        near = nearest(key, known)
        kind = "unknown-key" if near else "unknown-key-alone"
        raise RagtuiError(f"analysis.slice.{kind}", name=key, nearest=", ".join(near), known=", ".join(known))
    column = table.columns[key]
    items = dict.fromkeys(item for items in column.items for item in items)
    members = [
        (item, column.rows(np.array([item in items for items in column.items], dtype=bool))) for item in items
    ]
    return [*members, (t("analysis.slice.none"), column.is_empty)]


def _by_length(table: QueryTable) -> Iterator[Membership]:
    lengths = np.array([len(_UNIT.findall(text)) for text in table.frame["text"]], dtype=np.int64)
    band = np.digitize(lengths, _BANDS, right=True)
    starts = (0, *(end + 1 for end in _BANDS))
    for place, start in enumerate(starts):
        end = _BANDS[place] if place < len(_BANDS) else ""
        yield f"{start}..{end}", band == place
