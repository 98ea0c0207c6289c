"""Judging over a server that takes half a second: how long, and what it costs this process a call.

Run it as `python benchmarks/judging_calls.py` on a machine that does nothing else. A scripted server on
loopback, in a process of its own, answers every request after 0.5 s. Ours is a run of `Judging` with the
judge context-precision, everything included: prompts of ragas, litellm, replies parsed, each verdict synced
to its file before the next question, replies in the cache. Every round judges new texts.

- One query with five contexts: ours, and `ContextPrecision.ascore` of ragas's collections. Wall seconds.
- Twenty queries with five contexts each, at most 16 requests in flight: ours; ragas with 16 `ascore` at a
  time, which is how its users limit it, since an `ascore` asks one request after another; ragas with all
  twenty at once over a client that lets 16 requests through, which leaves it the least to lose; and the
  ceiling: a bare aiohttp client that sends the same 100 bodies, 16 at a time, and does nothing with the
  replies. Wall seconds.
- CPU seconds of this process a call: ours, and a bare `litellm.acompletion` of the same requests.

litellm knows no price of the model, as of every model on a server of one's own. We tell it so, and it stops
searching; the peers use another name, which nobody has told it of.

Medians of five rounds in which all take turns, after one that is not counted.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
from scripted_server import serving

from ragtui.endpoint import CompletionEndpoint, ModelFacts
from ragtui.endpoint.library import litellm
from ragtui.judging import table
from ragtui.judging.cache import open_cache
from ragtui.judging.folder import load_judges
from ragtui.judging.model import Item
from ragtui.judging.plan import Asker, Plan, make_plan
from ragtui.judging.runner import Judging
from ragtui.judging.selection import Selected

LATENCY, IN_FLIGHT, ROUNDS = 0.5, 16, 5
QUERIES, CONTEXTS = 20, 5
MODEL, OF_PEERS, KEY = "openai/scripted", "openai/scripted-too", "sk-nothing"
PASSAGE = "The municipal library moved into the old brewery in May 1998, after two years of building. " * 4

Side = Callable[[], Awaitable[None]]
Gate = AbstractAsyncContextManager[None]


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of one round."""

    wall: float
    cpu: float


