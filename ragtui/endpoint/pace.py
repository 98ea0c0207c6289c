"""Requests and tokens per minute, kept to before a request is sent."""

from __future__ import annotations

import asyncio
import time
from collections import deque

_MINUTE = 60.0
_pause = asyncio.sleep
_clock = time.monotonic


class Pace:
    """Lets requests through so that no minute holds more of them, or of their tokens, than allowed.

    A request that is larger than a whole minute's tokens passes once nothing else was sent for a minute.

    Args:
        rpm: requests in any minute; None for no limit.
        tpm: tokens in any minute, as estimated by who asks; None for no limit.
    """

    def __init__(self, rpm: int | None = None, tpm: int | None = None) -> None:
        self._rpm = rpm
        self._tpm = tpm
        self._sent: deque[tuple[float, int]] = deque()
        self._tokens = 0
        self._turn = asyncio.Lock()

    async def turn(self, tokens: int) -> None:
        """Wait until a request of `tokens` may be sent, in the order in which it was asked for."""
        if self._rpm is None and self._tpm is None:
            return
        async with self._turn:
            while self._is_full(tokens):
                await _pause(max(0.0, self._sent[0][0] + _MINUTE - _clock()))
                self._forget()
            self._sent.append((_clock(), tokens))
            self._tokens += tokens

    def _is_full(self, tokens: int) -> bool:
        self._forget()
        if not self._sent:
            return False
        too_many = self._rpm is not None and len(self._sent) >= self._rpm
        return too_many or (self._tpm is not None and self._tokens + tokens > self._tpm)

    def _forget(self) -> None:
        while self._sent and self._sent[0][0] + _MINUTE <= _clock():
            self._tokens -= self._sent.popleft()[1]
