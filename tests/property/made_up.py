"""Made-up gold and runs: graded, with ties, gaps, repeats, empty lists and queries that one side lacks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from ragtui.dataset.model import RankedLists
from ragtui.metrics.evaluate import RunResult, evaluate
from ragtui.metrics.found import Convention
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed
from ragtui.metrics.tables import gold_frame

QUERIES = ("q1", "q2", "q10", "问")
CHUNKS = ("a", "b", "B", "c#1", "c#10", "c#2", "é", "块", "😀", "z")
KS = (1, 2, 3, 5, 20)

# 0.5 and its neighbour are one number in float32; the others tie often because they are few.
SCORES = (-1.0, 0.0, 0.25, 0.5, 0.5 + 1e-9, 0.75, 1e30, 7.0)

Gold = dict[str, dict[str, int]]
Lists = dict[str, list[tuple[str, float]]]


@dataclass(frozen=True)
class Case:
    """Gold and a run in the order it came, repeats and all."""

    gold: Gold
    lists: Lists

    def first_places(self) -> dict[str, dict[str, float]]:
        """The run with each repeated chunk at its first place only."""
        cleaned: dict[str, dict[str, float]] = {}
        for query, results in self.lists.items():
            scores = cleaned.setdefault(query, {})
            for chunk, score in results:
                scores.setdefault(chunk, score)
        return cleaned

    def result(self, convention: Convention, level: float = 1.0) -> RunResult:
        """What ragtui makes of it."""
        ranked = RankedLists.from_lists(
            {query: [chunk for chunk, _ in results] for query, results in self.lists.items()},
            {query: [score for _, score in results] for query, results in self.lists.items()},
        )
        ids = np.array([*dict.fromkeys([*self.gold, *self.lists])], dtype=object)
        table = GoldTable.from_frame(gold_frame(self.gold))
        return evaluate(ids, Listed(ranked, table), ks=KS, level=level, convention=convention)


def grades(lowest: int) -> st.SearchStrategy[Gold]:
    """Gold of at least one query, grades from `lowest` to 4."""
    of_query = st.dictionaries(st.sampled_from(CHUNKS), st.integers(lowest, 4), min_size=1)
    return st.dictionaries(st.sampled_from(QUERIES), of_query, min_size=1)


def cases(lowest_grade: int = -1) -> st.SearchStrategy[Case]:
    """Gold with a run."""
    results = st.lists(st.tuples(st.sampled_from(CHUNKS), st.sampled_from(SCORES)), max_size=14)
    runs = st.dictionaries(st.sampled_from(QUERIES), results, min_size=1)
    return st.builds(Case, grades(lowest_grade), runs)
