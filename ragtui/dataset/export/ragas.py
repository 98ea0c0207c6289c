"""Evaluation datasets of ragas: one JSON Lines file for each run, with contexts, their ids and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ragtui.dataset.export.simple_gold import one_grade_each
from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.readers.rows import DISTRACTOR
from ragtui.dataset.writing import new_folder, write_lines

WITHOUT_RUN = "questions"
"""What the file of a set without runs is called."""


def write_ragas(evaluation: EvaluationSet, folder: Path) -> None:
    """Write `<run>.jsonl` for every run, or `questions.jsonl` where there is none.

    The fields are those of `ragas.SingleTurnSample`, with query_id, retrieved_scores and answerable beside
    them, which ragas ignores.

    Raises:
        CannotWrite: `folder` is taken, or the place cannot be written.
    """
    needed = needed_chunks(evaluation)
    with new_folder(folder) as aside:
        if not evaluation.runs:
            write_lines(aside / f"{WITHOUT_RUN}.jsonl", _samples(evaluation, needed, None))
        for run in evaluation.runs.values():
            write_lines(aside / f"{run.name}.jsonl", _samples(evaluation, needed, run))


def needed_chunks(evaluation: EvaluationSet) -> dict[str, list[str]]:
    """Relevant chunks of every query that has gold: grade at the level of the set, and no distractor."""
    gold, _ = one_grade_each(evaluation.gold)
    needed: dict[str, list[str]] = {one: [] for one in gold["query_id"]}
    relevant = gold[(gold["grade"] >= evaluation.settings.level) & (gold["role"] != DISTRACTOR)]
    for query_id, chunk_id in zip(relevant["query_id"], relevant["chunk_id"], strict=True):
        needed[query_id].append(chunk_id)
    return needed


def _samples(
    evaluation: EvaluationSet, needed: dict[str, list[str]], run: Run | None
) -> Iterator[dict[str, Any]]:
    texts = dict(zip(evaluation.chunks.index, evaluation.chunks["text"], strict=True))
    columns = (evaluation.queries[name] for name in ("text", "reference", "answerable"))
    for query_id, text, reference, answerable in zip(evaluation.queries.index, *columns, strict=True):
        sample: dict[str, Any] = {"query_id": query_id, "user_input": text}
        if run is not None:
            sample |= _retrieved(run, query_id, texts)
        if query_id in needed:
            sample |= _contexts("reference", needed[query_id], texts)
        if reference is not None:
            sample["reference"] = reference
        if answerable is not None:
            sample["answerable"] = bool(answerable)
        yield sample


def _retrieved(run: Run, query_id: str, texts: dict[str, str]) -> dict[str, Any]:
    sample: dict[str, Any] = {}
    if run.lists.row_of(query_id) is not None:
        ids, scores = run.lists.list_of(query_id)
        sample |= _contexts("retrieved", ids, texts)
        if len(scores) and not np.isnan(scores).any():
            sample["retrieved_scores"] = scores.tolist()
    if run.answers is not None and query_id in run.answers.index:
        answer = run.answers["answer"][query_id]
        if not pd.isna(answer):
            sample["response"] = answer
    return sample


def _contexts(kind: str, ids: Sequence[str], texts: dict[str, str]) -> dict[str, Any]:
    """Ids, and the texts where the set has any; a chunk without text has an empty one."""
    found: dict[str, Any] = {f"{kind}_context_ids": list(ids)}
    if texts:
        found[f"{kind}_contexts"] = [texts.get(one, "") for one in ids]
    return found
