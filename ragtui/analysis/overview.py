"""What to say of a run before anybody looks at a query: what its queries are, and what would mislead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ragtui.analysis.query_table import QueryTable
from ragtui.messages import t
from ragtui.metrics.notes import Note

_ENOUGH = 10  # scored queries below which a share says nothing
_MOSTLY = 0.5
_HARDLY = 0.05


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth saying of a run: `kind` is a key below `analysis.remark`, `values` fill its text."""

    kind: str
    values: tuple[tuple[str, Any], ...] = ()
    severity: Literal["warning", "note"] = "warning"

    @property
    def text(self) -> str:
        return t(f"analysis.remark.{self.kind}", **dict(self.values))


def composition(table: QueryTable) -> dict[str, int]:
    """How many queries are in each state that occurs, which add up: `{"scored": 45, "no-answer": 15}`."""
    counts = table.at_any_k.queries_in_state
    states = ("scored", "no-answer", "no-gold", "unjudged", "left-out")
    return {state: counts[state] for state in states if state in counts}


def sentence(table: QueryTable) -> str:
    """`60 queries = 45 scored + 15 no-answer`, in the language now in use."""
    parts = [t(f"analysis.composition.{state}", n=n) for state, n in composition(table).items()]
    return t("analysis.composition.sum", n=len(table), parts=" + ".join(parts) or "0")


def remarks(table: QueryTable) -> tuple[Note | Remark, ...]:
    """Warnings and notes of a run, warnings first: those of its metrics, then those of its lists."""
    found: list[Note | Remark] = [
        *table.result.notes,
        *_level_too_high(table),
        *_unjudged(table),
        *_nothing_found(table),
    ]
    return tuple(sorted(found, key=lambda remark: remark.severity != "warning"))


def _level_too_high(table: QueryTable) -> list[Remark]:
    """No grade reaches the level, so that there is nothing to measure."""
    grades = table.evaluation.gold["grade"]
    if grades.empty or grades.max() >= table.result.level or not table.result.counts.no_relevant_gold:
        return []
    values = (("level", f"{table.result.level:g}"), ("highest", f"{grades.max():g}"))
    return [Remark("level-too-high", values)]


def _unjudged(table: QueryTable) -> list[Remark]:
    """More than half of what stands in the first K has no label, so precision and NDCG are lower bounds."""
    name = f"judged@{table.k}"
    if name not in table.metric_names:
        return []
    judged = table.frame[name].dropna()
    share = 1 - float(judged.mean()) if len(judged) else 0.0
    values = (("k", table.k), ("percent", round(100 * share)))
    return [Remark("mostly-unjudged", values, "note")] if share > _MOSTLY else []


def _nothing_found(table: QueryTable) -> list[Remark]:
    """Nearly no list holds anything relevant at any rank, which ids of another corpus look like."""
    frame = table.frame
    answered = int(((frame["state"] == "scored") & (frame["returned"] > 0)).sum())
    found = int(frame["first_rank"].notna().sum())
    if answered < _ENOUGH or found > _HARDLY * answered:
        return []
    return [Remark("nothing-found", (("n", answered), ("found", found)))]
