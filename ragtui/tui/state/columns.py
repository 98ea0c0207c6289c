"""Which columns the query list can have, which it has, and what they are called.

A column goes by the name it has in the query table. Metrics follow the cut-off in use and are written with
the letter, `recall@K`; the strip of grades, which is no column of the table, is `gold_by_rank`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragtui.analysis.fields import header
from ragtui.analysis.judged import JUDGED_COLUMNS
from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.tui.glyphs import shown

QUERY, STRIP, GOT, TYPE = "text", "gold_by_rank", "got", "type"
CAUSE = "cause"
SET_ORDER = "query_id"
"""The id, and in sorting the order of the set."""

AT_K = "@K"

_FACTS = ("first_rank", "stale_rank", "groups", "top1", "returned")
_TITLES = {"first_rank": "rank", SET_ORDER: "id", QUERY: "query"}


def usual_columns(table: QueryTable) -> tuple[str, ...]:
    """Columns of a list that nobody has arranged."""
    kinds = (TYPE,) if has_values(table, TYPE) else ()
    judged = (name for name in JUDGED_COLUMNS if has_values(table, name) or has_failed(table, name))
    fails = (CAUSE,) if (table.frame["mark"] != "").any() else ()
    return (SET_ORDER, QUERY, *kinds, STRIP, GOT, primary(table), *judged, *fails)


def all_columns(table: QueryTable) -> tuple[str, ...]:
    """Columns that can be chosen: the usual ones, facts of the run, metrics at K, metadata that is there."""
    metrics = (name.partition("@")[0] + AT_K for name in table.metric_names if "@" in name)
    metadata = (name for name in table.metadata_names if has_values(table, name))
    return tuple(dict.fromkeys((*usual_columns(table), CAUSE, *_FACTS, *metrics, *metadata)))


def primary(table: QueryTable) -> str:
    """The column of the set's primary metric."""
    return table.evaluation.settings.primary.partition("@")[0] + AT_K


def has_values(table: QueryTable, name: str) -> bool:
    """Whether a column of the table says anything of any query."""
    return name in table.frame.columns and bool(table.frame[name].notna().any())


def has_failed(table: QueryTable, name: str) -> bool:
    """Whether a verdict for a score of judges has failed."""
    return table.judged is not None and name in table.judged.failed and bool(table.judged.failed[name].any())


def name_at(column: str, k: int) -> str:
    """The column of the query table that a column shows at a cut-off."""
    return f"{column.removesuffix(AT_K)}@{k}" if column.endswith(AT_K) else column


def column_title(column: str, k: int) -> str:
    """What headers and sentences call a column."""
    if column == STRIP:
        return t("tui.column.strip")
    return shown(header(_TITLES.get(column, name_at(column, k))))


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """All columns in a row, and which of them are shown.

    The query is always among them: a list of queries without it would be none.
    """

    order: tuple[str, ...]
    chosen: frozenset[str]

    @classmethod
    def of(cls, everything: Sequence[str], chosen: Sequence[str]) -> ColumnOrder:
        """The chosen ones in their order, then the others."""
        return cls(tuple(dict.fromkeys((*chosen, *everything))), frozenset((*chosen, QUERY)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are shown, in order."""
        return tuple(column for column in self.order if column in self.chosen)

    def toggled(self, column: str) -> ColumnOrder:
        """With a column that was hidden, or without one that was shown."""
        return replace(self, chosen=(self.chosen ^ {column}) | {QUERY})

    def moved(self, at: int, by: int) -> ColumnOrder:
        """With the column at a place moved on (1) or back (-1), within the ends."""
        to = max(0, min(at + by, len(self.order) - 1))
        others = [*self.order[:at], *self.order[at + 1 :]]
        return replace(self, order=(*others[:to], self.order[at], *others[to:]))
