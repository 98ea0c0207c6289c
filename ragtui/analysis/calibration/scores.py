"""The score of a query: one number made from the scores of its list, by which it is answered or refused."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.score_names import ScoreName, mean
from ragtui.dataset.model import Direction, RankedLists
from ragtui.errors import RagtuiError
from ragtui.metrics.ranking import Ranking


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of n queries.

    Attributes:
        values: (n,) float64 in the units of the run; NaN where the list is too short to have a score.
        lengths: (n,) how many results each list has, repeats left out.
    """

    values: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.int32]


def scores_of(
    lists: RankedLists, rows: npt.NDArray[np.intp], name: ScoreName, direction: Direction
) -> Scored:
    """Scores of the lists at `rows`, each of which is there; a repeated chunk counts once.

    They are what `ScoreName.of` gives, to the last digit.

    Raises:
        RagtuiError: a score that is needed is missing or not finite.
    """
    ranking = Ranking.of(lists, rows)
    lengths = ranking.lengths.astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    unusable = np.flatnonzero((ranking.position < name.needs) & ~np.isfinite(ranking.score))
    if len(unusable):
        query = lists.query_ids[rows[ranking.row[unusable[0]]]]
        raise RagtuiError("calibration.no-scores", query=query)
    values = np.full(len(rows), np.nan)
    if name.kind == "mean":
        flat = ranking.score.tolist()
        for i, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
            if length:
                values[i] = mean(flat[start : start + min(name.k, length)])
        return Scored(values, ranking.lengths)
    long_enough = np.flatnonzero(lengths >= name.needs)
    first = ranking.score[starts[long_enough]]
    values[long_enough] = first
    if name.kind == "margin":
        second = ranking.score[starts[long_enough] + 1]
        values[long_enough] = second - first if direction == "lower" else first - second
    return Scored(values, ranking.lengths)
