"""One function per metric: a whole grade matrix in, the metric of every query at every K out.

Each takes the matrix and cut-offs K in any order (`WHOLE` for the whole list) and returns (n, len(ks))
float64. NaN says that the metric does not apply to the query; such a query is left out of the mean.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ragtui.metrics.matrix import GradeMatrix

Ks = tuple[int, ...]
Values = npt.NDArray[np.float64]
_T = TypeVar("_T", bound=np.generic)

# A cut-off that no list reaches: the metric of the whole list.
WHOLE = 2**31 - 1


def hit(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 if any of the first K is relevant, else 0. trec_eval's `success`."""
    return (matrix.first_rank[:, None] <= np.asarray(ks)).astype(np.float64)


def hit_strict(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 if any of the first K has the top grade of the scale; NaN for queries without such gold."""
    found = _at(np.cumsum(matrix.grades >= matrix.top_grade, axis=1, dtype=np.int32), ks) > 0
    return np.where(matrix.has_top[:, None], found, np.nan)


def hit_lenient(matrix: GradeMatrix, ks: Ks) -> Values:
    """`hit` of the queries that `hit_strict` counts, so that the two are means over the same queries."""
    return np.where(matrix.has_top[:, None], hit(matrix, ks), np.nan)


def recall(matrix: GradeMatrix, ks: Ks) -> Values:
    """Relevant chunks in the first K ÷ relevant chunks in gold."""
    return _share(_at(matrix.relevant_so_far, ks), matrix.relevant_count[:, None])


def precision(matrix: GradeMatrix, ks: Ks) -> Values:
    """Relevant chunks in the first K ÷ K, however short the list is."""
    return _at(matrix.relevant_so_far, ks) / np.asarray(ks, dtype=np.float64)


def mrr(matrix: GradeMatrix, ks: Ks) -> Values:
    """1 ÷ rank of the first relevant chunk, 0 where there is none in the first K; its mean is MRR."""
    return np.where(hit(matrix, ks) > 0, 1 / matrix.first_rank[:, None], 0.0)


def average_precision(matrix: GradeMatrix, ks: Ks) -> Values:
    """Sum of precision@i over the relevant ranks i ≤ K ÷ min(R, K), ÷ R for trec; its mean is MAP."""
    precision_here = matrix.relevant_so_far / np.arange(1, matrix.width + 1)
    total = _at(np.cumsum(np.where(matrix.relevant, precision_here, 0.0), axis=1), ks)
    most = matrix.relevant_count[:, None]
    return _share(total, most if matrix.convention == "trec" else np.minimum(most, np.asarray(ks)))


def ndcg(matrix: GradeMatrix, ks: Ks) -> Values:
    """Discounted gain of the first K ÷ that of the best order of all gold.

    Gain is 2^g − 1 (Burges et al. 2005), g itself for trec (Järvelin and Kekäläinen 2002); the discount is
    log2(i + 1). The level plays no part: every positive grade gains.
    """
    # Both sums run over ranks one after another, so a perfect list has the very sum of the ideal one: exactly
    # 1.
    share = _share(_discounted(matrix, matrix.grades, ks), _discounted(matrix, matrix.ideal, ks))
    return np.minimum(share, 1.0)


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
    so_far: Values = np.cumsum(matrix.tokens, axis=1)
    return _at(so_far, ks)


def groups_got(matrix: GradeMatrix, ks: Ks) -> npt.NDArray[np.int32]:
    """(n, len(ks)) int32, evidence groups with a relevant member in the first K."""
    return _at(np.cumsum(matrix.new_group, axis=1, dtype=np.int32), ks)


def _discounted(matrix: GradeMatrix, grades: Values, ks: Ks) -> Values:
    gain = grades if matrix.convention == "trec" else np.exp2(grades) - 1
    return _at(np.cumsum(gain / np.log2(np.arange(2, grades.shape[1] + 2)), axis=1), ks)


def _share_of_returned(matrix: GradeMatrix, marked: npt.NDArray[np.bool_], ks: Ks) -> Values:
    returned = np.minimum(matrix.lengths[:, None], np.asarray(ks))
    counted = _at(np.cumsum(marked, axis=1, dtype=np.int32), ks)
    return np.where(returned > 0, counted / np.maximum(returned, 1), np.nan)


def _at(so_far: npt.NDArray[_T], ks: Ks) -> npt.NDArray[_T]:
    """Columns of running sums at the cut-offs; beyond the last rank a sum stays what it is."""
    return so_far[:, np.minimum(ks, so_far.shape[1]) - 1]


def _share(part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> Values:
    """`part` ÷ `whole`, 0 where the whole is: a query that needs nothing has gained nothing."""
    whole = np.broadcast_to(whole, part.shape)
    share: Values = np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)
    return share
