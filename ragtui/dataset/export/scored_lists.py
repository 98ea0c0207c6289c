"""Ranked lists for tools that know no order but that of the scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.ids import chosen
from ragtui.dataset.model import RankedLists, Run


class ScoredLists(NamedTuple):
    """Lists whose scores fall with the rank.

    Attributes:
        lists: the lists, each chunk once.
        repeats: how many repeats were left out.
        replaced: whether the scores are places counted from the end, because those of the run say another
            order, or none.
    """

    lists: RankedLists
    repeats: int
    replaced: bool


def scored_lists(run: Run) -> ScoredLists:
    """The final lists of a run with scores that say their order: higher is better, distances are negated."""
    lists = run.lists
    rows = np.repeat(np.arange(len(lists.query_ids)), lists.lengths)
    repeated = pd.DataFrame({"row": rows, "code": lists.codes}).duplicated().to_numpy()
    rows = rows[~repeated]
    scores = lists.scores[~repeated]
    scores = -scores if run.direction == "lower" else scores
    sizes = np.bincount(rows, minlength=len(lists.query_ids))
    replaced = not _fall(scores, rows)
    if replaced:
        ends = np.cumsum(sizes)
        scores = (ends[rows] - np.arange(len(rows))).astype(np.float64)
    kept = RankedLists.of(lists.query_ids, sizes, chosen(lists.chunk_ids, ~repeated), scores)
    return ScoredLists(kept, int(repeated.sum()), replaced)


def _fall(scores: npt.NDArray[np.float64], rows: npt.NDArray[np.intp]) -> bool:
    """Whether no score is higher than the one before it in its list; a list without scores does not fall."""
    if np.isnan(scores).any():
        return False
    return not bool(((np.diff(scores) > 0) & (np.diff(rows) == 0)).any())
