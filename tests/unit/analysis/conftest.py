"""A set of eight queries made by hand, so that every number in the tests can be read off these tables.

K is 3 in the tests. Level 1, grades as given, no distractors but one.

| query | needs | run `first` returns | got at 3 | first rank |
|---|---|---|---|---|
| q1 | a1, a2 | a1 b1 c1 c2 a2 | 1 of 2 | 1 |
| q2 | b1 | c1 c2 c3 c4 b1 | 0 of 1 | 5 |
| q3 | b1 or b2 | b2 c1 | 1 of 1 | 1 |
| q4 | c1 | c2 c3 | 0 of 1 | none |
| q5 | a1 | (not in the run) | 0 of 1 | none |
| q6 | no-answer | c1 | | |
| q7 | only grade 0 | a1 | | |
| q8 | nothing labelled | a1 | | |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.analysis.facts import Facts
from ragtui.analysis.query_table import QueryTable, build_query_table
from ragtui.dataset.model import (
    CHUNK_COLUMNS,
    GOLD_COLUMNS,
    QUERY_COLUMNS,
    EvaluationSet,
    Hashes,
    RankedLists,
    Run,
    RunCard,
    SetSettings,
)
from ragtui.metrics.evaluate import evaluate
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed

QUERIES: dict[str, dict[str, Any]] = {
    "q1": {"text": "How much for a hotel in Shanghai?", "type": "multi-evidence", "created": "2024-01-15"},
    "q2": {"text": "旧版餐补多少", "type": "time/version", "created": "2024-06-30", "level": 3},
    "q3": {
        "text": "Taxi receipts, 出租车",
        "type": "direct",
        "created": "2024-07-01",
        "level": 10,
        "core": True,
    },
    "q4": {"text": "who approves [b]flights[/b]", "type": "Direct", "level": 2, "tags": ["air", "role"]},
    "q5": {"text": "RE-24 form", "type": "code/API", "difficulty": "hard", "tags": ["form"]},
    "q6": {"text": "hotel on the moon", "type": "direct", "answerable": False},
    "q7": {"text": "only nothing", "type": None},
    "q8": {"text": "nobody looked", "type": "vague", "core": True},
}
GOLD: list[tuple[str, str, float, str | None, str | None]] = [
    ("q1", "a1", 3, None, None),
    ("q1", "a2", 2, None, None),
    ("q1", "c1", 0, None, "distractor"),
    ("q2", "b1", 1, None, None),
    ("q3", "b1", 1, "either", None),
    ("q3", "b2", 2.5, "either", None),
    ("q4", "c1", 12, None, None),
    ("q5", "a1", 1, None, None),
    ("q6", "c1", 0, None, None),
    ("q7", "a1", 0, None, None),
]
FIRST: dict[str, list[tuple[str, float]]] = {
    "q1": [("a1", 0.9), ("b1", 0.8), ("c1", 0.7), ("c2", 0.6), ("a2", 0.5)],
    "q2": [("c1", 0.9), ("c2", 0.8), ("c3", 0.7), ("c4", 0.6), ("b1", 0.5)],
    "q3": [("b2", 0.95), ("c1", 0.1)],
    "q4": [("c2", 0.4), ("c3", 0.3)],
    "q6": [("c1", 0.85), ("c2", 0.2)],
    "q7": [("a1", 0.5)],
    "q8": [("a1", 0.6), ("a1", 0.55)],
}
SECOND: dict[str, list[tuple[str, float]]] = {
    "q1": [("a2", 9.0), ("a1", 8.0)],
    "q2": [("b1", 7.0)],
    "q4": [],
    "q5": [("a1", 3.0)],
}


def made_set(
    queries: Mapping[str, Mapping[str, Any]] = QUERIES,
    gold: Sequence[tuple[str, str, float, str | None, str | None]] = GOLD,
    runs: Mapping[str, Mapping[str, list[tuple[str, float]]]] | None = None,
) -> EvaluationSet:
    """A set in memory with one split, `dev`."""
    extra = list(dict.fromkeys(key for row in queries.values() for key in row if key not in QUERY_COLUMNS))
    index = pd.Index(list(queries), dtype=object, name="query_id")
    rows = {
        name: pd.Series([row.get(name) for row in queries.values()], index=index, dtype=object)
        for name in (*QUERY_COLUMNS, *extra)
    }
    rows["core"] = rows["core"].map(lambda value: value is True)
    labels = [(q, c, float(g), "", "", group, role, "dev") for q, c, g, group, role in gold]
    chosen = runs if runs is not None else {"first": FIRST, "run.2": SECOND}
    return EvaluationSet(
        path=Path("made"),
        settings=SetSettings(name="made"),
        queries=pd.DataFrame(rows, index=index),
        chunks=pd.DataFrame(columns=list(CHUNK_COLUMNS), index=pd.Index([], name="chunk_id")),
        gold=pd.DataFrame(labels, columns=list(GOLD_COLUMNS)),
        query_split=pd.Series("dev", index=index, dtype=object),
        runs={name: made_run(name, lists) for name, lists in chosen.items()},
        given_hashes=Hashes("a" * 64, "b" * 64, "c" * 64),
    )


def made_run(name: str, lists: Mapping[str, list[tuple[str, float]]], **fields: Any) -> Run:
    """A run from `{query: [(chunk, score), ...]}`; `fields` are those of its card."""
    ranked = RankedLists.from_lists(
        {query: [chunk for chunk, _ in hits] for query, hits in lists.items()},
        {query: [score for _, score in hits] for query, hits in lists.items()},
    )
    return Run(name, ranked, card=RunCard(fields) if fields else None)


def table_of(evaluation: EvaluationSet, run: str = "first", k: int = 3, **options: Any) -> QueryTable:
    """Evaluate a run of a made set at 1, 3, 5 and 10, and join it."""
    found = evaluation.runs[run]
    answerable = evaluation.queries["answerable"]
    result = evaluate(
        np.asarray(evaluation.queries.index, dtype=object),
        Listed(found.lists, GoldTable.from_frame(evaluation.gold)),
        **{
            "ks": (1, 3, 5, 10),
            "level": 1.0,
            "depth": found.depth,
            "failed": frozenset(found.errors),
            "no_answer": frozenset(answerable.index[answerable.map(lambda value: value is False)]),
            **options,
        },
    )
    return build_query_table(evaluation, found, result, k)


@pytest.fixture
def table() -> QueryTable:
    return table_of(made_set())


@pytest.fixture
def facts() -> Facts:
    evaluation = made_set()
    tables = {name: table_of(evaluation, name) for name in evaluation.runs}
    return Facts(tables["first"], tables, frozenset({"q2", "q8"}))
