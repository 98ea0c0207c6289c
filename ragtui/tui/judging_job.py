"""Judging that goes on while a person looks at something else: a thread with an event loop of its own.

Knows no Textual. The thread keeps the latest snapshot and nothing else; whoever draws asks for it as often
as it draws, so thousands of verdicts cost a screen no more than one.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread

from ragtui.errors import RagtuiError
from ragtui.judging.plan import Asker, Plan
from ragtui.judging.progress import Progress
from ragtui.judging.runner import Judging


@dataclass(frozen=True, slots=True)
class Errand:
    """What a job is about.

    Attributes:
        asker: who is asked.
        run: whose lists are judged; None where the judge itself is measured, on its own labelled pairs.
        query_id: the one query that is judged; None for several.
        folder: where verdicts go; None for the state of the set.
    """

    asker: Asker
    run: str | None
    query_id: str | None = None
    folder: Path | None = None


class JudgingJob:
    """Carries out plans one after another.

    Args:
        errand: what it is about.
        plans: what to find out. They are let go of as soon as they are carried out.
        begin: makes the judging of one plan, which tells the watch that it is given of every step.
        ended: called in the thread when all is over.
    """

    def __init__(
        self,
        errand: Errand,
        plans: Sequence[Plan],
        begin: Callable[[Plan, Callable[[Progress], None]], Judging],
        ended: Callable[[JudgingJob], None] = lambda _: None,
    ) -> None:
        self.errand = errand
        self._plans = list(plans)
        self._begin = begin
        self._ended = ended
        self._before = Progress("running", total=sum(map(_total, plans)))
        self._progress = self._before
        self._judging: Judging | None = None
        self._wants_end = False
        self._wants_pause = False
        self._over = Event()
        self._thread = Thread(target=self._work, name="judging", daemon=True)

    @property
    def progress(self) -> Progress:
        """How far it has come, over all plans."""
        return self._progress

    @property
    def is_over(self) -> bool:
        """Whether nothing happens any more."""
        return self._over.is_set()

    @property
    def is_paused(self) -> bool:
        """Whether it waits to be told to go on."""
        return not self.is_over and (self._wants_pause or self._progress.state == "paused")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Until all is over, at most so long; whether it is."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def pause(self) -> None:
        """Ask nothing new."""
        self._wants_pause = True
        if self._judging is not None:
            self._judging.pause()

    def resume(self) -> None:
        """Go on after a pause, whoever wanted it."""
        self._wants_pause = False
        if self._judging is not None:
            self._judging.resume()

    def cancel(self) -> None:
        """Stop now; what was found out is kept."""
        self._wants_end = True
        if self._judging is not None:
            self._judging.cancel()

    def _work(self) -> None:
        # A full collection looks at every object of a large set, and nobody is answered meanwhile. What is
        # there now stays for as long as this takes, so it need not be looked at.
        gc.freeze()
        try:
            while self._plans and not self._wants_end:
                self._carry_out(self._plans.pop(0))
                if self._progress.state != "done":
                    break
            if self._wants_end and self._progress.state == "running":
                self._progress = replace(self._progress, state="cancelled")
        except RagtuiError as error:
            self._progress = replace(self._progress, state="stopped", why=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours ends the job, and not the app
            why = f"{type(error).__name__}: {error}"
            self._progress = replace(self._progress, state="stopped", why=why)
        finally:
            # plans hold every text that was asked about
            self._plans.clear()
            self._judging = None
            gc.unfreeze()
            self._over.set()
            self._ended(self)

    def _carry_out(self, plan: Plan) -> None:
        judging = self._judging = self._begin(plan, self._watch)
        self._before = _sum(self._before, self._watched(judging.run()))
        self._progress = replace(self._before, total=self._progress.total)

    def _watch(self, progress: Progress) -> None:
        self._watched(progress)
        judging = self._judging
        if judging is None:
            return
        # a wish from before there was a loop to tell it to
        if self._wants_end:
            judging.cancel()
        elif self._wants_pause and progress.state == "running":
            judging.pause()

    def _watched(self, progress: Progress) -> Progress:
        self._progress = replace(_sum(self._before, progress), total=self._progress.total)
        return progress


def _total(plan: Plan) -> int:
    return plan.known + sum(map(len, (plan.cached, plan.free, plan.to_ask, plan.too_long)))


def _sum(before: Progress, now: Progress) -> Progress:
    """Two plans as one; the state is that of the later."""
    cost = None if before.cost is None or now.cost is None else before.cost + now.cost
    kinds = dict.fromkeys((*before.failures, *now.failures))
    return replace(
        now,
        done=before.done + now.done,
        calls=before.calls + now.calls,
        cached=before.cached + now.cached,
        failures={kind: before.failures.get(kind, 0) + now.failures.get(kind, 0) for kind in kinds},
        tokens_in=before.tokens_in + now.tokens_in,
        tokens_out=before.tokens_out + now.tokens_out,
        cost=cost,
        seconds=before.seconds + now.seconds,
    )
