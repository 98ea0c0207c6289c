"""Requests and tokens per minute, with a clock that only moves when something waits."""

from __future__ import annotations

import asyncio

import pytest

from ragtui.endpoint import Patience, label_of, library, pace
from ragtui.endpoint.asking import Asking
from ragtui.endpoint.pace import Pace

TIMEOUT = 0.01


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]

    async def pause(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(pace, "_pause", pause)
    monkeypatch.setattr(pace, "_clock", lambda: now[0])
    return now


def times(limit: Pace, tokens: list[int], clock: list[float]) -> list[float]:
    async def take_turns() -> list[float]:
        passed = []
        for each in tokens:
            await limit.turn(each)
            passed.append(clock[0] - 1000)
        return passed

    return asyncio.run(take_turns())


def test_no_minute_holds_more_requests(clock: list[float]) -> None:
    assert times(Pace(rpm=2), [0] * 5, clock) == [0, 0, 60, 60, 120]


def test_no_minute_holds_more_tokens(clock: list[float]) -> None:
    assert times(Pace(tpm=100), [60, 40, 1, 99], clock) == [0, 0, 60, 60]


def test_a_request_larger_than_a_minute_passes_alone(clock: list[float]) -> None:
    assert times(Pace(tpm=100), [10, 500, 10], clock) == [0, 60, 120]


def test_without_limits_nothing_waits(clock: list[float]) -> None:
    assert times(Pace(), [10**9] * 3, clock) == [0, 0, 0]


def test_a_wait_for_ones_turn_is_no_part_of_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Pace):
        async def turn(self, tokens: int) -> None:
            await asyncio.sleep(2 * TIMEOUT)

    async def answer() -> str:
        return "fine"

    monkeypatch.setattr(library, "litellm", lambda: None)
    asking = Asking("m", TIMEOUT, Patience(attempts=1), Slow())
    assert asyncio.run(asking.ask(answer)) == "fine"


@pytest.mark.parametrize(
    ("api_base", "label"),
    [
        (None, ""),
        ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1"),
        ("https://user:secret@host.example/v1?key=abc#x", "https://host.example/v1"),
        ("host.example:8000/v1?key=abc", "host.example:8000/v1"),
    ],
)
def test_the_label_of_a_server_holds_no_secret(api_base: str | None, label: str) -> None:
    assert label_of(api_base) == label
