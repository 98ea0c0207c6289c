"""What judging would take before anything is spent: calls, what is known already, tokens, cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from ragtui.endpoint import ModelFacts
from ragtui.judging.cache import ReplyCache, key_of
from ragtui.judging.items import asks_together
from ragtui.judging.model import Item, Judge, Request
from ragtui.judging.prompts import requests_for
from ragtui.judging.selection import Selected, hashes_of
from ragtui.metrics.tokens import count_tokens

_REPLY_TOKENS = 120
"""Guess of a reply's length where no verdict of this judge with this model is there to learn from."""

_MORE_ROOM = 4
_ROOM = 4096


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is asked: everything besides the item that goes into a request.

    Attributes:
        judge: the judge.
        model: as litellm names it, `""` for rules.
        endpoint: label of the server, `""` for the provider's own.
        language: of the prompt.
    """

    judge: Judge
    model: str = ""
    endpoint: str = ""
    language: str = "en"

    def request(self, item: Item, repeat: int) -> Request | None:
        """What has to be asked about an item; None where nothing has: rules, and items that lack a text."""
        requests = requests_for(
            self.judge,
            item,
            model=self.model,
            endpoint=self.endpoint,
            language=self.language,
            repeat=repeat,
        )
        return requests[0] if requests else None


@dataclass(frozen=True, slots=True)
class Work:
    """One thing that has to be found out.

    Attributes:
        item: what it is about.
        repeat: which asking.
        key: of the request; `""` where no model is asked.
        tokens: of request and reply, estimated.
        digest: `text_hash` of the item.
    """

    item: Item
    repeat: int = 0
    key: str = ""
    tokens: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What judging would take.

    Attributes:
        asker: who is asked.
        known: verdicts that the table holds already, from the same requests.
        cached: replies that the cache holds.
        free: work that needs no model.
        to_ask: calls.
        too_long: what the model's window has no room for; it is not asked.
        window: tokens that the model reads; None where that is not known.
        tokens_in, tokens_out: of all calls, estimated.
        cost: of all calls in US dollars, estimated; None where no price is known.
    """

    asker: Asker
    known: int
    cached: tuple[Work, ...]
    free: tuple[Work, ...]
    to_ask: tuple[Work, ...]
    too_long: tuple[Work, ...]
    window: int | None
    tokens_in: int
    tokens_out: int
    cost: float | None

    @property
    def calls(self) -> int:
        """How many requests would be sent, repetitions after failures not counted."""
        return len({work.key for work in self.to_ask})

    @property
    def cost_of_a_call(self) -> float | None:
        return self.cost / len(self.to_ask) if self.cost is not None and self.to_ask else self.cost


def make_plan(
    asker: Asker,
    selected: Iterable[Selected],
    *,
    table: pd.DataFrame,
    cache: ReplyCache | None,
    facts: Callable[[], ModelFacts],
    repeats: Sequence[int] = (0,),
    only_failed: bool = False,
) -> Plan:
    """Sort what is selected into what is known, what is cached and what has to be asked.

    Args:
        asker: who is asked.
        selected: queries with their items.
        table: verdicts of this judge with this model, columns `lines.COLUMNS`.
        cache: replies; None where no model is asked.
        facts: of the model; asked for only where something has to be asked, for that takes seconds.
        repeats: which askings; 0 is the one that scores are made of.
        only_failed: leave out what has no failure in the table.

    Raises:
        RagtuiError: the judge's library is not there.
    """
    works, known = _open_work(asker, selected, table, repeats, only_failed=only_failed)
    stored = set() if cache is None else cache.holding({work.key for work in works if work.key})
    missing = [work for work in works if work.key and work.key not in stored]
    model = facts() if missing else ModelFacts()
    window = math.inf if model.window is None else model.window
    reply_tokens = _reply_tokens(table)
    sent = {work.key: work.tokens for work in missing if work.tokens <= window}
    tokens_in, tokens_out = sum(sent.values()), reply_tokens * len(sent)
    return Plan(
        asker=asker,
        known=known,
        cached=tuple(work for work in works if work.key in stored),
        free=tuple(work for work in works if not work.key),
        to_ask=tuple(
            replace(work, tokens=work.tokens + reply_tokens) for work in missing if work.key in sent
        ),
        too_long=tuple(work for work in missing if work.key not in sent),
        window=model.window,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=_cost(model, tokens_in, tokens_out),
    )


