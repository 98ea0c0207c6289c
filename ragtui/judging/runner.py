"""Carries out a plan: many questions at once, each verdict on disk before it counts, stopped at any time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ragtui.endpoint import EndpointBusy, EndpointUnusable
from ragtui.errors import RagtuiError
from ragtui.judging import table
from ragtui.judging.answers import Answer, Answers, Model
from ragtui.judging.cache import ReplyCache
from ragtui.judging.interpret import failed_verdicts, verdicts_from
from ragtui.judging.model import Verdict
from ragtui.judging.pending import PendingReplies
from ragtui.judging.plan import Plan, Work
from ragtui.judging.progress import Progress, Tally, Watch
from ragtui.messages import t

_BATCH = 500


@dataclass(frozen=True, slots=True)
class _Result:
    """An answer on its way to the disk. `kept` is set once it is there."""

    work: Work
    answer: Answer
    kept: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Judging:
    """One run of a plan. `run` works in the thread that calls it; the other methods may be called from any.

    Args:
        plan: what to find out.
        folder: `verdicts` of the state of the set.
        model: what is asked; None where the plan asks nothing.
        cache: replies; None where the plan asks nothing.
        concurrency: questions under way at once.
        max_cost: US dollars that are not exceeded, as far as estimates hold; None for no limit.
        watch: is told of every step.

    Raises:
        RagtuiError: a limit of cost was given, and no price is known.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        *,
        model: Model | None = None,
        cache: ReplyCache | None = None,
        concurrency: int = 8,
        max_cost: float | None = None,
        watch: Watch = lambda _: None,
    ) -> None:
        if max_cost is not None and plan.to_ask and plan.cost is None:
            raise RagtuiError("judging.no-price", model=plan.asker.model)
        self._plan = plan
        self._folder = folder
        self._model = model
        self._cache = cache
        self._concurrency = concurrency
        self._max_cost = max_cost
        self._watch = watch
        work = len(plan.cached) + len(plan.free) + len(plan.to_ask) + len(plan.too_long)
        self._tally = Tally(total=work + plan.known, cached=plan.known, done=plan.known)
        self._todo: deque[Work] = deque()
        self._reserved = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        return self._tally.snapshot()

    def run(self) -> Progress:
        """Judge until all is done, or until it is cancelled or stopped; what was found out is on disk.

        Raises:
            RagtuiError: verdicts or replies cannot be written.
            KeyboardInterrupt: Ctrl-C; what was found out is on disk all the same.
        """
        try:
            asyncio.run(self._run())
        except KeyboardInterrupt:
            self._tally.state = "cancelled"
            raise
        return self._tell()

    def pause(self) -> None:
        """Ask nothing new; what is under way is waited for."""
        self._from_outside(self._hold, "")

    def resume(self) -> None:
        """Go on after a pause."""
        self._from_outside(self._go_on)

    def cancel(self) -> None:
        """Stop now. Questions under way are dropped, and asked again by the next run."""
        self._from_outside(self._end)

    def _from_outside(self, step: object, *arguments: object) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(step, *arguments)  # type: ignore[arg-type]

    def _hold(self, why: str) -> None:
        if self._tally.state == "running":
            self._tally.hold(why)
            self._gate.clear()
            self._tell()

    def _go_on(self) -> None:
        if self._tally.state == "paused":
            self._tally.go_on()
            self._gate.set()
            self._tell()

    def _stop(self, why: str) -> None:
        if self._tally.state in {"running", "paused"}:
            self._tally.stop(why)
        self._gate.set()

    def _end(self) -> None:
        if self._tally.state in {"running", "paused"} and self._task is not None:
            self._tally.state = "cancelled"
            self._task.cancel()

    def _tell(self) -> Progress:
        progress = self._tally.snapshot()
        self._watch(progress)
        return progress

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._judge())
        try:
            await self._task
        except asyncio.CancelledError:
            if self._tally.state != "cancelled":  # Ctrl-C, and not `cancel`
                raise
        except BaseExceptionGroup as failures:
            raise next(_leaves(failures)) from None

    async def _judge(self) -> None:
        self._gate = asyncio.Event()
        self._gate.set()
        self._results: asyncio.Queue[_Result] = asyncio.Queue()
        self._tell()
        await self._settle_what_is_free()
        if self._model is None or self._cache is None:
            self._finish()
            return
        replies = PendingReplies(self._cache, self._plan.asker.model)
        answers = Answers(self._plan.asker, self._model, replies, self._tally)
        await self._settle_what_is_cached(answers)
        self._todo.extend(self._plan.to_ask)
        keeper = asyncio.create_task(self._keep())
        try:
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(replies.write())
                group.create_task(self._ask_all(answers, writing))
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
            self._keep_now([self._results.get_nowait() for _ in range(self._results.qsize())])
            await self._model.close()
            replies.write_rest()
        self._finish()

    async def _ask_all(self, answers: Answers, writing: asyncio.Task[None]) -> None:
        """Ask with as many at once as allowed; then nothing more comes in to be written."""
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._concurrency, len(self._todo))):
                group.create_task(self._ask(answers))
        writing.cancel()

    def _finish(self) -> None:
        if self._tally.state == "running":
            self._tally.state = "done"

    async def _settle_what_is_free(self) -> None:
        """Rules, what lacks a text, and what the model has no room for."""
        for works in _batches((*self._plan.free, *self._plan.too_long)):
            await self._gate.wait()
            await self._settle_at_once([(work, Answer(self._unasked(work))) for work in works])

    async def _settle_what_is_cached(self, answers: Answers) -> None:
        for works in _batches(self._plan.cached):
            await self._gate.wait()
            found = await asyncio.to_thread(answers.of_cached, works)
            self._todo.extend(work for work, answer in found if answer is None)
            await self._settle_at_once([(work, answer) for work, answer in found if answer is not None])

    async def _settle_at_once(self, found: Sequence[tuple[Work, Answer]]) -> None:
        """Keep what needed no question. What lacks a text says so anew each time, and is not kept."""
        asker = self._plan.asker
        rows = [
            (work.key, answer.verdicts)
            for work, answer in found
            if work.key or answer.verdicts[0].status == "ok"
        ]
        await asyncio.to_thread(table.append, self._folder, asker.judge, asker.model, rows)
        for _, answer in found:
            self._tally.settled(answer.verdicts, cached=int(answer.cached))
        self._tell()

    def _unasked(self, work: Work) -> Sequence[Verdict]:
        asker = self._plan.asker
        if not work.key:
            return verdicts_from(
                asker.judge, work.item, None, model=asker.model, repeat=work.repeat, digest=work.digest
            )
        code = f"too-long {work.tokens} {self._plan.window}"
        return failed_verdicts(
            asker.judge,
            work.item,
            "skipped",
            code,
            model=asker.model,
            repeat=work.repeat,
            digest=work.digest,
        )

    async def _ask(self, answers: Answers) -> None:
        """Ask one after another, for as long as there is something to ask and nothing speaks against it."""
        while True:
            await self._gate.wait()
            if not self._todo or self._tally.state == "stopped":
                return
            if self._is_spent():
                self._stop(t("judging.max-cost", limit=f"{self._max_cost:g}"))
                return
            work = self._todo.popleft()
            price = self._plan.cost_of_a_call or 0.0
            self._reserved += price
            try:
                answer = await answers.of(work)
            except EndpointBusy as error:
                self._todo.appendleft(work)
                self._hold(str(error))
                continue
            except EndpointUnusable as error:
                self._stop(str(error))
                return
            finally:
                self._reserved -= price
            result = _Result(work, answer)
            self._results.put_nowait(result)
            await result.kept

    def _is_spent(self) -> bool:
        """Whether one more call might cost more than allowed, together with those under way."""
        price = self._plan.cost_of_a_call
        if self._max_cost is None or price is None:
            return False
        spent = self._tally.spent + self._tally.unpriced * price
        return spent + self._reserved + price > self._max_cost

    async def _keep(self) -> None:
        """Write what has come in since the last time, all of it at once, until cancelled."""
        while True:
            results = [await self._results.get()]
            results += [self._results.get_nowait() for _ in range(self._results.qsize())]
            writing = asyncio.ensure_future(asyncio.to_thread(self._write, results))
            try:
                await asyncio.wait([writing])
            except asyncio.CancelledError:
                await asyncio.wait([writing])
                self._settled(results, writing.exception())
                raise
            self._settled(results, writing.exception())

    def _keep_now(self, results: Sequence[_Result]) -> None:
        """Write what came in last, when nothing else runs any more."""
        try:
            self._write(results)
        except RagtuiError as error:
            self._settled(results, error)
        else:
            self._settled(results, None)

    def _write(self, results: Sequence[_Result]) -> None:
        rows = [(result.work.key, result.answer.verdicts) for result in results]
        table.append(self._folder, self._plan.asker.judge, self._plan.asker.model, rows)

    def _settled(self, results: Sequence[_Result], error: BaseException | None) -> None:
        for result in results:
            if error is None:
                self._tally.settled(result.answer.verdicts, cached=int(result.answer.cached))
            if result.kept.done():
                continue
            if error is None:
                result.kept.set_result(None)
            else:
                result.kept.set_exception(error)
        if results and error is None:
            self._tell()


def _batches(works: Sequence[Work]) -> Iterator[list[Work]]:
    rest = iter(works)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
