"""A reader of TREC files with no line in common with the one under test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def qrels_of(path: Path) -> Qrels:
    """Grades of a qrels file."""
    found: Qrels = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, chunk, grade = line.split()
        found.setdefault(query, {})[chunk] = int(grade)
    return found


def run_of(path: Path) -> Run:
    """Scores of a run file."""
    found: Run = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, chunk, _, score = line.split()[:5]
        found.setdefault(query, {})[chunk] = float(score)
    return found


def json_of(path: Path) -> Any:
    """Contents of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def means(table: pd.DataFrame) -> dict[str, float]:
    """The one row of a table of metrics."""
    [row] = table.to_dict("records")
    return {str(name): float(value) for name, value in row.items()}


def our_name(measure: str) -> str | None:
    """What ragtui calls a measure of trec_eval; None for measures that it does not have."""
    whole = {"map": "map", "recip_rank": "mrr", "ndcg": "ndcg", "set_recall": "recall"}
    if measure in whole:
        return whole[measure]
    cut = {"P": "precision", "recall": "recall", "ndcg_cut": "ndcg", "map_cut": "map", "success": "hit"}
    stem, _, k = measure.rpartition("_")
    return f"{cut[stem]}@{k}" if stem in cut and k.isdigit() else None
