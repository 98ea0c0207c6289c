"""Embeds texts with a hosted model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui.endpoint import library
from ragtui.endpoint.asking import Asking, Patience
from ragtui.endpoint.failures import EndpointError, EndpointUnusable, RequestFailed
from ragtui.endpoint.loop import LoopThread
from ragtui.inert import inert

Vectors = npt.NDArray[np.float32]


class EmbeddingEndpoint:
    """Embeds texts with one hosted model.

    Args:
        model: a litellm model name, such as `openai/text-embedding-3-small`.
        api_base: address of a compatible server, instead of the provider's own.
        concurrency: requests under way at once.
        timeout: seconds for one request.
        batch: texts in one request.
        patience: when to try again.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        concurrency: int = 8,
        timeout: float = 60.0,
        batch: int = 64,
        patience: Patience | None = None,
    ) -> None:
        self.model = model
        self.dimension: int | None = None
        self.answered_as: str | None = None
        self._api_base = api_base
        self._concurrency = concurrency
        self._timeout = timeout
        self._batch = batch
        self._asking = Asking(model, timeout, patience or Patience())
        self._loop: LoopThread | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of `texts`, (n, d) float32 in their order, as the model returns them (not normalised).

        Afterwards `dimension` is d, and `answered_as` the model name of the reply, which may carry a version.

        Raises:
            EndpointUnusable: no request can succeed.
            RequestFailed: a batch failed for good, or its reply was unusable (wrong count, NaN).
        """
        if not texts:
            return np.empty((0, self.dimension or 0), dtype=np.float32)
        if self._loop is None:
            self._loop = LoopThread()
        return self._loop.run(self._embed_all(texts))

    def close(self) -> None:
        """Close connections and the thread they live in."""
        if self._loop is not None:
            self._loop.run(library.close_connections())
            self._loop.stop()
            self._loop = None

    async def _embed_all(self, texts: Sequence[str]) -> Vectors:
        gate = asyncio.Semaphore(self._concurrency)
        failure: BaseException | None = None
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._embed_batch(texts[start : start + self._batch], gate))
                    for start in range(0, len(texts), self._batch)
                ]
        except* EndpointError as failures:
            failure = next(_leaves(failures))
        if failure is not None:
            raise failure
        return np.concatenate([task.result() for task in tasks])

    async def _embed_batch(self, texts: Sequence[str], gate: asyncio.Semaphore) -> Vectors:
        async with gate:
            reply = await self._asking.ask(lambda: self._request(list(texts)))
        vectors = _vectors_of(reply, len(texts), self.model)
        if self.dimension is None:
            self.dimension = vectors.shape[1]
        elif vectors.shape[1] != self.dimension:
            raise EndpointUnusable(
                "endpoint.dimension-changed", model=self.model, before=self.dimension, now=vectors.shape[1]
            )
        self.answered_as = getattr(reply, "model", None) or self.answered_as
        return vectors

    async def _request(self, texts: list[str]) -> Any:
        # litellm sends nothing without a key, but a server of one's own may need none.
        stand_in = "none" if self._api_base is not None and library.missing_keys(self.model) else None
        return await library.litellm().aembedding(
            model=self.model,
            input=texts,
            api_base=self._api_base,
            api_key=stand_in,
            timeout=self._timeout,
            num_retries=0,
            max_retries=0,
        )


def _leaves(group: BaseExceptionGroup[Any]) -> Iterator[BaseException]:
    for error in group.exceptions:
        yield from _leaves(error) if isinstance(error, BaseExceptionGroup) else (error,)


def _vectors_of(reply: Any, count: int, model: str) -> Vectors:
    """(count, d) float32 from a reply in OpenAI's shape, in the order of the texts."""
    data = [item if isinstance(item, Mapping) else dict(item) for item in getattr(reply, "data", None) or ()]
    if len(data) != count:
        raise RequestFailed("endpoint.wrong-count", model=inert(model), sent=count, got=len(data))
    places = [item.get("index") for item in data]
    if set(places) == set(range(count)):
        data = [item for _, item in sorted(zip(places, data, strict=True), key=lambda pair: pair[0] or 0)]
    elif any(place is not None for place in places):
        raise RequestFailed("endpoint.bad-reply", model=inert(model))
    try:
        vectors = np.asarray([item.get("embedding") for item in data], dtype=np.float32)
    except (TypeError, ValueError):
        raise RequestFailed("endpoint.bad-reply", model=inert(model)) from None
    if vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
        raise RequestFailed("endpoint.bad-reply", model=inert(model))
    return vectors
