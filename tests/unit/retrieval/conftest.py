"""A small set, and an embedder whose vectors can be computed by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.dataset.model import GOLD_COLUMNS, EvaluationSet, Hashes, SetSettings
from ragtui.errors import RagtuiError
from ragtui.retrieval.embedders.embedder import ModelFacts, Vectors

MakeSet = Callable[..., EvaluationSet]


class LetterEmbedder:
    """Counts the letters a, b and c. Texts of more than nine letters are long; `bad` queries fail."""

    block = 2

    def __init__(self, bad: Mapping[str, RagtuiError] | None = None) -> None:
        self.bad = bad or {}
        self.passages_asked: list[str] = []
        self.closed = False
        self.facts = ModelFacts(
            model="org/letters",
            version="1",
            normalised=False,
            query_prefix="q: ",
            passage_prefix="p: ",
            window=9,
            long_texts="cut",
            packages=("numpy",),
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if text in self.bad:
                raise self.bad[text]
        return self._count(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.passages_asked += texts
        return self._count(texts)

    def tokens(self, text: str) -> int:
        return len(text)

    def close(self) -> None:
        self.closed = True

    def _count(self, texts: Sequence[str]) -> Vectors:
        return np.asarray([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)


@pytest.fixture
def make_set() -> MakeSet:
    def make(chunks: Mapping[str, str], queries: Mapping[str, str], titles: Any = "") -> EvaluationSet:
        documents = [chunk.split("#")[0] for chunk in chunks]
        return EvaluationSet(
            path=Path("some folder/set"),
            settings=SetSettings(),
            queries=pd.DataFrame({"text": list(queries.values())}, index=pd.Index(queries, name="query_id")),
            chunks=pd.DataFrame(
                {"title": titles, "text": list(chunks.values()), "doc_id": documents},
                index=pd.Index(chunks, name="chunk_id"),
            ),
            gold=pd.DataFrame(columns=list(GOLD_COLUMNS)),
            query_split=pd.Series(dtype=object),
            runs={},
            given_hashes=Hashes("c" * 64, "q" * 64, "g" * 64),
        )

    return make
