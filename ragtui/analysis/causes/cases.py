"""Gathers from a set what rules of causes look at."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pandas as pd

from ragtui.analysis.causes.model import Case, RunKind, first_k
from ragtui.analysis.chunk_facts import chunk_facts
from ragtui.analysis.columns import shown
from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.analysis.judged import JudgedQuery
from ragtui.dataset.model import EvaluationSet, Run

_LEXICAL = re.compile(r"bm25|tf-?_?idf|lexical|sparse|keyword|splade|fulltext", re.IGNORECASE)
_DENSE = re.compile(r"dense|vector|embed|\be5\b|bge|\bgte\b|minilm|mpnet", re.IGNORECASE)
_NOT_ASKED = frozenset(
    {"title", "text", "doc_id", "type", "difficulty", "origin", "created", "cluster", "core"}
)
"""Columns that mean something else of a query than of a chunk."""


def run_kind(run: Run) -> RunKind:
    """What sort of retriever made a run: by its card, else by its name; `other` where neither tells.

    Several routes are no single kind.
    """
    said = "" if run.card is None else str(run.card.fields.get("retriever", ""))
    for text in (said, run.name):
        if _LEXICAL.search(text):
            return "lexical"
        if _DENSE.search(text):
            return "dense"
    return "other"


def case_of(
    evaluation: EvaluationSet,
    evidence: QueryEvidence,
    *,
    kinds: Mapping[str, RunKind],
    judged: JudgedQuery | None = None,
) -> Case:
    """What rules look at of one query.

    Args:
        evaluation: the set.
        evidence: of the query and run.
        kinds: of all runs of the set, see `run_kind`.
        judged: verdicts on the query.
    """
    run = evaluation.runs[evidence.run]
    about = [*first_k(evidence), *(need.chunk_id for need in evidence.needs)]
    prompt = _prompt(run, evidence.query_id)
    facts = chunk_facts(evaluation.chunks, [*about, *(prompt or ())])
    keys = _shared_keys(evaluation)
    return Case(
        evidence,
        kinds=kinds,
        documents={chunk_id: fact.document for chunk_id, fact in facts.items()},
        asks=_asks(evaluation.queries, evidence.query_id, keys),
        tells=_tells(evaluation.chunks, about, keys) if keys else {},
        judged=judged,
        answer_correct=_answer_correct(run, evidence.query_id),
        prompt=prompt,
        versions_in_prompt=next(
            (
                (older, newer)
                for newer in prompt or ()
                for older in prompt or ()
                if older in facts and newer in facts and facts[older].is_older_than(facts[newer])
            ),
            None,
        ),
    )


def _shared_keys(evaluation: EvaluationSet) -> dict[str, str]:
    """Columns of the queries that chunks have too, with their name among the chunks."""
    chunks = set(map(str, evaluation.chunks.columns)) - _NOT_ASKED
    named = {str(name): str(name).removeprefix("metadata.") for name in evaluation.queries.columns}
    return {name: key for name, key in named.items() if key in chunks and key not in _NOT_ASKED}


def _asks(queries: pd.DataFrame, query_id: str, keys: Mapping[str, str]) -> dict[str, str]:
    row = int(queries.index.get_indexer(pd.Index([query_id]))[0])
    said = {key: shown(queries[name].iat[row]) for name, key in keys.items()}
    return {key: text for key, text in said.items() if text}


def _tells(chunks: pd.DataFrame, wanted: list[str], keys: Mapping[str, str]) -> dict[str, dict[str, str]]:
    ids = list(dict.fromkeys(wanted))
    rows = chunks.index.get_indexer(pd.Index(ids, dtype=chunks.index.dtype))
    return {
        chunk_id: {key: text for key in keys.values() if (text := shown(chunks[key].iat[int(row)]))}
        for chunk_id, row in zip(ids, rows, strict=True)
        if row >= 0
    }


def _prompt(run: Run, query_id: str) -> tuple[str, ...] | None:
    lists = run.stages.get("prompt")
    if lists is None or lists.row_of(query_id) is None:
        return None
    return tuple(lists.list_of(query_id)[0])


def _answer_correct(run: Run, query_id: str) -> bool | None:
    if run.answers is None or query_id not in run.answers.index:
        return None
    value = run.answers["answer_correct"].loc[query_id] if "answer_correct" in run.answers else None
    return None if value is None or value is pd.NA else bool(value)