class Sides:
    """Everything that is measured, over texts that are new in every round."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.cache = open_cache(folder / "replies")
        self.judge = load_judges()["context-precision"]
        self.asker = Asker(self.judge, MODEL, url)
        self.round = count()

    def plan(self, queries: int) -> Plan:
        """Judging of texts that nobody has judged."""
        number = next(self.round)
        selected = []
        for n in range(queries):
            name = f"{number}-{n}"
            items = tuple(
                Item(
                    name, f"When was library {name} opened?", f"c{c}", f"{c}: {PASSAGE}", "It opened in 1998."
                )
                for c in range(CONTEXTS)
            )
            selected.append(Selected(name, "judged", tuple(item.chunk_id for item in items), items))
        known = table.read([self.folder], self.judge, MODEL).frame
        return make_plan(self.asker, selected, table=known, cache=self.cache, facts=ModelFacts)

    def ours(self, queries: int) -> Took:
        """A run of judging."""
        plan = self.plan(queries)
        model = CompletionEndpoint(MODEL, api_base=self.url, concurrency=IN_FLIGHT)
        judging = Judging(plan, self.folder, model=model, cache=self.cache, concurrency=IN_FLIGHT)
        start = time.perf_counter(), time.process_time()
        progress = judging.run()
        took = Took(time.perf_counter() - start[0], time.process_time() - start[1])
        if (progress.calls, progress.failed) != (queries * CONTEXTS, 0):
            raise ValueError(progress)
        return took

    def of_ragas(self, queries: int) -> Took:
        """16 `ascore` at a time."""
        return self._of_ragas(queries, of_scores=asyncio.Semaphore(IN_FLIGHT), of_requests=nullcontext())

    def of_ragas_by_request(self, queries: int) -> Took:
        """`ascore` of every query at once; the client lets 16 requests through."""
        return self._of_ragas(queries, of_scores=nullcontext(), of_requests=asyncio.Semaphore(IN_FLIGHT))

    def _of_ragas(self, queries: int, of_scores: Gate, of_requests: Gate) -> Took:
        import instructor
        from ragas.llms.base import llm_factory
        from ragas.metrics.collections import ContextPrecision

        async def limited(**arguments: Any) -> Any:
            async with of_requests:
                return await litellm().acompletion(
                    **arguments, api_base=self.url, api_key=KEY, num_retries=0, max_retries=0
                )

        client = instructor.from_litellm(limited, mode=instructor.Mode.JSON_SCHEMA)
        llm = llm_factory(OF_PEERS, provider="litellm", client=client, adapter="litellm")
        metric = ContextPrecision(llm=llm)
        items = [work.item for work in self.plan(queries).to_ask]
        asked = [items[at : at + CONTEXTS] for at in range(0, len(items), CONTEXTS)]

        async def score_of(of_query: list[Item]) -> Any:
            async with of_scores:
                return await metric.ascore(
                    user_input=of_query[0].query,
                    reference=of_query[0].reference,
                    retrieved_contexts=[item.context for item in of_query],
                )

        async def all_of_them() -> None:
            scores = await asyncio.gather(*(score_of(of_query) for of_query in asked))
            if any(score.value < 0.99 for score in scores):
                raise ValueError(scores)

        return timed(all_of_them)

    def bare_litellm(self, queries: int) -> Took:
        """The same messages through litellm, and nothing done with the replies."""

        async def one(body: dict[str, Any]) -> None:
            await litellm().acompletion(
                **{**body, "model": OF_PEERS}, api_base=self.url, api_key=KEY, num_retries=0, max_retries=0
            )

        bodies = self.bodies(queries)
        return timed(lambda: sixteen_at_a_time([lambda b=body: one(b) for body in bodies]))

    def ceiling(self, queries: int) -> Took:
        """The same bodies through aiohttp."""
        bodies = self.bodies(queries)

        async def all_of_them() -> None:
            async with aiohttp.ClientSession() as session:

                async def one(body: dict[str, Any]) -> None:
                    async with session.post(f"{self.url}/chat/completions", json=body) as reply:
                        await reply.read()

                await sixteen_at_a_time([lambda b=body: one(b) for body in bodies])

        return timed(all_of_them)

    def bodies(self, queries: int) -> list[dict[str, Any]]:
        """What is sent."""
        found = []
        for work in self.plan(queries).to_ask:
            request = self.asker.request(work.item, 0)
            if request is None:
                raise ValueError(work)
            messages = [{"role": role, "content": content} for role, content in request.messages]
            schema = {"name": "verdict", "schema": dict(request.schema or {})}
            shape = {"type": "json_schema", "json_schema": schema}
            found.append({"model": MODEL, "messages": messages, "response_format": shape, **request.sampling})
        return found


async def sixteen_at_a_time(work: list[Side]) -> None:
    """All of the work, at most 16 pieces at once."""
    rest = iter(work)

    async def worker() -> None:
        for piece in rest:
            await piece()

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


def timed(work: Side) -> Took:
    """Wall and CPU seconds of the work in a loop of its own."""

    async def run() -> Took:
        start = time.perf_counter(), time.process_time()
        await work()
        took = Took(time.perf_counter() - start[0], time.process_time() - start[1])
        await litellm().close_litellm_async_clients()
        litellm().in_memory_llm_clients_cache.flush_cache()
        return took

    return asyncio.run(run())


def rounds(*sides: Callable[[int], Took], queries: int) -> list[list[Took]]:
    """Seconds of each side by round."""
    for side in sides:
        side(queries)
    return [[side(queries) for side in sides] for _ in range(ROUNDS)]


def median(values: list[float]) -> float:
    """Middle one."""
    return statistics.median(values)


def main() -> None:
    """Print ours, the peer, the ratio and the bar of each claim."""
    os.environ["OPENAI_API_KEY"] = KEY
    with tempfile.TemporaryDirectory() as folder, serving(LATENCY) as url:
        sides = Sides(url, Path(folder))
        one = rounds(sides.ours, sides.of_ragas, queries=1)
        ours, ragas = (median([took[i].wall for took in one]) for i in (0, 1))
        print(f"one query, 5 contexts: {ours:.2f} s, ragas {ragas:.2f} s, {ragas / ours:.1f} × as fast")
        print(f"  in replies of {LATENCY} s: {ours / LATENCY:.2f}, bar < 2 (ragas {ragas / LATENCY:.2f})")

        many = rounds(
            sides.ours,
            sides.of_ragas,
            sides.ceiling,
            sides.bare_litellm,
            sides.of_ragas_by_request,
            queries=QUERIES,
        )
        calls = QUERIES * CONTEXTS
        ours, ragas, ceiling, bare = (median([took[i].wall for took in many]) for i in range(4))
        faster = median([took[1].wall / took[0].wall for took in many])
        of_ceiling = median([took[2].wall / took[0].wall for took in many])
        print(f"{calls} calls, {IN_FLIGHT} in flight: {ours:.2f} s, ragas {ragas:.2f} s")
        print(f"  {faster:.2f} × as fast, bar ≥ 1.3 ×")
        by_request = median([took[4].wall / took[0].wall for took in many])
        most = median([took[4].wall / took[2].wall for took in many])
        print(f"  ragas limited by request: {by_request:.2f} × as fast, and {most:.2f} at the ceiling")
        print(
            f"  {calls / ours:.1f} calls/s, ceiling {calls / ceiling:.1f}, {of_ceiling:.0%} of it, bar ≥ 90 %"
            f" (bare litellm {calls / bare:.1f})"
        )
        cpu, of_litellm = (1000 * median([took[i].cpu for took in many]) / calls for i in (0, 3))
        ratio = median([took[0].cpu / took[3].cpu for took in many])
        print(f"  CPU a call: {cpu:.1f} ms, bare litellm {of_litellm:.1f} ms, {ratio:.2f}, bar ≤ 1.1")
        sides.cache.close()


if __name__ == "__main__":
    main()
