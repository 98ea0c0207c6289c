"""Two sides measured in turn, so that whatever else the machine does meets both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Sides:
    """Medians over the rounds: CPU seconds of ours and of the peer, and of ours ÷ peer's in each round."""

    ours: float
    peer: float
    ratio: float


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds that `work` takes, all threads of this process together."""
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turn(ours: Callable[[], object], peer: Callable[[], object], rounds: int = ROUNDS) -> Sides:
    """Run both once unmeasured, then in turn, `rounds` times each."""
    ours(), peer()
    pairs = [(cpu_seconds(ours), cpu_seconds(peer)) for _ in range(rounds)]
    return Sides(
        ours=statistics.median(a for a, _ in pairs),
        peer=statistics.median(b for _, b in pairs),
        ratio=statistics.median(a / b for a, b in pairs),
    )
