"""Dense retrieval: exact search over the vectors of one embedder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Literal

import numpy as np

from ragtui.retrieval.embedders import Embedder
from ragtui.retrieval.embedding_cache import EmbeddingCache
from ragtui.retrieval.nearest import ExactIndex, unit
from ragtui.retrieval.ranking import SCORE_DECIMALS
from ragtui.retrieval.retriever import Hits, Indexed

Distance = Literal["cosine", "dot"]


class Dense:
    """Passages by cosine or dot product with the query, exactly.

    A text without a visible character has no vector: such a passage is never returned, and such a query finds
    nothing. Vectors of passages are cached. Those of queries are not, so that latency is real.
    """

    def __init__(self, embedder: Embedder, distance: Distance) -> None:
        self._embedder = embedder
        self._distance = distance
        self._dimension = 0
        self._positions = np.empty(0, dtype=np.int64)
        self._index: ExactIndex | None = None
        self._counts = {"blank_passages": 0, "long_passages": 0, "long_queries": 0}

    def index(self, passages: Sequence[str], indexed: Indexed) -> None:
        """Embed the passages that are not in the cache."""
        # The first request wakes the model, finds a wrong name or key before a corpus is sent, and tells the
        # version that vectors are cached under.
        self._dimension = self._embedder.queries(["?"]).shape[1]
        visible = [position for position, text in enumerate(passages) if text.strip()]
        texts = [passages[position] for position in visible]
        blank = len(passages) - len(texts)
        self._counts["blank_passages"] = blank
        self._counts["long_passages"] = sum(map(self._is_long, texts))
        if not texts:
            return
        facts = self._embedder.facts
        cache = EmbeddingCache(
            (facts.model, facts.version, facts.api_base or "", facts.passage_prefix), self._dimension
        )
        vectors = cache.vectors(
            texts, self._embedder.passages, self._embedder.block, lambda done: indexed(blank + done)
        )
        self._positions = np.asarray(visible, dtype=np.int64)
        self._index = ExactIndex(unit(vectors) if self._distance == "cosine" else vectors)

    def search(self, query: str, depth: int) -> Hits:
        """The `depth` passages nearest to `query`."""
        if self._index is None or not query.strip():
            return Hits(np.empty(0, dtype=np.int64), np.empty(0), {})
        start = perf_counter()
        vector = self._embedder.queries([query])
        embedded = perf_counter()
        if self._distance == "cosine":
            vector = unit(vector)
        ((rows, scores),) = self._index.nearest(vector, depth)
        found = perf_counter()
        self._counts["long_queries"] += self._is_long(query)
        latency = {"embed": (embedded - start) * 1000, "search": (found - embedded) * 1000}
        return Hits(self._positions[rows], scores, latency)

    @property
    def packages(self) -> Sequence[str]:
        """Distributions whose versions can change a list."""
        return self._embedder.facts.packages

    def card(self) -> Mapping[str, Any]:
        """Model, vectors, distance, and how many texts were blank or longer than the model reads at once."""
        facts = self._embedder.facts
        known_lengths = facts.window is not None
        fields: Mapping[str, Any] = {
            "model": facts.model,
            "model_version": facts.version,
            "api_base": facts.api_base,
            "dimension": self._dimension,
            "query_prefix": facts.query_prefix,
            "passage_prefix": facts.passage_prefix,
            "normalised": facts.normalised,
            "distance": self._distance,
            "score_direction": "higher",
            "score_decimals": SCORE_DECIMALS,
            "exact": True,
            "window": facts.window,
            "long_texts": facts.long_texts,
            **{name: n for name, n in self._counts.items() if known_lengths or not name.startswith("long")},
        }
        return {name: value for name, value in fields.items() if value is not None}

    def close(self) -> None:
        """Let go of the model."""
        self._embedder.close()

    def _is_long(self, text: str) -> bool:
        window, tokens = self._embedder.facts.window, self._embedder.tokens(text)
        return window is not None and tokens is not None and tokens > window
