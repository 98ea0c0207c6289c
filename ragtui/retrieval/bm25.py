"""BM25 over words: Lucene's variant, by bm25s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from ragtui.retrieval.ranking import SCORE_DECIMALS, ranked
from ragtui.retrieval.retriever import Hits, Indexed
from ragtui.retrieval.words import WORDS_CARD, search_terms


class Bm25:
    """BM25: for each term of the query, idf · tf ÷ (tf + k1 · (1 - b + b · length ÷ mean length)), summed.

    idf is ln(1 + (N - df + 0.5) ÷ (df + 0.5)). Source: the variant called Lucene (accurate) in Kamphuis, de
    Vries, Boytsov and Lin, "Which BM25 do you mean?", ECIR 2020. A term that stands twice in a query counts
    twice. Passages without a term of the query are not returned, so lists may be shorter than asked for.
    """

    def __init__(self, k1: float = 1.5, b: float = 0.75) -> None:
        self._k1 = k1
        self._b = b
        self._index: Any = None

    def index(self, passages: Sequence[str], indexed: Indexed) -> None:
        """Cut every passage into terms and weigh them."""
        import bm25s

        terms = []
        for done, passage in enumerate(passages, start=1):
            terms.append(search_terms(passage))
            indexed(done)
        if not any(terms):
            return
        self._index = bm25s.BM25(k1=self._k1, b=self._b, method="lucene", dtype="float64", backend="numpy")
        self._index.index(terms, show_progress=False)

    def search(self, query: str, depth: int) -> Hits:
        """The best `depth` passages that share a term with `query`; none for a query without words."""
        start = perf_counter()
        terms = search_terms(query)
        scores = self._index.get_scores(terms) if self._index is not None and terms else np.empty(0)
        matching = np.flatnonzero(scores > 0)
        positions, best = ranked(matching, scores[matching], depth)
        return Hits(positions, best, {"search": (perf_counter() - start) * 1000})

    @property
    def packages(self) -> Sequence[str]:
        """Distributions whose versions can change a list."""
        return ("bm25s", "rjieba")

    def card(self) -> Mapping[str, Any]:
        """How it scores and what it returns."""
        return {
            "method": "lucene",
            "k1": self._k1,
            "b": self._b,
            "tokenizer": WORDS_CARD,
            "score_direction": "higher",
            "score_decimals": SCORE_DECIMALS,
            "exact": True,
            "returns": "passages that share a term with the query",
        }

    def close(self) -> None:
        """Nothing is held open."""
