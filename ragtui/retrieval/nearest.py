"""Exact nearest neighbours in numpy, in blocks, so that memory stays bounded."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ragtui.retrieval.ranking import SCORE_DECIMALS, ranked

Vectors = npt.NDArray[np.float32]
Neighbours = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]

_BLOCK_SCORES = 16_000_000


def unit(vectors: Vectors) -> Vectors:
    """`vectors` (n, d) with length 1, so that their products are cosines; a vector of length 0 stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(vectors / lengths, dtype=np.float32)


class ExactIndex:
    """Finds the passages with the largest product.

    Products are taken in float32. Those near the cut are taken again in float64, rounded and ordered as
    `ranking.ranked` says, so that a list equals that of a computation in float64 throughout.

    Args:
        passages: (m, d), m > 0.
    """

    def __init__(self, passages: Vectors) -> None:
        self._passages = passages
        # A float32 sum of d products is off by at most d half-steps of the product of the lengths.
        longest = float(np.linalg.norm(passages, axis=1).max())
        self._error = longest * passages.shape[1] * float(np.finfo(np.float32).eps) / 2

    def nearest(self, queries: Vectors, depth: int) -> list[Neighbours]:
        """For each of `queries` (n, d): positions and float64 scores of the first `depth`."""
        found: list[Neighbours] = []
        block = max(1, _BLOCK_SCORES // len(self._passages))
        for start in range(0, len(queries), block):
            part = queries[start : start + block]
            for query, scores in zip(part, part @ self._passages.T, strict=True):
                # The rounding of `ranked` can move a score as well.
                slack = self._error * float(np.linalg.norm(query)) + 10.0**-SCORE_DECIMALS
                candidates = _at_least(scores, depth, slack)
                exact = self._passages[candidates].astype(np.float64) @ query.astype(np.float64)
                found.append(ranked(candidates, exact, depth))
        return found


def _at_least(scores: npt.NDArray[np.float32], depth: int, slack: float) -> npt.NDArray[np.int64]:
    """Positions whose score may be among the `depth` largest, where scores are known to within `slack`."""
    if depth >= len(scores):
        return np.arange(len(scores))
    cut = np.partition(scores, len(scores) - depth)[len(scores) - depth]
    return np.flatnonzero(scores >= cut - 2 * slack)
