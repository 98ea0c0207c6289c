"""Models behind an HTTP endpoint, by their litellm name."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.endpoint import EmbeddingEndpoint, redact
from ragtui.retrieval.embedders.embedder import ModelFacts, Vectors
from ragtui.settings import Settings

_BATCH = 64


class HostedEmbedder:
    """Any embedding model that litellm reaches. Texts are sent as they are, without a prefix."""

    def __init__(self, model: str, settings: Settings) -> None:
        self.block = _BATCH * settings.concurrency
        self._api_base = redact(settings.api_base) if settings.api_base else None
        self._endpoint = EmbeddingEndpoint(
            model,
            api_base=settings.api_base,
            concurrency=settings.concurrency,
            timeout=settings.timeout,
            batch=_BATCH,
        )

    @property
    def facts(self) -> ModelFacts:
        """The version is the name that the server answers with, `unknown` before its first reply."""
        return ModelFacts(
            model=self._endpoint.model,
            version=self._endpoint.answered_as or "unknown",
            normalised=None,
            query_prefix="",
            passage_prefix="",
            window=None,
            long_texts="as the server does",
            packages=("litellm",),
            api_base=self._api_base,
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """As the model returns them."""
        return self._endpoint.embed(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """As the model returns them."""
        return self._endpoint.embed(texts)

    def tokens(self, _text: str) -> None:
        """Only the server knows."""

    def close(self) -> None:
        """Close its connections."""
        self._endpoint.close()
