"""A set as four data frames, for notebooks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ragtui.dataset.ids import plain, text_column
from ragtui.dataset.model import EvaluationSet, Run


class Frames(NamedTuple):
    """The tables of a set, copies that may be changed.

    Attributes:
        queries: one row per query: query_id, text, split and metadata.
        chunks: one row per chunk: chunk_id, title, text and metadata.
        gold: one row per judgment: query_id, chunk_id, grade, reason, annotator, group, role, split.
        results: one row per result of a final list: run, query_id, rank from 1, chunk_id, score (NaN where
            the run has none). Repeats are there.
    """

    queries: pd.DataFrame
    chunks: pd.DataFrame
    gold: pd.DataFrame
    results: pd.DataFrame


_NO_RESULTS = pd.DataFrame(
    {
        "run": pd.array([], dtype="str"),
        "query_id": pd.array([], dtype="str"),
        "rank": np.array([], dtype=np.int64),
        "chunk_id": pd.array([], dtype="str"),
        "score": np.array([], dtype=np.float64),
    }
)


def frames(evaluation: EvaluationSet) -> Frames:
    """The tables of a set with ids as columns."""
    queries = evaluation.queries.reset_index()
    queries.insert(2, "split", evaluation.query_split.to_numpy())
    runs = [result_frame(run).assign(run=name) for name, run in evaluation.runs.items()]
    results = pd.concat(runs, ignore_index=True) if runs else _NO_RESULTS.copy()
    return Frames(
        queries, evaluation.chunks.reset_index(), evaluation.gold.copy(), results[list(_NO_RESULTS.columns)]
    )


def result_frame(run: Run) -> pd.DataFrame:
    """The final lists of one run: query_id, rank from 1, chunk_id, score."""
    lists = run.lists
    rows = np.repeat(np.arange(len(lists.query_ids)), lists.lengths)
    return pd.DataFrame(
        {
            "query_id": pd.array(lists.query_ids[rows], dtype="str"),
            "rank": np.arange(len(rows)) - lists.offsets[rows] + 1,
            "chunk_id": text_column(plain(lists.chunk_ids)),
            "score": lists.scores,
        }
    )
