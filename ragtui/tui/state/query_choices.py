"""What the list of queries can be sorted by, filtered to, and read from: the answers of its dialogs."""

from __future__ import annotations

from collections.abc import Mapping

from ragtui.analysis.fields import header
from ragtui.analysis.presets import presets
from ragtui.messages import t
from ragtui.tui.glyphs import shown
from ragtui.tui.session import Session
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.query_list import WORST, QueryList

SET_ORDER = "query_id"
FINAL = ""


def sort_choices(listed: QueryList) -> list[Choice]:
    """Columns to sort by: worst first, then facts, metrics at K, metadata."""
    table = listed.facts.table
    at_k = [name for name in table.metric_names if name.endswith(f"@{table.k}")]
    metadata = [name for name in table.metadata_names if table.frame[name].nunique() > 1]
    names = [
        listed.metric,
        *(name for name in at_k if name != listed.metric),
        "first_rank",
        "top1",
        *metadata,
    ]
    return [
        Choice(WORST, t("tui.order.worst")),
        *(Choice(name, column_title(name, listed)) for name in names if name in table.frame.columns),
        Choice(SET_ORDER, t("tui.order.set")),
    ]


def column_title(name: str, listed: QueryList) -> str:
    """A column as headers and sentences call it."""
    if name == "metric":
        return listed.metric
    if name == SET_ORDER:
        return t("tui.order.set")
    return shown(header("rank" if name == "first_rank" else name))


def preset_choices(listed: QueryList, saved: Mapping[str, str]) -> list[Choice]:
    """Filters to choose from: all, the ready ones with counts, those that were saved."""
    ready = presets(listed.facts)
    return [
        Choice("", t("tui.preset.all"), str(listed.total)),
        *(
            Choice(preset.where, t(f"tui.preset.{preset.name}"), str(preset.count), is_dim=preset.count == 0)
            for preset in ready
        ),
        *(Choice(text, shown(name), shown(text)) for name, text in saved.items()),
    ]


def stage_choices(session: Session) -> list[Choice]:
    """The lists of the run: the final one and its stages."""
    return [Choice(FINAL, t("tui.stage.final")), *(Choice(name, shown(name)) for name in session.stages)]


def export_choices() -> list[Choice]:
    """Formats to export in."""
    return [Choice(name, t(f"tui.export.{name}")) for name in ("csv", "jsonl", "markdown")]
