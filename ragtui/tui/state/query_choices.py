"""What the list of queries can be sorted by, filtered to, and read from: the answers of its dialogs."""

from __future__ import annotations

from collections.abc import Mapping

from ragtui.analysis.facts import Facts
from ragtui.analysis.presets import presets
from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.where import parse
from ragtui.analysis.where_parser import WhereError
from ragtui.messages import t
from ragtui.tui.glyphs import shown
from ragtui.tui.session import Session
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.columns import SET_ORDER, all_columns, column_title, name_at, primary
from ragtui.tui.state.query_list import WORST, QueryList

FINAL = ""


def sort_choices(listed: QueryList) -> list[Choice]:
    """What to sort by: worst first, columns that differ between queries, the order of the set."""
    table = listed.facts.table
    names = [name for name in all_columns(table) if _differs(table, name_at(name, table.k))]
    first = primary(table)
    names.sort(key=lambda name: name != first)
    return [
        Choice(WORST, t("tui.order.worst")),
        *(Choice(name, column_title(name, table.k)) for name in names),
        Choice(SET_ORDER, t("tui.order.set")),
    ]


def _differs(table: QueryTable, name: str) -> bool:
    if name not in table.frame.columns:
        return False
    try:
        return bool(table.frame[name].nunique() > 1)
    except TypeError:
        # lists are not compared as a whole
        return True


def preset_choices(listed: QueryList, saved: Mapping[str, str], answered: str | None = None) -> list[Choice]:
    """Filters to choose from: all, the ready ones with counts, those that were saved.

    Args:
        listed: the list that is filtered.
        saved: filters by name.
        answered: the filter of what would be answered by the threshold of the run; None without one.
    """
    ready = presets(listed.facts, answered)
    return [
        Choice("", t("tui.preset.all"), str(listed.total)),
        *(
            Choice(preset.where, t(f"tui.preset.{preset.name}"), str(preset.count), is_dim=preset.count == 0)
            for preset in ready
        ),
        *(_saved_choice(name, text, listed.facts) for name, text in saved.items()),
    ]


def _saved_choice(name: str, text: str, facts: Facts) -> Choice:
    where = parse(text, facts)
    count = "" if isinstance(where, WhereError) else str(int(where.mask().sum()))
    return Choice(text, shown(name), f"{shown(text)}  {count}", is_dim=count in {"", "0"})


def stage_choices(session: Session) -> list[Choice]:
    """The lists of the run: the final one and its stages."""
    return [Choice(FINAL, t("tui.stage.final")), *(Choice(name, shown(name)) for name in session.stages)]


def export_choices() -> list[Choice]:
    """Formats to export in."""
    return [Choice(name, t(f"tui.export.{name}")) for name in ("csv", "jsonl", "markdown")]
