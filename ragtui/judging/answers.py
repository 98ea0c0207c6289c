"""Gets the answer to one piece of work: from the cache, from a question already under way, or by asking."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ragtui.endpoint import Completion, EndpointBusy, RequestFailed
from ragtui.judging.cache import ReplyCache
from ragtui.judging.interpret import failed_verdicts, verdicts_from
from ragtui.judging.model import Reply, Request, Status, Verdict
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
        reply: to be kept in the cache; None where it was not understood, or came from there.
        cached: whether nothing was asked for it.
    """

    verdicts: Sequence[Verdict]
    reply: Reply | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True)
class _Heard:
    """A reply, or a failure instead of one, before it is about a particular item."""

    reply: Reply | None
    understood: bool = False
    cached: bool = False
    status: Status = "error"
    code: str = ""
    said: str = ""


class Answers:
    """Answers to work, asked of a model no more often than needed.

    Args:
        asker: who is asked.
        model: what is asked.
        cache: what was answered before.
        tally: is told of every call.
    """

    def __init__(self, asker: Asker, model: Model, cache: ReplyCache, tally: Tally) -> None:
        self._asker = asker
        self._model = model
        self._cache = cache
        self._tally = tally
        self._under_way: dict[str, asyncio.Future[_Heard]] = {}

    def of_cached(self, works: Sequence[Work]) -> list[tuple[Work, Answer | None]]:
        """Answers from the cache, read at once; None where an entry turned out to be of no use."""
        replies = self._cache.get_many(work.key for work in works)
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
            return self._answer(work, replace(heard, cached=True))
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
        answer = None if reply is None else self._answer(work, _Heard(reply, cached=True))
        understood = answer is not None and all(verdict.status == "ok" for verdict in answer.verdicts)
        return answer if understood else None

    async def _heard(self, work: Work) -> _Heard:
        reply = self._cache.get(work.key)  # another process may have asked meanwhile
        if self._from_cache(work, reply) is not None:
            return _Heard(reply, cached=True)
        request = self._asker.request(work.item, work.repeat)
        if request is None:
            raise ValueError(f"nothing to ask about {work}")
        try:
            return await self._asked(work, request)
        except EndpointBusy:
            raise
        except RequestFailed as error:
            status = _STATUS.get(error.kind, "error")
            return _Heard(None, status=status, code=_CODES.get(error.kind, "endpoint"), said=error.what)

    async def _asked(self, work: Work, request: Request) -> _Heard:
        """Ask, and once again where the reply was not understood: with more room where it was cut off."""
        first = await self._ask(work, request)
        kind = self._kind(work, first)
        if kind not in _ASKED_AGAIN:
            return _Heard(first, understood=kind == "ok")
        again = with_more_room(request) if kind == "truncated" else request
        second = await self._ask(work, again)
        whole = replace(
            second,
            tokens_in=_sum(first.tokens_in, second.tokens_in),
            tokens_out=_sum(first.tokens_out, second.tokens_out),
            cost=_sum(first.cost, second.cost),
        )
        return _Heard(whole, understood=self._kind(work, second) == "ok")

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

    def _kind(self, work: Work, reply: Reply) -> Status:
        statuses = [verdict.status for verdict in verdicts_from(self._asker.judge, work.item, reply)]
        return next((status for status in statuses if status != "ok"), "ok")

    def _answer(self, work: Work, heard: _Heard) -> Answer:
        """What was heard, as verdicts on this item."""
        judge, model = self._asker.judge, self._asker.model
        if heard.reply is None:
            failed = failed_verdicts(
                judge, work.item, heard.status, heard.code, model=model, repeat=work.repeat, raw=heard.said
            )
            return Answer(failed)
        verdicts = verdicts_from(judge, work.item, heard.reply, model=model, repeat=work.repeat)
        if heard.cached:
            verdicts = [replace(verdict, cached=True) for verdict in verdicts]
        return Answer(verdicts, heard.reply if heard.understood and not heard.cached else None, heard.cached)


def _sum(first: Any, second: Any) -> Any:
    return None if first is None or second is None else first + second
