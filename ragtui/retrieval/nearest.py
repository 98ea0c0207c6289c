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


def nearest(queries: Vectors, passages: Vectors, depth: int) -> list[Neighbours]:
    """The `depth` passages with the largest product for each query: positions and float64 scores, best first.

    Products are taken in float32. Those near the cut are then taken again in float64, rounded and ordered as
    `ranking.ranked` says, so that the list equals that of a computation in float64 throughout.

    Args:
        queries: (n, d).
        passages: (m, d), m > 0.
        depth: how many to keep, at least 1.
    """
    found: list[Neighbours] = []
    block = max(1, _BLOCK_SCORES // len(passages))
    longest = float(np.linalg.norm(passages, axis=1).max())
    unit_error = longest * passages.shape[1] * float(np.finfo(np.float32).eps) / 2
    for start in range(0, len(queries), block):
        part = queries[start : start + block]
        scores = part @ passages.T
        for query, row in zip(part, scores, strict=True):
            # a float32 sum of d products is off by at most d half-steps, and rounding moves a score as well
            slack = unit_error * float(np.linalg.norm(query)) + 10.0**-SCORE_DECIMALS
            candidates = _at_least(row, depth, slack)
            exact = passages[candidates].astype(np.float64) @ query.astype(np.float64)
            found.append(ranked(candidates, exact, depth))
    return found


def _at_least(row: npt.NDArray[np.float32], depth: int, slack: float) -> npt.NDArray[np.int64]:
    """Positions whose score may be among the `depth` largest, where scores are known to within `slack`."""
    if depth >= len(row):
        return np.arange(len(row))
    cut = np.partition(row, len(row) - depth)[len(row) - depth]
    return np.flatnonzero(row >= cut - 2 * slack)
