"""In which order the queries of a group of failures stand."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.analysis.order import by_column
from ragtui.analysis.query_table import QueryTable
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.columns import CAUSE, column_title, name_at
from ragtui.tui.state.query_choices import sort_choices
from ragtui.tui.state.query_list import WORST, QueryList, Sort
from ragtui.tui.state.review import Sitting
from ragtui.tui.state.review_words import title_of


def order_choices(listed: QueryList) -> list[Choice]:
    """What to sort by: worst first, by cause, and whatever lists of queries are sorted by."""
    worst, *others = sort_choices(listed)
    return [worst, Choice(CAUSE, column_title(CAUSE, listed.facts.table.k)), *others]


def in_order(query_ids: Sequence[str], sort: Sort, table: QueryTable, sitting: Sitting) -> list[str]:
    """Queries of a group, which come worst first, in another order.

    By cause: by its short name, those to which people gave it before those to which a rule suggests it, and
    at last those without any.
    """
    if sort.by == WORST:
        return list(query_ids)[::-1] if sort.reverse else list(query_ids)
    if sort.by == CAUSE:
        return _by_cause(query_ids, sitting, reverse=sort.reverse)
    rows = by_column(table, name_at(sort.by, table.k), reverse=sort.reverse)
    wanted = set(query_ids)
    return [query_id for query_id in table.query_ids[rows].tolist() if query_id in wanted]


def _by_cause(query_ids: Sequence[str], sitting: Sitting, *, reverse: bool) -> list[str]:
    known, given = sitting.review.causes, sitting.causes
    groups: dict[str, tuple[list[str], list[str]]] = {}
    without: list[str] = []
    for query_id in query_ids:
        names = given.get(query_id)
        hint = sitting.hint(query_id)
        if names:
            groups.setdefault(title_of(names[0], known), ([], []))[0].append(query_id)
        elif hint.state == "shown" and hint.suggestion is not None:
            groups.setdefault(title_of(hint.suggestion.cause, known), ([], []))[1].append(query_id)
        else:
            without.append(query_id)
    titles = sorted(groups, reverse=reverse)
    return [query_id for title in titles for part in groups[title] for query_id in part] + without
