"""Finds out in a thread what a screen wants to know; of wishes meanwhile only the latest is followed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from textual.screen import Screen
from textual.worker import Worker

from ragtui.errors import RagtuiError

Wish = TypeVar("Wish")
Found = TypeVar("Found")


class Latest(Generic[Wish, Found]):
    """One question at a time.

    Args:
        screen: whose workers find out; with it they end.
        find: finds out, in a thread.
        take: is given what was found, or why it was not, unless something else is wanted by then.
    """

    def __init__(
        self,
        screen: Screen[Any],
        find: Callable[[Wish], Found],
        take: Callable[[Wish, Found | RagtuiError], None],
    ) -> None:
        self._screen = screen
        self._find = find
        self._take = take
        self._wanted: Wish | None = None
        self._is_busy = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being found out."""
        return self._wanted is not None

    def want(self, wish: Wish | None) -> None:
        """Find this out; None for nothing any more."""
        self._wanted = wish
        if wish is not None and not self._is_busy:
            self._is_busy = True
            _: Worker[None] = self._screen.run_worker(self._find_out, exit_on_error=True)

    async def _find_out(self) -> None:
        try:
            while (wanted := self._wanted) is not None:
                found: Found | RagtuiError
                try:
                    found = await asyncio.to_thread(self._find, wanted)
                except RagtuiError as error:
                    found = error
                if self._wanted is wanted:
                    self._wanted = None
                    self._take(wanted, found)
        finally:
            self._is_busy = False
