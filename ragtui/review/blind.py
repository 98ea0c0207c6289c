"""Orders that tell nothing: the same for everybody, and not that of any run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ragtui.dataset.model import EvaluationSet
from ragtui.stats.bootstrap import SEED


class Item(NamedTuple):
    """Something to decide about: a query, or a chunk for a query."""

    query_id: str
    chunk_id: str = ""


def blind_order(query_id: str, chunk_ids: Iterable[str], seed: int = SEED) -> list[str]:
    """Chunks of a query in an order that depends on seed and ids alone.

    It stays the same while others come and go, and looks like chance.
    """
    return sorted(dict.fromkeys(chunk_ids), key=lambda chunk_id: _drawn(seed, query_id, chunk_id))


def pool(
    evaluation: EvaluationSet,
    query_ids: Sequence[str],
    k: int,
    *,
    without: frozenset[Item] = frozenset(),
    seed: int = SEED,
) -> tuple[Item, ...]:
    """The first K of all runs for each query, each chunk once, shuffled; queries in the order given.

    Pooling as in TREC (Spärck Jones and van Rijsbergen 1975): a judge who sees neither run nor rank favours
    none of them.

    Args:
        evaluation: the set with its runs.
        query_ids: queries to pool.
        k: how many of each list.
        without: what is left out, such as pairs that have a grade.
        seed: of the order.
    """
    found: list[Item] = []
    for query_id in query_ids:
        chunks: dict[str, None] = {}
        for run in evaluation.runs.values():
            if query_id not in run.errors:
                own = dict.fromkeys(run.lists.list_of(query_id)[0])
                chunks |= dict.fromkeys(list(own)[:k])
        items = (Item(query_id, chunk_id) for chunk_id in blind_order(query_id, chunks, seed))
        found += [item for item in items if item not in without]
    return tuple(found)


def graded_pairs(gold: pd.DataFrame) -> frozenset[Item]:
    """Pairs that have a grade."""
    return frozenset(map(Item, gold["query_id"].tolist(), gold["chunk_id"].tolist()))


def sample(items: Sequence[Item], n: int, seed: int = SEED) -> tuple[Item, ...]:
    """`n` items drawn at random and shuffled, the same for everybody; all where there are no more."""
    drawn = np.random.default_rng(seed).permutation(len(items))[:n]
    return tuple(items[place] for place in drawn.tolist())


def _drawn(seed: int, query_id: str, chunk_id: str) -> bytes:
    text = f"{seed}\0{query_id}\0{chunk_id}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=8).digest()
