"""A set made up in memory, as readers would make it: texts and ids in Arrow, all else as objects."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.ids import with_codes
from ragtui.dataset.model import (
    CHUNK_COLUMNS,
    QUERY_COLUMNS,
    EvaluationSet,
    GoldCodes,
    Run,
    RunCard,
    SetSettings,
)
from ragtui.dataset.ranked_lists import RankedLists

WORDS = ["how", "much", "which", "claim", "hotel", "receipt", "travel", "limit", "invoice", "visa", "report"]
WORDS += ["报销", "差旅", "酒店", "标准", "发票", "审批"]
KINDS = ["direct", "paraphrase", "vague", "table", "relational"]


def large_set(queries: int, depth: int, chunks: int) -> EvaluationSet:
    """Queries of five types, one in twenty without an answer; two judged chunks each, half of them found."""
    rng = np.random.default_rng(5)
    query_ids = [f"query-{n:06d}" for n in range(queries)]
    chunk_ids = [f"document-{n // 7}#{n % 7}" for n in range(chunks)]
    # a step between the results of a list, so that none comes twice
    steps = np.arange(depth) * (chunks // (depth + 1)) + rng.integers(0, chunks // 4000 + 1, (queries, depth))
    codes = ((rng.integers(0, chunks, (queries, 1)) + steps) % chunks).astype(np.int32)
    scores = -np.sort(-rng.random((queries, depth)), axis=1)
    lists = RankedLists.of(query_ids, [depth] * queries, with_codes(codes.ravel(), chunk_ids), scores.ravel())
    gold = _gold(rng, query_ids, chunk_ids, codes)
    made = EvaluationSet(
        path=Path("/made up"),
        settings=SetSettings(name="large", grade_scale=(0, 1, 2, 3)),
        queries=_queries(rng, query_ids),
        chunks=_chunks(rng, chunk_ids),
        gold=gold,
        query_split=pd.Series("dev", index=_index(query_ids, "query_id"), dtype=object),
        runs={"run": Run("run", lists, card=RunCard({"depth": depth}))},
    )
    return made.with_codes(GoldCodes.of(gold))


def _queries(rng: np.random.Generator, ids: list[str]) -> pd.DataFrame:
    columns: dict[str, Any] = {name: _objects([None] * len(ids)) for name in QUERY_COLUMNS}
    columns["text"] = pd.array(_sentences(rng, len(ids), 9), dtype="str")
    columns["type"] = _objects(KINDS[kind] for kind in rng.integers(0, len(KINDS), len(ids)))
    columns["answerable"] = _objects((rng.random(len(ids)) >= 0.05).tolist())
    columns["core"] = np.zeros(len(ids), dtype=bool)
    return _table(_index(ids, "query_id"), columns)


def _chunks(rng: np.random.Generator, ids: list[str]) -> pd.DataFrame:
    columns: dict[str, Any] = {name: _objects([None] * len(ids)) for name in CHUNK_COLUMNS}
    columns["title"] = pd.array([f"Document {n // 7}" for n in range(len(ids))], dtype="str")
    columns["text"] = pd.array(_sentences(rng, len(ids), 60), dtype="str")
    columns["doc_id"] = _objects(name.split("#")[0] for name in ids)
    return _table(_index(ids, "chunk_id"), columns)


def _gold(
    rng: np.random.Generator, query_ids: list[str], chunk_ids: list[str], codes: npt.NDArray[np.int32]
) -> pd.DataFrame:
    depth = codes.shape[1]
    rank = rng.integers(0, 2 * depth, (len(query_ids), 2))
    elsewhere = rng.integers(0, len(chunk_ids), rank.shape)
    listed = np.take_along_axis(codes, np.minimum(rank, depth - 1), axis=1)
    judged = np.where(rank < depth, listed, elsewhere).ravel()
    rows = pd.DataFrame(
        {
            "query_id": pd.array(np.repeat(_objects(query_ids), 2), dtype="str"),
            "chunk_id": pd.array(_objects(chunk_ids)[judged], dtype="str"),
            "grade": rng.integers(1, 4, len(judged)).astype(np.float64),
            "reason": pd.array([""] * len(judged), dtype="str"),
            "annotator": pd.array([""] * len(judged), dtype="str"),
            "group": pd.Series([None] * len(judged), dtype=object),
            "role": pd.Series([None] * len(judged), dtype=object),
            "split": pd.Series(["dev"] * len(judged), dtype=object),
        }
    )
    return rows.drop_duplicates(["query_id", "chunk_id"], ignore_index=True)


def _sentences(rng: np.random.Generator, count: int, words: int) -> list[str]:
    """Texts of so many words, none twice."""
    chosen = np.array(WORDS, dtype=object)[rng.integers(0, len(WORDS), (count, words))]
    return [f"{' '.join(row)} {place}" for place, row in enumerate(chosen)]


def _index(ids: list[str], name: str) -> pd.Index[str]:
    return pd.Index(pd.array(ids, dtype="str"), name=name)


def _objects(values: Iterable[object]) -> npt.NDArray[np.object_]:
    items = list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _table(index: pd.Index[str], columns: dict[str, Any]) -> pd.DataFrame:
    kept = {
        name: pd.Series(column, index=index, dtype=column.dtype, copy=False)
        for name, column in columns.items()
    }
    return pd.DataFrame(kept, index=index, copy=False)
