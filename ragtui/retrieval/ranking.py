"""The one order in which ragtui's own retrievers return results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SCORE_DECIMALS = 6


def ranked(
    positions: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], depth: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """First `depth` results by score descending, ties in the order of the corpus.

    Scores are rounded to `SCORE_DECIMALS` before they are compared: the last bits of a sum depend on the
    machine, and a list that another machine cannot reproduce is no evidence.

    Args:
        positions: (c,) places in the corpus, each once, in any order.
        scores: (c,) their scores, higher is better.
        depth: how many to keep.

    Returns:
        Positions and rounded scores, at most `depth` of each.
    """
    rounded = np.round(scores, SCORE_DECIMALS) + 0.0  # turns -0.0 into 0.0
    order = np.lexsort((positions, -rounded))[:depth]
    return positions[order], rounded[order]
