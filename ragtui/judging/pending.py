"""Replies on their way to the cache: known at once, written in batches beside everything else.

The verdict line is what a call must not be lost for, and whoever asked waits for that one alone. The cache
follows within a tenth of a second; a reply that is not there yet is served from here.
"""

from __future__ import annotations

import asyncio

from ragtui.judging.cache import ReplyCache
from ragtui.judging.model import Reply

_GATHERING = 0.1
"""Seconds in which replies gather: a commit takes a sync of the disk, whatever it holds."""


class PendingReplies:
    """A cache with the replies in front of it that it does not hold yet. It belongs to one event loop.

    Args:
        cache: where replies go.
        model: whose they are.
    """

    def __init__(self, cache: ReplyCache, model: str) -> None:
        self.cache = cache
        self._model = model
        self._replies: dict[str, Reply] = {}
        self._some = asyncio.Event()

    def get(self, key: str) -> Reply | None:
        """The reply under a key, on disk or not; None where there is none."""
        return self._replies.get(key) or self.cache.get(key)

    def add(self, key: str, reply: Reply) -> None:
        """Take a reply; it is on disk soon."""
        self._replies[key] = reply
        self._some.set()

    async def write(self) -> None:
        """Write what comes in, until cancelled.

        Raises:
            RagtuiError: the disk is full or the folder cannot be written any more.
        """
        while True:
            await self._some.wait()
            await asyncio.sleep(_GATHERING)
            self._some.clear()
            batch = dict(self._replies)
            await asyncio.to_thread(self._put, batch)
            for key in batch:
                del self._replies[key]

    def write_rest(self) -> None:
        """Write what is left, when nothing else runs any more.

        Raises:
            RagtuiError: as `write`.
        """
        self._put(self._replies)
        self._replies.clear()

    def _put(self, replies: dict[str, Reply]) -> None:
        self.cache.put_many({key: (self._model, reply) for key, reply in replies.items()})
