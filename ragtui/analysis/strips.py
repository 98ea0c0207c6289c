"""Gold by rank in one line: `.3.3?|.1...`, made for the rows that are looked at only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.dataset.model import RankedLists
from ragtui.metrics.matrix import GradeMatrix

RANKS = 10


class Strips:
    """Marks of the first ranks of any query of a table.

    Scored queries are read from the grade matrix; others, and ranks past its width, from list and gold.

    Args:
        query_ids: (n,) ids in order of the table.
        matrix: of the scored queries.
        matrix_rows: (n,) row in the matrix, -1 without.
        gold: of the split; columns query_id, chunk_id, grade, role.
        lists: of the run.
    """

    def __init__(
        self,
        query_ids: npt.NDArray[np.object_],
        matrix: GradeMatrix,
        matrix_rows: npt.NDArray[np.int64],
        gold: pd.DataFrame,
        lists: RankedLists,
    ) -> None:
        self._query_ids = query_ids
        self._matrix = matrix
        self._matrix_rows = matrix_rows
        self._gold = gold
        self._lists = lists
        self._places: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None

    def strip(self, row: int, k: int, ranks: int) -> str:
        """Marks of the first `ranks` ranks of a row, `|` after rank K where that is among them.

        A digit is the grade, `.` grade 0, `+` a grade that is no digit (2.5, or over 9), `?` a result
        without a label, a blank no result. Always equally long, so that strips stand below one another.
        """
        marks = self._marks(row, ranks).ljust(ranks)
        return f"{marks[:k]}|{marks[k:]}" if k <= ranks else marks

    def _marks(self, row: int, ranks: int) -> str:
        at, matrix = int(self._matrix_rows[row]), self._matrix
        if at < 0 or (matrix.width < ranks and int(matrix.lengths[at]) > matrix.width):
            return self._marks_of_list(row, ranks)
        shown = min(int(matrix.lengths[at]), ranks)
        grades, judged = matrix.grades[at, :shown].tolist(), matrix.judged[at, :shown].tolist()
        return "".join(_mark(grade if known else None) for grade, known in zip(grades, judged, strict=True))

    def _marks_of_list(self, row: int, ranks: int) -> str:
        chunks, _ = self._lists.list_of(self._query_ids[row])
        labels = self._labels(row)
        return "".join(_mark(labels.get(chunk)) for chunk in list(dict.fromkeys(chunks))[:ranks])

    def _labels(self, row: int) -> Mapping[str, float]:
        """Grade of every labelled chunk of a query; distractors are grade 0."""
        if self._places is None:
            rows = pd.Index(self._query_ids, dtype=object).get_indexer(
                pd.Index(self._gold["query_id"], dtype=object)
            )
            order = np.argsort(rows, kind="stable")
            self._places = rows[order].astype(np.int64), order.astype(np.int64)
        rows_in_order, order = self._places
        first, last = np.searchsorted(rows_in_order, [row, row + 1])
        gold = self._gold.iloc[order[first:last]]
        grades = gold["grade"].where(gold["role"] != "distractor", 0.0)
        return dict(zip(gold["chunk_id"], grades, strict=True))


def _mark(grade: float | None) -> str:
    if grade is None:
        return "?"
    if grade <= 0:
        return "."
    return str(int(grade)) if grade <= 9 and grade == int(grade) else "+"
