"""The right end of the filter line: how many queries, their mean, their order."""

from __future__ import annotations

from collections.abc import Iterator

from ragtui.analysis.overview import composition
from ragtui.messages import t
from ragtui.tui.state.columns import SET_ORDER, column_title
from ragtui.tui.state.figures import share_text
from ragtui.tui.state.pieces import Fact, Piece, total
from ragtui.tui.state.query_list import WORST, QueryList

GAP = "   "


def status(listed: QueryList, width: int) -> Fact:
    """What is said in at most `width` cells; the order leaves first, then the mean."""
    parts = list(_parts(listed))
    while len(parts) > 1 and sum(total(part) + len(GAP) for part in parts) > width:
        parts.pop()
    joined: list[Piece] = []
    for index, part in enumerate(parts):
        joined += [Piece(GAP) if index else Piece(""), *part]
    return (*joined, Piece(" "))


def hint(listed: QueryList | None) -> str:
    """What the empty field says: that there is nothing to look for, or what could be typed."""
    if listed is not None and listed.total:
        table = listed.facts.table
        if "scored" not in composition(table):
            return t("tui.empty.unscored")
        if (table.frame["got"] == table.frame["groups"]).all():
            return t("tui.empty.all-pass", k=table.k)
    return t("tui.list.hint")


def _parts(listed: QueryList) -> Iterator[Fact]:
    shown, everything = len(listed), listed.total
    if listed.done:
        yield (Piece(t("tui.list.done", shown=shown, total=everything, done=listed.done)),)
    elif listed.is_filtered:
        yield (Piece(t("tui.list.count", shown=shown, total=everything)),)
    if listed.mean is not None:
        mean = t("tui.list.mean", metric=listed.metric, mean=share_text(listed.mean))
        yield (Piece(mean),)
    yield (Piece(order_text(listed), "dim"),)


def order_text(listed: QueryList) -> str:
    """What a list is sorted by."""
    sort = listed.sort
    if sort.by == WORST:
        return t("tui.list.best" if sort.reverse else "tui.list.worst")
    by = t("tui.order.set") if sort.by == SET_ORDER else column_title(sort.by, listed.facts.table.k)
    return t("tui.list.order-reversed" if sort.reverse else "tui.list.order", by=by)
