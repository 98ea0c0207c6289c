"""The endpoint against a litellm that is told what to answer. `tests/server` meets the real one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ragtui.endpoint import (
    EmbeddingEndpoint,
    EndpointUnusable,
    Patience,
    RequestFailed,
    asking,
    library,
    redact,
)

KEY = "very-secret-0123456789"


class Refusal(Exception):
    """What litellm raises: a status, headers of the response, and a text that may hold anything."""

    def __init__(self, status: int, text: str = "no", **headers: str) -> None:
        super().__init__(text)
        self.status_code = status
        self.response = SimpleNamespace(headers={name.replace("_", "-"): v for name, v in headers.items()})


class FakeLitellm:
    """Answers [length of the text, 1] for each text, unless `script` holds something else."""

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.missing: list[str] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.closed = 0
        self.in_memory_llm_clients_cache = SimpleNamespace(flush_cache=lambda: None)

    async def aembedding(self, **request: Any) -> Any:
        self.requests.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        for _ in range(5):
            await asyncio.sleep(0)
        self.in_flight -= 1
        answer = self.script.pop(0) if self.script else None
        if isinstance(answer, Exception):
            raise answer
        return reply(answer or [[len(text), 1] for text in request["input"]])

    def validate_environment(self, model: str) -> dict[str, Any]:
        return {"missing_keys": self.missing}

    async def close_litellm_async_clients(self) -> None:
        self.closed += 1


def reply(vectors: Any, indices: list[Any] | None = None) -> Any:
    places = range(len(vectors)) if indices is None else indices
    items = [{"index": place, "embedding": vector} for place, vector in zip(places, vectors, strict=True)]
    return SimpleNamespace(model="m-2024", data=items[::-1])


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> FakeLitellm:
    fake = FakeLitellm()
    monkeypatch.setattr(library, "litellm", lambda: fake)
    return fake


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asking, "_pause", pause)
    monkeypatch.setattr(asking, "_clock", lambda: sum(waited))
    return waited


@pytest.fixture
def model(litellm: FakeLitellm, pauses: list[float]) -> Iterator[Callable[..., EmbeddingEndpoint]]:
    made: list[EmbeddingEndpoint] = []

    def make(**options: Any) -> EmbeddingEndpoint:
        made.append(EmbeddingEndpoint("openai/m", **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_vectors_come_in_the_order_of_the_texts(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    embedder = model(batch=2, api_base="http://h/v1", timeout=7)
    vectors = embedder.embed(["a", "bb", "ccc", "dddd", "eeeee"])
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]])
    assert (embedder.dimension, embedder.answered_as) == (2, "m-2024")
    assert sorted(len(request["input"]) for request in litellm.requests) == [1, 2, 2]
    for request in litellm.requests:
        assert request["api_base"] == "http://h/v1"
        assert (request["timeout"], request["num_retries"], request["max_retries"]) == (7, 0, 0)


def test_no_texts_need_no_request(model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm) -> None:
    assert model().embed([]).shape == (0, 0)
    assert litellm.requests == []


def test_no_more_requests_at_once_than_allowed(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    model(batch=1, concurrency=3).embed([str(i) for i in range(20)])
    assert litellm.most_in_flight == 3


def test_it_works_inside_a_running_loop(model: Callable[..., EmbeddingEndpoint]) -> None:
    async def notebook_cell() -> Any:
        return model().embed(["abc"])

    np.testing.assert_array_equal(asyncio.run(notebook_cell()), [[3, 1]])


@pytest.mark.parametrize("passing", [Refusal(500), Refusal(503), Refusal(429), Refusal(408), TimeoutError()])
def test_what_may_pass_is_tried_again(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm, pauses: list[float], passing: Exception
) -> None:
    litellm.script = [passing, passing]
    np.testing.assert_array_equal(model(patience=Patience(5, 1.0, 60)).embed(["abc"]), [[3, 1]])
    first, second = pauses
    assert 0.5 <= first <= 1.5
    assert 1.0 <= second <= 3.0


@pytest.mark.parametrize(
    ("failure", "key", "kind"),
    [
        (Refusal(500), "endpoint.server-error", RequestFailed),
        (Refusal(429), "endpoint.rate-limited", RequestFailed),
        (TimeoutError(), "endpoint.timeout", RequestFailed),
        (ConnectionRefusedError("nobody"), "endpoint.unreachable", EndpointUnusable),
    ],
)
def test_patience_ends(
    model: Callable[..., EmbeddingEndpoint],
    litellm: FakeLitellm,
    failure: Exception,
    key: str,
    kind: type[Exception],
) -> None:
    litellm.script = [failure] * 9
    with pytest.raises(kind) as caught:
        model(patience=Patience(attempts=3)).embed(["a"])
    assert getattr(caught.value, "key", "") == key
    assert len(litellm.requests) == 3


@pytest.mark.parametrize(
    ("failure", "key", "kind"),
    [
        (Refusal(401), "endpoint.key-refused", EndpointUnusable),
        (Refusal(403), "endpoint.key-refused", EndpointUnusable),
        (Refusal(404), "endpoint.unknown-model", EndpointUnusable),
        (Refusal(400, "LLM Provider NOT provided"), "endpoint.unknown-model", EndpointUnusable),
        (Refusal(429, "'code': 'insufficient_quota'"), "endpoint.quota", EndpointUnusable),
        (Refusal(402), "endpoint.quota", EndpointUnusable),
        (Refusal(400, "input too long"), "endpoint.refused", RequestFailed),
        (KeyError("from inside a provider"), "endpoint.refused", RequestFailed),
    ],
)
def test_what_cannot_pass_is_asked_once(
    model: Callable[..., EmbeddingEndpoint],
    litellm: FakeLitellm,
    failure: Exception,
    key: str,
    kind: type[Exception],
) -> None:
    litellm.script = [failure]
    with pytest.raises(kind) as caught:
        model().embed(["a"])
    assert getattr(caught.value, "key", "") == key
    assert len(litellm.requests) == 1


def test_retry_after_is_honoured_in_seconds_and_as_a_date(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm, pauses: list[float]
) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    litellm.script = [Refusal(429, retry_after="17"), Refusal(503, retry_after=soon)]
    model().embed(["a"])
    assert pauses[0] == 17
    assert 25 < pauses[1] <= 30


def test_an_unreadable_retry_after_is_as_good_as_none(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm, pauses: list[float]
) -> None:
    litellm.script = [Refusal(429, retry_after="soon")]
    model(patience=Patience(first_wait=1.0)).embed(["a"])
    assert 0.5 <= pauses[0] <= 1.5


def test_a_retry_after_that_is_too_long_is_not_waited_for(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm, pauses: list[float]
) -> None:
    litellm.script = [Refusal(429, retry_after="3600")]
    with pytest.raises(RequestFailed, match="3600 s"):
        model(patience=Patience(longest_wait=60)).embed(["a"])
    assert pauses == []


def test_a_missing_key_names_the_variables_that_were_looked_for(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    litellm.missing = ["SOME_API_KEY", "OTHER_API_KEY"]
    litellm.script = [Refusal(500, "Missing credentials. Please pass an api_key")]
    with pytest.raises(EndpointUnusable) as caught:
        model().embed(["a"])
    assert caught.value.key == "endpoint.no-key"
    assert "SOME_API_KEY, OTHER_API_KEY" in caught.value.what


def test_a_server_of_ones_own_needs_no_key(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    litellm.missing = ["SOME_API_KEY"]
    model(api_base="http://h/v1").embed(["a"])
    model().embed(["a"])
    assert [request["api_key"] for request in litellm.requests] == ["none", None]


@pytest.mark.parametrize(
    ("vectors", "indices", "key"),
    [
        ([[1.0]], None, "endpoint.wrong-count"),
        ([[1.0], [2.0], [3.0]], None, "endpoint.wrong-count"),
        ([[1.0], [float("nan")]], None, "endpoint.bad-reply"),
        ([[1.0], [float("inf")]], None, "endpoint.bad-reply"),
        ([[1.0], ["x"]], None, "endpoint.bad-reply"),
        ([[1.0], None], None, "endpoint.bad-reply"),
        ([[1.0], [1.0, 2.0]], None, "endpoint.bad-reply"),
        ([[], []], None, "endpoint.bad-reply"),
        (["AACAPw==", "AAAAQA=="], None, "endpoint.bad-reply"),
        ([[1.0], [2.0]], [0, 0], "endpoint.bad-reply"),
        ([[1.0], [2.0]], [1, 2], "endpoint.bad-reply"),
        ([[1.0], [2.0]], ["a", "b"], "endpoint.bad-reply"),
    ],
)
def test_an_unusable_reply_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    model: Callable[..., EmbeddingEndpoint],
    litellm: FakeLitellm,
    vectors: Any,
    indices: list[Any] | None,
    key: str,
) -> None:
    async def answer(**_request: Any) -> Any:
        return reply(vectors, indices)

    monkeypatch.setattr(litellm, "aembedding", answer)
    with pytest.raises(RequestFailed) as caught:
        model().embed(["a", "b"])
    assert caught.value.key == key


def test_a_dimension_that_changes_is_an_error(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    embedder = model()
    embedder.embed(["a"])
    litellm.script = [[[1.0, 2.0, 3.0]]]
    with pytest.raises(EndpointUnusable) as caught:
        embedder.embed(["b"])
    assert caught.value.key == "endpoint.dimension-changed"
    assert "3" in caught.value.what


def test_no_key_is_in_the_error_or_in_the_frames_of_its_traceback(
    monkeypatch: pytest.MonkeyPatch, model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)
    litellm.script = [Refusal(401, f"Incorrect API key provided: {KEY}, also sk-abcdefgh1234")]
    with pytest.raises(EndpointUnusable) as caught:
        model().embed(["a"])
    shown = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert "[key]" in caught.value.what
    for secret in (KEY, "sk-abcdefgh1234"):
        assert secret not in str(caught.value)
        assert secret not in shown
    assert caught.value.__context__ is None


def test_an_error_text_is_short_and_inert(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    litellm.script = [Refusal(400, "\x1b[31mred {0} " + "x" * 100_000)]
    with pytest.raises(RequestFailed) as caught:
        model().embed(["a"])
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("key sk-proj-abc123DEF456 refused", "key [key] refused"),
        ("Incorrect API key provided: sk-abcd1***wxyz.", "Incorrect API key provided: [key]"),
        ("Authorization: Bearer eyJhbGciOi.J9", "Authorization: Bearer [key]"),
        ("http://user:pass@host/v1", "http://[key]@host/v1"),
        ("https://h/v1?key=AbC123&x=1", "https://h/v1?key=[key]&x=1"),
        ("api_key=0123 next", "api_key=[key] next"),
        ("AIzaSyA1234567890abcdef", "[key]"),
        (f"it was {KEY}!", "it was [key]!"),
        ("a plain sentence about keys and tokens", "a plain sentence about keys and tokens"),
    ],
)
def test_redact(text: str, clean: str) -> None:
    assert redact(text, {"MY_TOKEN": KEY, "HOME": "a plain sentence", "EMPTY_KEY": ""}) == clean


def test_closing_twice_and_closing_unused_are_fine(
    model: Callable[..., EmbeddingEndpoint], litellm: FakeLitellm
) -> None:
    unused = model()
    unused.close()
    used = model()
    used.embed(["a"])
    used.close()
    used.close()
    assert litellm.closed == 1
    np.testing.assert_array_equal(used.embed(["ab"]), [[2, 1]])


def test_importing_it_does_not_import_litellm() -> None:
    code = "import sys, ragtui.endpoint; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_warnings_over_types_of_litellm_fail_no_request_and_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "_imported", SimpleNamespace)
    with warnings.catch_warnings():
        sizes = []
        for _ in range(2):  # as if the filters had been given back between
            warnings.simplefilter("error")
            library.litellm()
            library.litellm()
            warnings.warn("Item 'index' is using the `ReadOnly` qualifier. Pydantic will", stacklevel=1)
            with pytest.raises(UserWarning, match="ours"):
                warnings.warn("ours", stacklevel=1)
            sizes.append(len(warnings.filters))
        assert sizes[0] == sizes[1]
