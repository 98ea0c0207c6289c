"""How far judging has come, as snapshots that screens and bars draw."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ragtui.judging.model import Verdict

_clock = time.perf_counter

State = Literal["running", "paused", "done", "cancelled", "stopped"]


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot.

    Attributes:
        state: `paused` by a person or by a server that asks for a long wait; `stopped` where going on is
            of no use, or would cost more than allowed.
        why: what paused or stopped it, for people; `""` else.
        total: what has to be found out.
        done: how much of it is found out and on disk, failures included.
        calls: requests that were answered, repetitions included.
        cached: found in the table or in the cache.
        failures: how many of those done have no verdict, by status.
        tokens_in, tokens_out: of the calls, as far as the provider counts.
        cost: of the calls in US dollars; None where a call has no price, and where requests were sent and
            none was answered, for a provider may charge for those too.
        seconds: since the start, pauses left out.
    """

    state: State
    total: int
    done: int = 0
    calls: int = 0
    cached: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    why: str = ""

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    @property
    def rate(self) -> float | None:
        """Calls per second; None before the first."""
        return self.calls / self.seconds if self.calls and self.seconds > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at this rate; None where there is no rate yet."""
        return (self.total - self.done) / self.rate if self.rate else None


class Watch(Protocol):
    """Is told how far judging has come, in the thread that judges; it should return soon."""

    def __call__(self, progress: Progress, /) -> None: ...


@dataclass
class Tally:
    """Counts what happens; nothing of the work itself is kept."""

    total: int
    cached: int
    state: State = "running"
    why: str = ""
    done: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    spent: float = 0.0
    unpriced: int = 0
    unanswered: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _start: float = field(init=False)
    _held_at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._start = _clock()

    def hold(self, why: str) -> None:
        """Nothing new is asked from now on; this time is not counted."""
        self.state, self.why, self._held_at = "paused", why, _clock()

    def go_on(self) -> None:
        """A pause is over."""
        self.state, self.why = "running", ""
        self._skip_pause()

    def stop(self, why: str) -> None:
        """Nothing is asked any more."""
        self.state, self.why = "stopped", why
        self._skip_pause()

    def _skip_pause(self) -> None:
        if self._held_at is not None:
            self._start += _clock() - self._held_at
        self._held_at = None

    def call(self, tokens_in: int | None, tokens_out: int | None, cost: float | None) -> None:
        """One request was answered."""
        self.calls += 1
        self.tokens_in += tokens_in or 0
        self.tokens_out += tokens_out or 0
        self.spent += cost or 0.0
        self.unpriced += cost is None

    def no_answer(self) -> None:
        """One request was given up."""
        self.unanswered += 1

    def settled(self, verdicts: Iterable[Verdict], *, cached: int = 0) -> None:
        """One thing is found out and on disk. Of several verdicts the first that failed names the failure."""
        self.done += 1
        self.cached += cached
        failed = next((verdict.status for verdict in verdicts if verdict.status != "ok"), None)
        if failed is not None:
            self.failures[failed] += 1

    def snapshot(self) -> Progress:
        """The counts of now."""
        return Progress(
            state=self.state,
            total=self.total,
            done=self.done,
            calls=self.calls,
            cached=self.cached,
            failures=dict(self.failures),
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            cost=None if self.unpriced or (self.unanswered and not self.calls) else self.spent,
            seconds=(_clock() if self._held_at is None else self._held_at) - self._start,
            why=self.why,
        )
