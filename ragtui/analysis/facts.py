"""What a filter may ask about: the table of one run, those of the other runs, and what a person marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.columns import Column, Columns
from ragtui.analysis.query_table import MISS, PARTIAL, QueryTable


@dataclass(frozen=True, eq=False)
class Facts:
    """Everything known of the queries of a split, seen from one run.

    Attributes:
        table: the table of the run that is looked at.
        others: tables of the runs by name at the same cut-off, for `run:NAME.field`; may be lazy.
        marked: ids of the queries that a person marked.
        guarded: ids of the queries that must not fail again.
        causes: causes that people gave, by query; None where nobody can have given any.
    """

    table: QueryTable
    others: Mapping[str, QueryTable] = field(default_factory=dict)
    marked: frozenset[str] = frozenset()
    guarded: frozenset[str] = frozenset()
    causes: Mapping[str, Sequence[str]] | None = None

    @cached_property
    def columns(self) -> Columns:
        return self.table.columns

    @cached_property
    def cause_column(self) -> Column:
        """Causes of each row, coded; a row without one has no value."""
        given = self.causes or {}
        rows = self.table.frame.index.get_indexer(pd.Index(list(given), dtype=object))
        values = np.full(len(self.table), None, dtype=object)
        for row, causes in zip(rows.tolist(), given.values(), strict=True):
            if row >= 0 and causes:
                values[row] = tuple(causes)
        return Column.of(values)

    def of_run(self, name: str) -> Facts:
        """The same facts seen from another run."""
        return replace(self, table=self.others[name])


Rows = npt.NDArray[np.bool_]


def _state(name: str) -> Callable[[Facts], Rows]:
    return lambda facts: (facts.table.frame["state"] == name).to_numpy(dtype=bool)


def _mark(*marks: str) -> Callable[[Facts], Rows]:
    return lambda facts: facts.table.frame["mark"].isin(marks).to_numpy(dtype=bool)


def _to_review(facts: Facts) -> Rows:
    """What fails and has no cause yet."""
    tagged = facts.table.frame.index.isin(list(facts.causes or ()))
    rows: Rows = _mark(MISS, PARTIAL)(facts) & ~tagged
    return rows


def _column(name: str) -> Callable[[Facts], Rows]:
    return lambda facts: facts.table.frame[name].to_numpy(dtype=bool)


def _complete(facts: Facts) -> Rows:
    frame = facts.table.frame
    found = (frame["groups"] > 0) & (frame["got"] == frame["groups"])
    return found.to_numpy(dtype=bool)


def _among(names: Callable[[Facts], frozenset[str]]) -> Callable[[Facts], Rows]:
    def rows(facts: Facts) -> Rows:
        found: Rows = facts.table.frame.index.isin(list(names(facts)))
        return found

    return rows


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes-or-no fact, `is:<name>` in a filter; `outcome` says that it depends on what a run returned."""

    name: str
    rows: Callable[[Facts], Rows]
    outcome: bool = True


FLAGS: Mapping[str, Flag] = {
    flag.name: flag
    for flag in (
        Flag("to-review", _to_review),
        Flag("miss", _mark(MISS)),
        Flag("partial", _mark(PARTIAL)),
        Flag("complete", _complete),
        Flag("marked", _among(lambda facts: facts.marked)),
        Flag("guarded", _among(lambda facts: facts.guarded)),
        Flag("scored", _state("scored"), outcome=False),
        Flag("no-answer", _state("no-answer"), outcome=False),
        Flag("no-gold", _state("no-gold"), outcome=False),
        Flag("unjudged", _state("unjudged"), outcome=False),
        Flag("core", _column("core"), outcome=False),
        Flag("missing", _column("missing")),
        Flag("failed", _column("failed")),
    )
}
