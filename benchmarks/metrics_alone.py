"""Metrics of 1,000,000 queries × 20 ranks, beside reading and writing the bytes of the matrix once.

Run it as `python benchmarks/metrics_alone.py`. Ours is the kernels of the 12 default metrics (all of the
catalogue but `tokens`, which needs texts) at K = 1, 3, 5, 10 and 20, from a grade matrix that has been built,
until the 60 columns of results have been written; these take 480 MB, more than the matrix. The other side is
a copy by numpy of every array of numbers in the matrix. A query has three judged chunks. CPU time with one
thread; reading files, joining with gold and making a table of the results are not in it.
"""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import numpy.typing as npt
import pandas as pd
from measuring import in_turn

from ragtui.dataset.ids import with_codes
from ragtui.dataset.ranked_lists import RankedLists
from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed
from ragtui.metrics.matrix import GradeMatrix, build_matrix

QUERIES, DEPTH, CHUNKS, JUDGED = 1_000_000, 20, 200_000, 3
KS = (1, 3, 5, 10, 20)
BAR = 20


def texts(values: list[str]) -> npt.NDArray[np.object_]:
    """Ids as an array of objects."""
    return np.array(values, dtype=object)


def made_up() -> tuple[GoldTable, RankedLists]:
    """Gold with grades 0 to 3, about half of it among the 20 results of its query, and one run."""
    rng = np.random.default_rng(3)
    queries = texts([f"q{n}" for n in range(QUERIES)])
    chunks = texts([f"document-{n // 7}#{n % 7}" for n in range(CHUNKS)])
    # a step between the results of a list, so that none comes twice
    steps = np.arange(DEPTH) * (CHUNKS // (DEPTH + 1)) + rng.integers(0, 50, (QUERIES, DEPTH))
    codes = (rng.integers(0, CHUNKS, (QUERIES, 1)) + steps) % CHUNKS
    scores = -np.sort(-rng.random((QUERIES, DEPTH)), axis=1)
    ids = with_codes(codes.ravel().astype(np.int32), chunks.tolist())
    lists = RankedLists.of(queries, [DEPTH] * QUERIES, ids, scores.ravel())
    rank = rng.integers(0, 2 * DEPTH, (QUERIES, JUDGED))
    anything = rng.integers(0, CHUNKS, rank.shape)
    judged = np.where(rank < DEPTH, np.take_along_axis(codes, np.minimum(rank, DEPTH - 1), axis=1), anything)
    columns = {
        "query_id": np.repeat(queries, JUDGED),
        "chunk_id": chunks[judged.ravel()],
        "grade": rng.integers(0, 4, judged.size).astype(np.float64),
    }
    return GoldTable.from_frame(pd.DataFrame(columns).drop_duplicates(["query_id", "chunk_id"])), lists


def arrays_of(matrix: GradeMatrix) -> list[npt.NDArray[np.generic]]:
    """Every array of numbers of the matrix."""
    fields = [getattr(matrix, field.name) for field in dataclasses.fields(matrix)]
    return [field for field in fields if isinstance(field, np.ndarray) and field.dtype != object]


def metrics_of(matrix: GradeMatrix) -> list[npt.NDArray[np.float64]]:
    """All default metrics, nothing kept from the last time."""
    fresh = dataclasses.replace(matrix)
    return [metric.kernel(fresh, KS) for metric in METRICS.values() if metric.name != "tokens"]


def main() -> None:
    """Print ours, the copy, their ratio and the bar; and what building the matrix took."""
    gold, lists = made_up()
    start = time.process_time()
    matrix = build_matrix(lists.query_ids, Listed(lists, gold), level=1.0, cut=DEPTH, ks=KS)
    built = time.process_time() - start
    arrays = arrays_of(matrix)
    megabytes = sum(array.nbytes for array in arrays) / 1e6
    sides = in_turn(lambda: metrics_of(matrix), lambda: [array.copy() for array in arrays])
    print(
        f"{len(METRICS) - 1} metrics at {len(KS)} cut-offs, {QUERIES:,} x {DEPTH}: ours {sides.ours:.3f} s, "
        f"copy of {megabytes:.0f} MB {sides.peer:.3f} s, ratio {sides.ratio:.1f}, bar < {BAR}; "
        f"the matrix was built in {built:.1f} s"
    )


if __name__ == "__main__":
    main()
