"""All recorded verdicts on the queries of a table as plain values, for `eval --records`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragtui.analysis.export import plain
from ragtui.analysis.query_table import QueryTable
from ragtui.judging.interpret import reason_text
from ragtui.workspace.judged_table import recorded_askers

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

_PLAIN = ("chunk_id", "claim", "value", "status", "repeat")


def verdict_records(workspace: Workspace, table: QueryTable) -> dict[str, list[dict[str, Any]]]:
    """Verdicts of every judge and model that has any, by query id; on what is judged at the K of the table.

    Each has the judge in full (judge, version, model: null for a rule), what it is about (chunk_id, claim),
    its value (null without one), status, reason in words, repeat, and the raw reply of a failure.

    Raises:
        RagtuiError: a file of verdicts or the folder of a judge cannot be read.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for asker in recorded_askers(workspace):
        judgments = workspace.judgments
        selected = judgments.selected(table.run.name, asker, table.k, table.stage)
        name = {"judge": asker.judge.name, "version": asker.judge.version, "model": asker.model or None}
        for verdict in judgments.verdicts(selected, asker).to_dict("records"):
            found.setdefault(verdict["query_id"], []).append(
                {
                    **name,
                    **{field: plain(verdict[field]) for field in _PLAIN},
                    "reason": reason_text(verdict["status"], verdict["reason"]),
                    "raw": verdict["raw"],
                }
            )
    return found
