"""Gets the answer to one piece of work: from the cache, from a question already under way, or by asking."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ragtui.endpoint import Completion, EndpointBusy, RequestFailed
from ragtui.judging.interpret import failed_verdicts, verdicts_from
from ragtui.judging.loops import goes_round
from ragtui.judging.model import Reply, Request, Status, Verdict
from ragtui.judging.pending import PendingReplies
from ragtui.judging.plan import Asker, Work, with_more_room
from ragtui.judging.progress import Tally

_STATUS: Mapping[str, Status] = {"timeout": "timeout", "content-policy": "refused"}
_CODES: Mapping[str, str] = {"timeout": "timeout", "content-policy": "content-filter"}
_ASKED_AGAIN: frozenset[Status] = frozenset({"parse-error", "truncated", "contradiction", "off-scale"})


class Model(Protocol):
    """What answers a request; `CompletionEndpoint` does."""

    async def complete(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        sampling: Mapping[str, Any],
        schema: Mapping[str, Any] | None = None,
        tokens: int = 0,
    ) -> Completion: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one piece of work.

    Attributes:
        verdicts: at least one.
        cached: whether nothing was asked for it.
    """

    verdicts: Sequence[Verdict]
    cached: bool = False


@dataclass(frozen=True, slots=True)
class _Heard:
    """A reply with what it says of the item it was asked about; or a failure instead of one."""

    reply: Reply | None
    verdicts: Sequence[Verdict] = ()
    cached: bool = False
    status: Status = "error"
    code: str = ""
    said: str = ""

    @property
    def kind(self) -> Status:
        """Status of the first verdict that failed, else `ok`."""
        return next((verdict.status for verdict in self.verdicts if verdict.status != "ok"), "ok")


class Answers:
    """Answers to work, asked of a model no more often than needed.

    Args:
        asker: who is asked.
        model: what is asked.
        replies: what was answered before; gets what is understood.
        tally: is told of every call, answered or given up.
    """

    def __init__(self, asker: Asker, model: Model, replies: PendingReplies, tally: Tally) -> None:
        self._asker = asker
        self._model = model
        self._replies = replies
        self._tally = tally
        self._under_way: dict[str, asyncio.Future[_Heard]] = {}

    def of_cached(self, works: Sequence[Work]) -> list[tuple[Work, Answer | None]]:
        """Answers from the cache, read at once; None where an entry turned out to be of no use."""
        replies = self._replies.cache.get_many(work.key for work in works)
        return [(work, self._from_cache(work, replies.get(work.key))) for work in works]

    async def of(self, work: Work) -> Answer:
        """The answer to one piece of work.

        Raises:
            EndpointUnusable: no request can succeed.
            EndpointBusy: the server asks for a wait that is too long.
        """
        under_way = self._under_way.get(work.key)
        if under_way is not None:
            heard = await asyncio.shield(under_way)
            # The question was the same, but the item is another one, and nothing was asked for it.
            if heard.reply is not None:
                heard = replace(self._read(work, heard.reply), cached=True)
            return self._answer(work, heard)
        future: asyncio.Future[_Heard] = asyncio.get_running_loop().create_future()
        self._under_way[work.key] = future
        try:
            heard = await self._heard(work)
        except BaseException as error:
            if not isinstance(error, Exception):
                future.cancel()
            else:
                future.set_exception(error)
                future.exception()  # nobody may be waiting, and that is no fault
            raise
        else:
            future.set_result(heard)
        finally:
            del self._under_way[work.key]
        return self._answer(work, heard)

    def _from_cache(self, work: Work, reply: Reply | None) -> Answer | None:
        heard = None if reply is None else self._read(work, reply)
        return self._answer(work, replace(heard, cached=True)) if heard and heard.kind == "ok" else None

    async def _heard(self, work: Work) -> _Heard:
        stored = self._replies.get(work.key)  # another process may have asked meanwhile
        if stored is not None and (heard := self._read(work, stored)).kind == "ok":
            return replace(heard, cached=True)
        request = self._asker.request(work.item, work.repeat)
        if request is None:
            raise ValueError(f"nothing to ask about {work}")
        try:
            heard = await self._asked(work, request)
        except EndpointBusy:
            raise
        except RequestFailed as error:
            self._tally.no_answer()
            status = _STATUS.get(error.kind, "error")
            return _Heard(None, status=status, code=_CODES.get(error.kind, "endpoint"), said=error.what)
        if heard.reply is not None and heard.kind == "ok":
            self._replies.add(work.key, heard.reply)
        return heard

    async def _asked(self, work: Work, request: Request) -> _Heard:
        """Ask, and once again where the reply was not understood: with more room where it was cut off.

        What was cut off while it went round in a circle would only go on doing so, and is not asked again.
        """
        first = await self._ask(work, request)
        heard = self._read(work, first)
        if heard.kind not in _ASKED_AGAIN or (heard.kind == "truncated" and goes_round(first.text)):
            return heard
        second = await self._ask(work, with_more_room(request) if heard.kind == "truncated" else request)
        both = replace(
            second,
            tokens_in=_sum(first.tokens_in, second.tokens_in),
            tokens_out=_sum(first.tokens_out, second.tokens_out),
            cost=_sum(first.cost, second.cost),
        )
        return self._read(work, both)

    async def _ask(self, work: Work, request: Request) -> Reply:
        completion = await self._model.complete(
            request.messages, sampling=request.sampling, schema=request.schema, tokens=work.tokens
        )
        self._tally.call(completion.tokens_in, completion.tokens_out, completion.cost)
        return Reply(
            text=completion.text,
            finish=completion.finish,
            tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out,
            cost=completion.cost,
            latency_ms=completion.latency_ms,
        )

    def _read(self, work: Work, reply: Reply) -> _Heard:
        """What a reply says of an item."""
        asker = self._asker
        given = verdicts_from(
            asker.judge, work.item, reply, model=asker.model, repeat=work.repeat, digest=work.digest
        )
        return _Heard(reply, given)

    def _answer(self, work: Work, heard: _Heard) -> Answer:
        if heard.reply is None:
            asker = self._asker
            failed = failed_verdicts(
                asker.judge,
                work.item,
                heard.status,
                heard.code,
                model=asker.model,
                repeat=work.repeat,
                raw=heard.said,
                digest=work.digest,
            )
            return Answer(failed)
        if heard.cached:
            return Answer([replace(verdict, cached=True) for verdict in heard.verdicts], cached=True)
        return Answer(heard.verdicts)


def _sum(first: Any, second: Any) -> Any:
    return None if first is None or second is None else first + second
