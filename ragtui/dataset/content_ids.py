"""Ids for texts that came without one: the same text gets the same id in every file and on every machine.

An id is a prefix and the first 16 hex digits of the SHA-256 of the text in UTF-8, with every run of white
space as one blank and none at the ends. Chunks have the prefix `text-`, queries `query-`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_DIGITS = 16


def squeezed(text: str) -> str:
    """A text as ids and comparisons see it: runs of white space as one blank, none at the ends."""
    return " ".join(text.split())


def chunk_id_of(text: str) -> str:
    """The id of a chunk that has only its text."""
    return f"text-{_digest(text)}"


def query_id_of(text: str) -> str:
    """The id of a query that has only its text."""
    return f"query-{_digest(text)}"


class KnownTexts:
    """Ids by text: a text that has an id somewhere has it everywhere; the first id of a text stays."""

    def __init__(self, known: Iterable[tuple[str, str]] = ()) -> None:
        self._ids: dict[str, str] = {}
        for text, one in known:
            self.learn(text, one)

    def learn(self, text: str, one: str) -> None:
        """Remember the id of a text; a blank text is nobody's."""
        key = squeezed(text)
        if key:
            self._ids.setdefault(key, one)

    def id_of(self, text: str) -> str | None:
        """The id that a text is known by."""
        return self._ids.get(squeezed(text))


def _digest(text: str) -> str:
    return hashlib.sha256(squeezed(text).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
