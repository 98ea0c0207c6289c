"""Counts of judging, with a clock that is told the time."""

from __future__ import annotations

import pytest

from ragtui.judging import progress
from ragtui.judging.progress import Tally


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set."""
    now = [100.0]
    monkeypatch.setattr(progress, "_clock", lambda: now[0])
    return now


def test_pauses_are_no_part_of_rate_and_rest(clock: list[float]) -> None:
    tally = Tally(total=30, cached=0)
    for _ in range(10):
        tally.call(1, 1, None)
        tally.settled([])
    clock[0] += 5
    assert (tally.snapshot().rate, tally.snapshot().left) == (2.0, 10.0)
    tally.hold("lunch")
    clock[0] += 3600
    assert (tally.snapshot().seconds, tally.snapshot().rate, tally.snapshot().why) == (5.0, 2.0, "lunch")
    tally.go_on()
    clock[0] += 5
    assert (tally.snapshot().seconds, tally.snapshot().rate) == (10.0, 1.0)
    tally.hold("")
    clock[0] += 60
    tally.stop("no more")
    assert (tally.snapshot().seconds, tally.snapshot().state) == (10.0, "stopped")


def test_before_the_first_call_there_is_no_rate(clock: list[float]) -> None:
    tally = Tally(total=3, cached=0)
    clock[0] += 5
    assert (tally.snapshot().rate, tally.snapshot().left, tally.snapshot().cost) == (None, None, 0.0)
