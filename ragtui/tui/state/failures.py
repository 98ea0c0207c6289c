"""Queries in groups: those that fail without a cause, then by cause, those in dispute, the guarded ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np
import pandas as pd

from ragtui.analysis.facts import Facts
from ragtui.analysis.judged import JUDGED_COLUMNS
from ragtui.analysis.order import worst_first
from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.slices import memberships, slice_keys
from ragtui.analysis.where import Where
from ragtui.messages import t
from ragtui.review.guarded import Guarded
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.palette import Ink
from ragtui.tui.state.columns import CAUSE, STRIP, TYPE
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.tui.state.query_list import QueryList, Sort
from ragtui.tui.state.review import Sitting
from ragtui.tui.state.review_words import cause_cell, title_of
from ragtui.tui.state.rows import Cell, Column
from ragtui.workspace.review_failures import sampled

USUAL_SLICE = "type"

_UNKNOWN = 100
"""More than rules look at before it is counted anew; of 100,000 queries nobody needs the rest."""

_LEAVE = {STRIP, TYPE, *JUDGED_COLUMNS}
"""Columns that leave first."""

_INKS: Mapping[str, Ink] = {"open": "miss", "broke-again": "miss", "fixed": "found", "unknown": "dim"}


@dataclass(frozen=True, slots=True)
class Group:
    """Failing queries that belong together.

    Attributes:
        kind: `untagged` nobody has said why; `cause` somebody gave this cause, or a rule suggests it;
            `disputed` raters grade a chunk of it differently; `guarded` must not fail again.
        cause: name of the cause.
    """

    kind: Literal["untagged", "cause", "disputed", "guarded"]
    cause: str = ""


UNTAGGED, DISPUTED, GUARDED = Group("untagged"), Group("disputed"), Group("guarded")


@dataclass(frozen=True, slots=True)
class Counted:
    """A group with how many queries are in it, and to how many more a rule suggests its cause."""

    group: Group
    given: int
    suggested: int = 0


@dataclass(frozen=True, eq=False)
class Failures:
    """What fails, as far as it is known.

    Attributes:
        ids: what fails, worst first.
        causes: that people gave, by query.
        suggested: cause that a rule suggests and may be shown, of queries without one.
        guarded: how guarded queries stand.
        disputed: queries with a grade on which raters differ and have not settled, with its chunk.
        unknown: the first queries that the rules have not looked at yet.
    """

    ids: tuple[str, ...]
    causes: Mapping[str, Sequence[str]]
    suggested: Mapping[str, str]
    guarded: Mapping[str, Guarded]
    disputed: Mapping[str, str]
    unknown: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        sitting: Sitting,
        table: QueryTable,
        metric: str,
        guarded: Mapping[str, Guarded],
        disputed: Mapping[str, str],
    ) -> Failures:
        """What fails in the light that a sitting looks in."""
        causes, looked_at = sitting.causes, sitting.looked_at
        ids = tuple(sitting.failing_among(worst_first(table, metric)))
        hints = {query_id: sitting.hint(query_id) for query_id in looked_at if query_id not in causes}
        suggested = {
            query_id: hint.suggestion.cause
            for query_id, hint in hints.items()
            if hint.state == "shown" and hint.suggestion is not None
        }
        is_unknown = (one for one in ids if one not in causes and one not in looked_at)
        unknown = tuple(islice(is_unknown, _UNKNOWN)) if sitting.is_read else ()
        return cls(ids, causes, suggested, guarded, disputed, unknown)

    def counted(self) -> tuple[Counted, ...]:
        """Groups in order; causes that nobody gave yet after those that somebody did."""
        tagged = [query_id for query_id in self.ids if query_id in self.causes]
        given = Counter(cause for query_id in tagged for cause in self.causes[query_id])
        suggested = Counter(self.suggested.values())
        names = sorted({*given, *suggested}, key=lambda name: (-given[name], -suggested[name], name))
        return (
            Counted(UNTAGGED, len(self.ids) - len(tagged)),
            *(Counted(Group("cause", name), given[name], suggested[name]) for name in names),
            *([Counted(DISPUTED, len(self.disputed))] if self.disputed else []),
            Counted(GUARDED, len(self.guarded)),
        )

    def members(self, group: Group) -> list[str]:
        """Queries of a group; those with the cause before those to which a rule suggests it."""
        if group.kind == "guarded":
            return list(self.guarded)
        if group.kind == "disputed":
            return list(self.disputed)
        if group.kind == "untagged":
            return [query_id for query_id in self.ids if query_id not in self.causes]
        with_cause = [query_id for query_id in self.ids if group.cause in self.causes.get(query_id, ())]
        return with_cause + [query_id for query_id in self.ids if self.suggested.get(query_id) == group.cause]

    def has(self, group: Group, query_id: str) -> bool:
        """Whether a query belongs to a group now."""
        if group.kind == "guarded":
            return query_id in self.guarded
        if group.kind == "disputed":
            return query_id in self.disputed
        if group.kind == "untagged":
            return query_id not in self.causes
        is_suggested = self.suggested.get(query_id) == group.cause
        return is_suggested or group.cause in self.causes.get(query_id, ())


def group_title(group: Group, sitting: Sitting) -> str:
    """What a group is called, fit to be shown."""
    if group.kind == "cause":
        return title_of(group.cause, sitting.review.causes)
    return t(f"tagging.failures.{group.kind}")


def group_columns() -> tuple[Column, ...]:
    """Columns of the groups."""
    return (
        Column("title", t("tagging.failures.cause"), 12, is_flexible=True),
        Column("given", t("tagging.failures.given"), 5, "right"),
        Column("suggested", t("tagging.failures.suggested"), 9, "right"),
    )


@dataclass(frozen=True, slots=True)
class GroupRows:
    """Groups as rows of a table."""

    counted: Sequence[Counted]
    sitting: Sitting

    def __len__(self) -> int:
        return len(self.counted)

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        one = self.counted[position]
        ink: Ink = "miss" if one.group.kind == "untagged" and one.given else "text"
        return {
            "title": [Piece(group_title(one.group, self.sitting))],
            "given": [Piece(str(one.given) if one.given else "-", ink if one.given else "dim")],
            "suggested": [Piece(f"{one.suggested}?" if one.suggested else "", "dim")],
        }

    def is_dim(self, position: int) -> bool:
        """A group with nothing in it."""
        return not self.counted[position].given and not self.counted[position].suggested


@dataclass(frozen=True, slots=True)
class MemberRows:
    """Queries of a group as rows; those that left it since are dim."""

    listed: QueryList
    has: Callable[[str], bool]

    def __len__(self) -> int:
        return len(self.listed)

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        return self.listed.cells(position)

    def is_dim(self, position: int) -> bool:
        """Whether a query has left the group."""
        return not self.has(self.listed.query_id(position))


def listed_members(
    facts: Facts,
    metric: str,
    ids: Sequence[str],
    cause: Callable[[str], Cell],
) -> QueryList:
    """Queries of a group as a list, in the order given."""
    rows = facts.table.frame.index.get_indexer(pd.Index(list(ids), dtype=object))
    return QueryList(
        facts, metric, Sort(), Where("", facts, ()), rows[rows >= 0].astype(np.int64), cause=cause
    )


def member_columns(columns: Sequence[Column], group: Group) -> tuple[Column, ...]:
    """Columns of the list; of guarded queries the state stands in the place of the cause."""
    # why queries fail matters more here than how
    columns = [replace(column, leaves=1) if column.id in _LEAVE else column for column in columns]
    if group.kind != "guarded":
        return tuple(
            replace(column, leaves=len(columns) + 9) if column.id == CAUSE else column for column in columns
        )
    state = Column(CAUSE, t("tagging.failures.state"), 24)
    return (*(column for column in columns if column.id != CAUSE), state)


def member_cell(sitting: Sitting, group: Group, guarded: Mapping[str, Guarded], query_id: str) -> Cell:
    """The cause of a query; of a guarded one its state."""
    if group.kind != "guarded":
        return cause_cell(sitting, query_id)
    stands = guarded.get(query_id)
    return [] if stands is None else [Piece(shown(stands.text), _INKS[stands.state])]


def drawn_ids(ids: Sequence[str], n: int | None) -> list[str]:
    """`n` of them drawn at random, the same ones again, in their order; all for None."""
    return list(ids) if n is None else list(sampled(ids, n))


def slice_lines(table: QueryTable, key: str, ids: Sequence[str], width: int, height: int) -> list[Fact]:
    """How many of some queries are in each slice, of how many scored ones; the largest share first."""
    if key not in slice_keys(table) or height < 2:
        return []
    inside = table.frame.index.isin(list(ids))
    scored = (table.frame["state"] == "scored").to_numpy(dtype=bool) | inside
    counts = [
        (value, int((members & inside).sum()), int((members & scored).sum()))
        for value, members in memberships(table, key)
    ]
    counts = sorted(
        (one for one in counts if one[1]), key=lambda one: (-one[1] / max(one[2], 1), -one[1], one[0])
    )
    title = t("tagging.failures.by", key=shown(key))
    lines: list[Fact] = [(Piece(cells.crop(title, width), "dim"),)]
    for value, n, of in counts[: height - 1]:
        figure = t("tagging.failures.share", n=n, of=of)
        name = cells.pad(shown(value), max(width - cells.width(figure) - 2, 4))
        lines.append((Piece(f"{name}  "), Piece(figure, "text" if of >= 30 else "dim")))
    return lines


def slice_names(table: QueryTable) -> list[str]:
    """What queries can be divided by; the usual one first."""
    keys = slice_keys(table)
    return sorted(keys, key=lambda key: key != USUAL_SLICE)
