"""The one place where a request is tried again: how often, how long after, and when it is given up."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from ragtui.endpoint import library
from ragtui.endpoint.failures import Failure, failure_of
from ragtui.endpoint.pace import Pace

T = TypeVar("T")

_pause = asyncio.sleep
_clock = time.monotonic


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on after failures that may pass.

    Attributes:
        attempts: requests in all before giving up.
        first_wait: seconds before the second attempt; doubled for each further one, give or take half.
        longest_wait: seconds; a server that asks for more is not waited for.
        silences: timeouts in all before giving up.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0
    silences: int = 5


class Asking:
    """Asks one model with patience. Where the server asks to wait, all requests wait.

    Args:
        model: its litellm name, for messages.
        timeout: seconds for one request, whatever the server does.
        patience: when to try again.
        pace: what every attempt keeps to; the wait for a turn is no part of the timeout.
    """

    def __init__(self, model: str, timeout: float, patience: Patience, pace: Pace | None = None) -> None:
        self._model = model
        self._timeout = timeout
        self._patience = patience
        self._pace = pace or Pace()
        self._closed_until = 0.0

    async def ask(self, request: Callable[[], Awaitable[T]], tokens: int = 0) -> T:
        """The reply to `request`, which is sent anew for every attempt.

        Args:
            request: sends it.
            tokens: estimate of what it takes, for the pace.

        Raises:
            EndpointUnusable: no request can succeed.
            EndpointBusy: the server asks for a wait that is too long.
            RequestFailed: this request failed for good.
        """
        library.litellm()  # here, for its import takes longer than some are willing to wait for a reply
        wait = self._patience.first_wait
        silences = 0
        for attempt in range(1, self._patience.attempts + 1):
            await self._opening()
            await self._pace.turn(tokens)
            try:
                async with asyncio.timeout(self._timeout):
                    return await request()
            except Exception as error:  # noqa: BLE001 - providers raise what they like
                failure = failure_of(error)
            # Here and not in the handler: our error must not carry theirs, whose frames hold the key.
            pause = wait * random.uniform(0.5, 1.5) if failure.retry_after is None else failure.retry_after
            silences += failure.kind == "timeout"
            if (
                not failure.may_pass
                or attempt == self._patience.attempts
                or silences == self._patience.silences
                or pause > self._patience.longest_wait
            ):
                break
            if failure.retry_after is None:
                await _pause(pause)
            else:
                self._closed_until = max(self._closed_until, _clock() + pause)
            wait *= 2
        raise failure.as_error(
            self._model,
            attempt,
            pause,
            library.missing_keys(self._model),
            busy=_is_too_long(failure, self._patience),
        )

    async def _opening(self) -> None:
        """Wait for as long as the server has asked to."""
        while (left := self._closed_until - _clock()) > 0:
            await _pause(left)


def _is_too_long(failure: Failure, patience: Patience) -> bool:
    return failure.retry_after is not None and failure.retry_after > patience.longest_wait
