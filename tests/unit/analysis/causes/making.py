"""Cases made by hand: one query, a corpus of travel rules, runs given as ranked chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ragtui.analysis.causes.cases import case_of, run_kind
from ragtui.analysis.causes.model import Case
from ragtui.analysis.evidence import query_evidence
from ragtui.analysis.judged import JudgedQuery
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

CHUNKS: dict[str, dict[str, str]] = {
    "hotel-2024#1": {"title": "Hotels", "text": "Tier 1 cities: 500 a night.", "valid_from": "2024-01-01"},
    "hotel-2024#2": {"title": "Hotels", "text": "Tier 2 cities: 400 a night.", "valid_from": "2024-01-01"},
    "hotel-2021#1": {"title": "Hotels", "text": "Tier 1 cities: 450 a night.", "valid_from": "2021-07-01"},
    "rail#1": {"title": "Trains", "text": "Second class is paid for.", "city": "Shanghai", "role": "staff"},
    "rail#2": {"title": "Trains", "text": "First class needs approval.", "city": "Beijing", "role": "head"},
    "rail#3": {"title": "Trains", "text": "Keep the ticket."},
    "rail#4": {"title": "Trains", "text": "Lounges are not paid for."},
    "meal#1": {"title": "Meals", "text": "A hundred a day.", "city": "Shanghai", "role": "staff"},
    "taxi#1": {"title": "Taxi", "text": "With a receipt."},
}
Hits = Sequence[str]


def case(
    gold: Sequence[str] | Mapping[str, float],
    runs: Mapping[str, Hits],
    *,
    k: int = 3,
    depth: int | None = 10,
    query: Mapping[str, Any] | None = None,
    judged: JudgedQuery | None = None,
    answer_correct: bool | None = None,
    prompt: Sequence[str] | None = None,
    groups: Mapping[str, str] | None = None,
) -> Case:
    """What rules see of the query `q` in the first run. Scores fall by .1 from 1; gold is grade 1."""
    grades = gold if isinstance(gold, Mapping) else dict.fromkeys(gold, 1.0)
    columns = [*CHUNK_COLUMNS, "city", "role"]
    asked: dict[str, Any] = {
        **dict.fromkeys(QUERY_COLUMNS),
        "text": "What is paid in Shanghai?",
        "core": False,
    }
    asked |= query or {}
    made = EvaluationSet(
        path=Path("made"),
        settings=SetSettings(),
        queries=pd.DataFrame([asked], index=pd.Index(["q"], name="query_id"), dtype=object),
        chunks=pd.DataFrame(
            [dict.fromkeys(columns) | {"doc_id": one.split("#")[0]} | said for one, said in CHUNKS.items()],
            index=pd.Index(list(CHUNKS), name="chunk_id"),
        ),
        gold=pd.DataFrame(
            [
                ("q", one, grade, "", "", (groups or {}).get(one), None, "dev")
                for one, grade in grades.items()
            ],
            columns=list(GOLD_COLUMNS),
        ),
        query_split=pd.Series(["dev"], index=["q"], dtype=object),
        runs={name: _run(name, hits, depth, answer_correct, prompt) for name, hits in runs.items()},
        given_hashes=Hashes("", "", ""),
    )
    evidence = query_evidence(made, next(iter(runs)), "q", k, level=1.0)
    kinds = {name: run_kind(run) for name, run in made.runs.items()}
    return case_of(made, evidence, kinds=kinds, judged=judged)


def _run(
    name: str, hits: Hits, depth: int | None, answer_correct: bool | None, prompt: Sequence[str] | None
) -> Run:
    lists = RankedLists.from_lists({"q": list(hits)}, {"q": [1 - 0.1 * place for place in range(len(hits))]})
    answers = pd.DataFrame(
        {"answer": ["an answer"], "answer_correct": pd.array([answer_correct], dtype="boolean")},
        index=pd.Index(["q"], name="query_id"),
    )
    stages = {} if prompt is None else {"prompt": RankedLists.from_lists({"q": list(prompt)}, None)}
    card = RunCard({"depth": depth}) if depth else None
    return Run(name, lists, card=card, answers=answers, stages=stages)
