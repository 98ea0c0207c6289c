"""Asks a hosted model, or a compatible server, one question at a time and many at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from ragtui.endpoint import library
from ragtui.endpoint.asking import Asking, Patience
from ragtui.endpoint.failures import RequestFailed
from ragtui.endpoint.pace import Pace
from ragtui.inert import inert

Messages = Sequence[tuple[str, str]]

_PATIENCE = Patience(silences=2)


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back.

    Attributes:
        text: the reply, `""` where there was none beside reasoning or a tool call.
        finish: `stop`, `length` (cut off), `content_filter`, or what the provider says.
        tokens_in, tokens_out: None where the provider does not count.
        cost: US dollars; None where no price is known.
        latency_ms: of the request that was answered, waits before it left out.
    """

    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    latency_ms: float


class CompletionEndpoint:
    """One hosted model. It belongs to the event loop that first asks it, and ends with it.

    Args:
        model: a litellm model name, such as `openai/gpt-4o-mini`.
        api_base: address of a compatible server, instead of the provider's own.
        concurrency: requests under way at once.
        timeout: seconds for one request, whatever the server does.
        rpm, tpm: requests and tokens per minute that are not exceeded; None for no limit.
        patience: when to try again; its `longest_wait` is the longest Retry-After that is waited for.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        concurrency: int = 8,
        timeout: float = 60.0,
        rpm: int | None = None,
        tpm: int | None = None,
        patience: Patience = _PATIENCE,
    ) -> None:
        self.model = model
        self._api_base = api_base
        self._asking = Asking(model, timeout, patience, Pace(rpm, tpm))
        self._gate = asyncio.Semaphore(concurrency)
        self._takes_schema: bool | None = None
        self._asked = False

    @property
    def facts(self) -> library.ModelFacts:
        """Window, prices and abilities, as far as they are known."""
        return library.facts_of(self.model)

    async def complete(
        self,
        messages: Messages,
        *,
        sampling: Mapping[str, Any],
        schema: Mapping[str, Any] | None = None,
        tokens: int = 0,
    ) -> Completion:
        """Ask once, with patience.

        Args:
            messages: role and content, in order.
            sampling: temperature, max_tokens, seed … What the provider does not know is left out.
            schema: JSON Schema of the reply. A model that cannot be held to one is asked without; the
                messages must say then what the reply should look like.
            tokens: estimate of what the request and its reply take, for `tpm`.

        Raises:
            EndpointUnusable: no request can succeed.
            EndpointBusy: the server asks for a wait that is too long.
            RequestFailed: this request failed for good.
        """
        async with self._gate:
            if schema is not None and self._may_take_schema():
                try:
                    return await self._ask(messages, {**sampling, **_held_to(schema)}, tokens)
                except RequestFailed as error:
                    if error.kind != "refused" or self._takes_schema:
                        raise
                completion = await self._ask(messages, sampling, tokens)
                self._takes_schema = False
                return completion
            return await self._ask(messages, sampling, tokens)

    async def close(self) -> None:
        """Close connections, where there are any; in the loop that asked."""
        if self._asked:
            await library.close_connections()

    @cached_property
    def _stand_in(self) -> str | None:
        """A key for a server of one's own that may need none: litellm sends nothing without."""
        return "none" if self._api_base is not None and library.missing_keys(self.model) else None

    def _may_take_schema(self) -> bool:
        """Whether to try. A server of one's own is tried whatever the name of its model says."""
        if self._takes_schema is None and self._api_base is None and self.facts.takes_schema is False:
            self._takes_schema = False
        return self._takes_schema is not False

    async def _ask(self, messages: Messages, parameters: Mapping[str, Any], tokens: int) -> Completion:
        self._asked = True
        took = 0.0

        async def request() -> Any:
            nonlocal took
            start = time.perf_counter()
            reply = await self._request(messages, parameters)
            took = time.perf_counter() - start
            return reply

        completion = _completion_of(await self._asking.ask(request, tokens), self.model, took * 1000)
        if "response_format" in parameters:
            self._takes_schema = True
        return completion

    async def _request(self, messages: Messages, parameters: Mapping[str, Any]) -> Any:
        library.know(self.model)
        return await library.litellm().acompletion(
            model=self.model,
            messages=[{"role": role, "content": content} for role, content in messages],
            api_base=self._api_base,
            api_key=self._stand_in,
            drop_params=True,
            num_retries=0,
            max_retries=0,
            **parameters,
        )


def label_of(api_base: str | None) -> str:
    """Address of a server without user, password, query and fragment; `""` for None."""
    if not api_base:
        return ""
    parts = urlsplit(api_base if "://" in api_base else f"//{api_base}")
    host = parts.netloc.rpartition("@")[2]
    scheme = f"{parts.scheme}://" if parts.scheme else ""
    return f"{scheme}{host}{parts.path}".rstrip("/")


def _held_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "schema": dict(schema)}}
    }


def _completion_of(reply: Any, model: str, latency_ms: float) -> Completion:
    """The first choice of a reply in OpenAI's shape."""
    choice = next(iter(getattr(reply, "choices", None) or ()), None)
    message = getattr(choice, "message", None)
    if message is None:
        raise RequestFailed("endpoint.no-choice", model=inert(model))
    usage = getattr(reply, "usage", None)
    text = getattr(message, "content", None)
    return Completion(
        text=text if isinstance(text, str) else "",
        finish=str(getattr(choice, "finish_reason", None) or "stop"),
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
        cost=_cost(reply),
        latency_ms=latency_ms,
    )


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value > 0 else None


def _cost(reply: Any) -> float | None:
    """What litellm computed from its prices. It says 0 where it has none, and 0 is never said for unknown."""
    cost = getattr(reply, "_hidden_params", {}).get("response_cost")
    return float(cost) if isinstance(cost, int | float) and cost > 0 else None
