"""Everything about one query and one run as plain values: a line of `eval --records`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ragtui.analysis.export import plain
from ragtui.analysis.query_table import QueryTable
from ragtui.metrics.gold import GoldTable


def query_records(
    table: QueryTable, gold: GoldTable, verdicts: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """One record per query of a table, in its order.

    Each has the query (id, text, metadata, state), its list in the order of the run with the grade of every
    chunk (null where nobody judged it), the relevant gold that is not in the first K with its rank in the
    whole list (null where it was not retrieved), its metrics (null where they do not apply), and the
    verdicts of judges.

    Args:
        table: of one run.
        gold: of the split.
        verdicts: of judges, by query; see `ragtui.workspace.judged_records`.
    """
    labels = _Labels(gold, table.evaluation.gold)
    for row, query_id in enumerate(table.query_ids):
        facts = table.frame.iloc[row]
        results = _results(table, query_id, labels)
        ranks = {result["chunk_id"]: result["rank"] for result in results}
        yield {
            "query_id": query_id,
            "run": table.run.name,
            "text": facts["text"],
            "metadata": {
                name: plain(facts[name]) for name in table.metadata_names if plain(facts[name]) is not None
            },
            "state": facts["state"],
            "k": table.k,
            "error": table.run.errors.get(query_id),
            "results": results,
            "missing_gold": [
                {**label, "rank": ranks.get(label["chunk_id"])}
                for label in labels.of(query_id)
                if label["grade"] >= table.result.level
                and label["role"] != "distractor"
                and not 0 < (ranks.get(label["chunk_id"]) or 0) <= table.k
            ],
            "first_rank": plain(facts["first_rank"]),
            "metrics": {name: plain(facts[name]) for name in table.metric_names},
            "verdicts": [dict(verdict) for verdict in verdicts.get(query_id, ())],
        }


class _Labels:
    """Gold of one query after another: what annotators agreed on, with the reason that stands beside it."""

    def __init__(self, gold: GoldTable, written: pd.DataFrame) -> None:
        self._gold = gold
        self._rows = {query_id: code for code, query_id in enumerate(gold.query_ids)}
        words = written[["query_id", "chunk_id", "grade", "reason", "group"]].itertuples(
            index=False, name=None
        )
        self._words = {(query, chunk, grade): (reason, group) for query, chunk, grade, reason, group in words}

    def of(self, query_id: str) -> list[dict[str, Any]]:
        """Labels of a query: chunk_id, grade, reason, group, role."""
        code = self._rows.get(query_id)
        if code is None:
            return []
        gold = self._gold
        first, last = np.searchsorted(gold.query, [code, code + 1])
        return [self._label(query_id, row) for row in range(int(first), int(last))]

    def _label(self, query_id: str, row: int) -> dict[str, Any]:
        chunk_id, grade = self._gold.chunk_ids[self._gold.chunk[row]], float(self._gold.grade[row])
        reason, group = self._words.get((query_id, chunk_id, grade), ("", None))
        role = "distractor" if self._gold.distractor[row] else None
        return {
            "chunk_id": chunk_id,
            "grade": grade,
            "reason": plain(reason),
            "group": plain(group),
            "role": role,
        }


def _results(table: QueryTable, query_id: str, labels: _Labels) -> list[dict[str, Any]]:
    """The list of a query without repeats."""
    chunks, scores = table.lists.list_of(query_id)
    known = {label["chunk_id"]: label for label in labels.of(query_id)}
    found: dict[str, dict[str, Any]] = {}
    for chunk_id, score in zip(chunks, scores, strict=True):
        if chunk_id not in found:
            label = known.get(chunk_id)
            found[chunk_id] = {
                "rank": len(found) + 1,
                "chunk_id": chunk_id,
                "score": plain(float(score)),
                "grade": None if label is None else label["grade"],
                "role": None if label is None else label["role"],
            }
    return list(found.values())
