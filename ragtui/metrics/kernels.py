"""One function per metric: a whole grade matrix in, the metric of every query at every K out.

Each takes the matrix and cut-offs K in any order (`WHOLE` for the whole list) and returns (n, len(ks))
float64. NaN says that the metric does not apply to the query; such a query is left out of the mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.metrics.matrix import GradeMatrix, Grades

Ks = tuple[int, ...]
Values = npt.NDArray[np.float64]

# A cut-off that no list reaches: the metric of the whole list.
WHOLE = 2**31 - 1


def hit(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 if any of the first K is relevant, else 0. trec_eval's `success`."""
    return (matrix.first_rank <= _column(ks)).astype(np.float64).T


def hit_strict(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 if any of the first K has the top grade of the scale; NaN for queries without such gold."""
    found = _counts(matrix.grades >= matrix.top_grade, ks) > 0
    return np.where(matrix.has_top[:, None], found, np.nan)


def hit_lenient(matrix: GradeMatrix, ks: Ks) -> Values:
    """`hit` of the queries that `hit_strict` counts, so that the two are means over the same queries."""
    return np.where(matrix.has_top[:, None], hit(matrix, ks), np.nan)


def recall(matrix: GradeMatrix, ks: Ks) -> Values:
    """Relevant chunks in the first K ÷ relevant chunks in gold."""
    return _share(_counts(matrix.relevant, ks), matrix.relevant_count[:, None])


def precision(matrix: GradeMatrix, ks: Ks) -> Values:
    """Relevant chunks in the first K ÷ K, however short the list is."""
    return _counts(matrix.relevant, ks) / np.asarray(ks, dtype=np.float64)


def mrr(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 ÷ rank of the first relevant chunk, 0 where there is none in the first K; its mean is MRR."""
    return np.where(hit(matrix, ks) > 0, 1 / matrix.first_rank[:, None], 0.0)


def average_precision(matrix: GradeMatrix, ks: Ks) -> Values:
    """Sum of precision@i over the relevant ranks i ≤ K ÷ min(R, K), ÷ R for trec; its mean is MAP."""
    total = _sums(_precision_where_relevant(matrix), ks, np.zeros(len(matrix.query_ids)))
    if matrix.convention == "trec":
        return _share(total, matrix.relevant_count[:, None])
    return _share(total, np.minimum(matrix.relevant_count, _column(ks)).T)


def ndcg(matrix: GradeMatrix, ks: Ks) -> Values:
    """Discounted gain of the first K ÷ that of the best order of all gold.

    Gain is 2^g − 1 (Burges et al. 2005), g itself for trec (Järvelin and Kekäläinen 2002); the discount is
    log2(i + 1). The level plays no part: every positive grade gains.
    """
    # Both sums run over ranks one after another, so a perfect list has the very sum of the ideal one: exactly
    # 1.
    share = _share(_discounted(matrix, matrix.grades, ks), _discounted(matrix, matrix.ideal, ks))
    return np.minimum(share, 1.0, out=share)


def coverage(matrix: GradeMatrix, ks: Ks) -> Values:
    """Share of the evidence groups that have a relevant member in the first K."""
    return _share(groups_got(matrix, ks), matrix.group_count[:, None])


def complete(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 when every evidence group has a relevant member in the first K, else 0."""
    needed = matrix.group_count[:, None]
    return np.where((groups_got(matrix, ks) == needed) & (needed > 0), 1.0, 0.0)


def judged(matrix: GradeMatrix, ks: Ks) -> Values:
    """Share of the first K returned chunks of which gold says anything; NaN where nothing was returned."""
    return _share_of_returned(matrix, matrix.judged, ks)


def stale(matrix: GradeMatrix, ks: Ks) -> Values:
    """Share of the first K returned chunks that are labelled distractors; NaN where nothing was returned."""
    return _share_of_returned(matrix, matrix.distractor, ks)


def tokens(matrix: GradeMatrix, ks: Ks) -> Values:
    """Tokens of the first K, 0 where nothing was returned; NaN where the text of one of them is unknown."""
    if matrix.tokens is None:
        return np.full((len(matrix.query_ids), len(ks)), np.nan)
    return _sums(matrix.tokens.T, ks, np.zeros(len(matrix.query_ids)))


def groups_got(matrix: GradeMatrix, ks: Ks) -> npt.NDArray[np.int32]:
    """(n, len(ks)) int32, evidence groups with a relevant member in the first K."""
    return _counts(matrix.new_group, ks)


def _discounted(matrix: GradeMatrix, grades: Grades, ks: Ks) -> Values:
    gains = (
        column if matrix.convention == "trec" else np.exp2(column, dtype=np.float64) - 1
        for column in grades.T
    )
    terms = (gain / np.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
    return _sums(terms, ks, np.zeros(len(grades)))


def _precision_where_relevant(matrix: GradeMatrix) -> Iterator[Values]:
    """Precision at each rank, 0 where the chunk there is not relevant."""
    so_far = np.zeros(len(matrix.query_ids), dtype=np.int32)
    for rank, relevant in enumerate(matrix.relevant.T, start=1):
        so_far += relevant
        yield so_far * relevant / rank


def _share_of_returned(matrix: GradeMatrix, marked: npt.NDArray[np.bool_], ks: Ks) -> Values:
    returned = np.minimum(matrix.lengths, _column(ks)).T
    return np.where(returned > 0, _share(_counts(marked, ks), returned), np.nan)


def _counts(marked: npt.NDArray[np.bool_], ks: Ks) -> npt.NDArray[np.int32]:
    """(n, len(ks)) how many of the first K ranks are marked."""
    return _sums(marked.T, ks, np.zeros(len(marked), dtype=np.int32))


def _sums(terms: Iterable[npt.NDArray[Any]], ks: Ks, so_far: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(n, len(ks)) sums of the terms of the first K ranks, added to `so_far` rank by rank.

    Beyond the last rank a sum stays what it is. A rank at a time, over all queries, is several times as
    fast as a running sum along each row, in matrix and result whose columns are contiguous.
    """
    sums = np.empty((len(ks), len(so_far)), dtype=so_far.dtype)
    rank, last = 0, max(ks)
    for rank, term in enumerate(terms, start=1):
        so_far += term
        if rank in ks:
            sums[[k == rank for k in ks]] = so_far
        if rank == last:
            break
    sums[[k > rank for k in ks]] = so_far
    return sums.T


def _column(ks: Ks) -> npt.NDArray[np.int64]:
    """(len(ks), 1), so that what is computed with a value of each query has a row for each K."""
    return np.asarray(ks, dtype=np.int64)[:, None]


def _share(part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> Values:
    """`part` ÷ `whole`, 0 where the whole is: a query that needs nothing has gained nothing."""
    share: Values = part / np.where(whole > 0, whole, 1)
    return share
