"""Gold as most tools know it: one grade for each pair of query and chunk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.writing import NO_SPLIT

_PAIR = ["split", "query_id", "chunk_id"]


def one_grade_each(gold: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """One row for each pair of query and chunk, and for how many pairs annotators differed.

    The grade that most annotators gave counts, and the lower one of equally frequent grades, as in all
    metrics.
    """
    judged = pd.DataFrame(
        {
            "pair": gold.groupby(_PAIR, sort=False, dropna=False).ngroup().to_numpy(),
            "grade": gold["grade"].to_numpy(),
            "place": np.arange(len(gold)),
        }
    )
    votes = judged.groupby(["pair", "grade"], sort=False)["place"].agg(["size", "min"]).reset_index()
    differed = int(votes["pair"].duplicated(keep=False).groupby(votes["pair"]).any().sum())
    order = votes.sort_values(["pair", "size", "grade"], ascending=[True, False, True])
    return gold.iloc[order.drop_duplicates("pair")["min"].to_numpy()], differed


def by_split(evaluation: EvaluationSet) -> Iterator[tuple[str, pd.DataFrame]]:
    """Judgments of each split, one for each pair."""
    gold, _ = one_grade_each(evaluation.gold)
    for split, rows in gold.groupby("split", sort=False, dropna=False):
        yield (split if isinstance(split, str) else NO_SPLIT), rows