def _open_work(
    asker: Asker,
    selected: Iterable[Selected],
    table: pd.DataFrame,
    repeats: Sequence[int],
    *,
    only_failed: bool,
) -> tuple[list[Work], int]:
    """What the table does not answer, and how much it does."""
    places = _Places(asker.judge, table)
    works: list[Work] = []
    known = 0
    for item, digest in _items(asker.judge, selected):
        for repeat in repeats:
            if only_failed and not places.failed(item, digest, repeat):
                continue
            request = asker.request(item, repeat)
            key = key_of(request) if request is not None else ""
            if places.answered(item, digest, repeat, key):
                known += 1
            else:
                messages = () if request is None else request.messages
                tokens = sum(count_tokens(text) for _, text in messages)
                works.append(Work(item, repeat, key, tokens, digest))
    return works, known


def _items(judge: Judge, selected: Iterable[Selected]) -> Iterator[tuple[Item, str]]:
    """Each item with the hash of its texts."""
    for query in selected:
        yield from zip(query.items, hashes_of(judge, query), strict=True)


def with_more_room(request: Request) -> Request:
    """The same request, with room for a reply that was cut off."""
    room = request.sampling.get("max_tokens")
    return replace(
        request, sampling={**request.sampling, "max_tokens": int(room) * _MORE_ROOM if room else _ROOM}
    )


class _Places:
    """What the table says of items: which are answered by which request, and which failed."""

    def __init__(self, judge: Judge, table: pd.DataFrame) -> None:
        self._judge = judge
        self._requests: dict[tuple[Any, ...], str] = {}
        self._failed: set[tuple[Any, ...]] = set()
        columns = ["query_id", "chunk_id", "claim", "text_hash", "repeat", "status", "request"]
        for query, chunk, claim, texts, repeat, status, request in table[columns].itertuples(
            index=False, name=None
        ):
            place = (query, *self._part(chunk, claim), texts, repeat)
            if status == "ok":
                self._requests[place] = request
            else:
                self._failed.add(place)

    def answered(self, item: Item, digest: str, repeat: int, key: str) -> bool:
        """Whether all verdicts on the item are there, and from this request."""
        return all(
            self._requests.get(place) == key and place not in self._failed
            for place in self._of(item, digest, repeat)
        )

    def failed(self, item: Item, digest: str, repeat: int) -> bool:
        return any(place in self._failed for place in self._of(item, digest, repeat))

    def _of(self, item: Item, digest: str, repeat: int) -> list[tuple[Any, ...]]:
        together = asks_together(self._judge)
        chunks = [chunk_id for chunk_id, _ in item.contexts] if together else [item.chunk_id]
        return [(item.query_id, *self._part(chunk, item.claim or None), digest, repeat) for chunk in chunks]

    def _part(self, chunk: str | None, claim: str | None) -> tuple[str | None, str | None]:
        """Statements of a reply on a reference are not known before it: all of them are one place."""
        return (None, None) if self._judge.unit == "reference" else (chunk, claim)


def _reply_tokens(table: pd.DataFrame) -> int:
    """Mean length of the replies that are there, else a guess."""
    seen = table["tokens_out"]
    seen = seen[seen > 0]
    return round(float(seen.mean())) if len(seen) else _REPLY_TOKENS


def _cost(facts: ModelFacts, tokens_in: int, tokens_out: int) -> float | None:
    if not tokens_in:
        return 0.0
    if facts.price_in is None or facts.price_out is None:
        return None
    return tokens_in * facts.price_in + tokens_out * facts.price_out
