"""The one file that imports litellm: embeddings with timeouts, retries in one place, redaction and silence.

litellm is imported by the first request, never at start-up: it takes seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import threading
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ragtui.errors import RagtuiError
from ragtui.inert import inert

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]

_LONGEST_DETAIL = 300
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SECRET_SHAPE = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w*.-]{6,}"
    r"|\bAIza[\w-]{10,}|\bAKIA[0-9A-Z]{12,}"
    r"|(?<=bearer )[^\s'\"]+|(?<=://)[^/\s@]+(?=@)"
    r"|(?<=api_key=)[^\s&'\"]+|(?<=api-key=)[^\s&'\"]+|(?<=apikey=)[^\s&'\"]+|(?<=[?&]key=)[^\s&'\"]+",
    re.IGNORECASE,
)
_NOBODY_LISTENS = {
    "ClientConnectorError",
    "ClientConnectorDNSError",
    "ConnectError",
    "ConnectionRefusedError",
    "gaierror",
}
_pause = asyncio.sleep


class EndpointError(RagtuiError):
    """A request to a model failed. No key is ever part of the text."""


class EndpointUnusable(EndpointError):
    """Every further request would fail too: no key, unknown model, nobody listens, quota used up."""


class RequestFailed(EndpointError):
    """This request failed; another may succeed."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on after failures that may pass.

    Attributes:
        attempts: requests in all before giving up.
        first_wait: seconds before the second attempt; doubled for each further one, give or take half.
        longest_wait: seconds; a server that asks for more is not waited for.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0


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
        self._patience = patience or Patience()
        self._loop: _LoopThread | None = None

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
            self._loop = _LoopThread()
        return self._loop.run(self._embed_all(texts))

    def close(self) -> None:
        """Close connections and the thread they live in."""
        if self._loop is not None:
            self._loop.run(_close_connections())
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
            reply = await self._ask(list(texts))
        vectors = _vectors_of(reply, len(texts), self.model)
        if self.dimension is None:
            self.dimension = vectors.shape[1]
        elif vectors.shape[1] != self.dimension:
            raise EndpointUnusable(
                "endpoint.dimension-changed", model=self.model, before=self.dimension, now=vectors.shape[1]
            )
        self.answered_as = getattr(reply, "model", None) or self.answered_as
        return vectors

    async def _ask(self, texts: list[str]) -> Any:
        wait = self._patience.first_wait
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return await self._request(texts)
            except Exception as error:  # noqa: BLE001 - providers raise what they like
                failure = _failure_of(error)
            # Here and not in the handler: our error must not carry theirs, whose frames hold the key.
            pause = wait * random.uniform(0.5, 1.5) if failure.retry_after is None else failure.retry_after
            last = attempt == self._patience.attempts or pause > self._patience.longest_wait
            if last or not failure.may_pass:
                break
            await _pause(pause)
            wait *= 2
        raise failure.as_error(self.model, attempt, pause, _missing_keys(self.model))

    async def _request(self, texts: list[str]) -> Any:
        # litellm sends nothing without a key, but a server of one's own may need none.
        stand_in = "none" if self._api_base is not None and _missing_keys(self.model) else None
        return await _litellm().aembedding(
            model=self.model,
            input=texts,
            api_base=self._api_base,
            api_key=stand_in,
            timeout=self._timeout,
            num_retries=0,
            max_retries=0,
        )


def redact(text: str, environ: Mapping[str, str] | None = None) -> str:
    """`text` without keys: neither values of variables named like secrets, nor what has the shape of one."""
    for name, value in (os.environ if environ is None else environ).items():
        if len(value) >= 8 and _SECRET_NAME.search(name):
            text = text.replace(value, "[key]")
    return _SECRET_SHAPE.sub("[key]", text)


@dataclass(frozen=True, slots=True)
class _Failure:
    """What became of one request. `kind` is a key below `endpoint` in the message catalogue."""

    kind: str
    detail: str
    may_pass: bool = False
    retry_after: float | None = None

    def as_error(self, model: str, attempts: int, wait: float, missing_keys: Sequence[str]) -> EndpointError:
        kind = "no-key" if self.kind == "key-refused" and missing_keys else self.kind
        unusable = kind in {"no-key", "key-refused", "unknown-model", "unreachable", "quota"}
        return (EndpointUnusable if unusable else RequestFailed)(
            f"endpoint.{kind}",
            model=inert(model),
            detail=self.detail,
            n=attempts,
            wait=round(wait),
            variables=", ".join(missing_keys),
        )


def _failure_of(error: Exception) -> _Failure:
    text = str(error)
    detail = inert(redact(text)).strip()[:_LONGEST_DETAIL]
    status = getattr(error, "status_code", None) or 0
    names = {type(cause).__name__ for cause in _causes(error)}
    if isinstance(error, TimeoutError) or status == 408 or names & {"Timeout", "APITimeoutError"}:
        return _Failure("timeout", detail, may_pass=True)
    if names & _NOBODY_LISTENS:
        return _Failure("unreachable", detail, may_pass=True)
    if status in (401, 403) or "missing credentials" in text.lower():
        return _Failure("key-refused", detail)
    if status == 404 or "LLM Provider NOT provided" in text or "model_not_found" in text:
        return _Failure("unknown-model", detail)
    if status == 402 or "insufficient_quota" in text:
        return _Failure("quota", detail)
    if status == 429:
        return _Failure("rate-limited", detail, may_pass=True, retry_after=_retry_after(error))
    if status >= 500:
        return _Failure("server-error", detail, may_pass=True, retry_after=_retry_after(error))
    return _Failure("refused", detail)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(20):  # a chain may be a ring
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


def _leaves(group: BaseExceptionGroup[Any]) -> Iterator[BaseException]:
    for error in group.exceptions:
        yield from _leaves(error) if isinstance(error, BaseExceptionGroup) else (error,)


def _retry_after(error: Exception) -> float | None:
    """Seconds that the reply asks to wait, given as a number or as a date (RFC 9110, section 10.2.3)."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


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


class _LoopThread:
    """An event loop in a thread of its own, so that the loop of a notebook or an app is left alone."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ragtui-endpoint", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:  # Ctrl-C above all
            future.cancel()
            raise

    def stop(self) -> None:
        self.run(_end_other_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


async def _end_other_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _close_connections() -> None:
    litellm = _litellm()
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()


def _missing_keys(model: str) -> tuple[str, ...]:
    """Environment variables that litellm looks for with this model and does not find."""
    return tuple(_litellm().validate_environment(model=model).get("missing_keys", ()))


@cache
def _litellm() -> Any:
    """litellm, told to be quiet: no banner, no look-up of prices, no telemetry, no log of requests."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # otherwise it loads the .env file of whatever folder this is
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # `aembedding` takes max_retries=0 for unsaid and then asks three times in silence.
    setattr(litellm, "DEFAULT_MAX_RETRIES", 0)  # noqa: B010 - a constant as far as its types know
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
