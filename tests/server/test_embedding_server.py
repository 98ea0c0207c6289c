"""The real litellm against an OpenAI-compatible server of our own on loopback, which does as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.dataset.model import GOLD_COLUMNS, EvaluationSet, Hashes, SetSettings
from ragtui.endpoint import EmbeddingEndpoint, EndpointUnusable, Patience, RequestFailed
from ragtui.retrieval.bench import bench
from ragtui.settings import Settings

pytestmark = pytest.mark.server

KEY = "sk-loopback-0123456789"


@dataclass
class Script:
    """What the server does next: `(status, headers, body)`, and vectors when nothing is left."""

    url: str = ""
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def vectors(texts: list[str]) -> bytes:
    """Counts of a, b and c, the last text first."""
    data = [
        {"object": "embedding", "index": i, "embedding": [text.count(letter) for letter in "abc"]}
        for i, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return json.dumps({"object": "list", "model": "letters-1", "data": data[::-1], "usage": usage}).encode()


def error(status: int, message: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    body = json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode()
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    told = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            told.requests.append(request)
            told.keys.append(self.headers["authorization"])
            answer = told.answers.pop(0) if told.answers else (200, {}, vectors(request["input"]))
            status, headers, body = answer
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Silence."""

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield told
        server.shutdown()
        thread.join()


@pytest.fixture
def letters(script: Script) -> Iterator[EmbeddingEndpoint]:
    endpoint = EmbeddingEndpoint(
        "openai/letters", api_base=script.url, batch=2, timeout=5, patience=Patience(3, 0.001, 2)
    )
    yield endpoint
    endpoint.close()


def test_vectors_in_order_and_nothing_said(
    letters: EmbeddingEndpoint, script: Script, capfd: pytest.CaptureFixture[str]
) -> None:
    found = letters.embed(["a", "bb", "abc", "", "cc"])
    np.testing.assert_array_equal(found, [[1, 0, 0], [0, 2, 0], [1, 1, 1], [0, 0, 0], [0, 0, 2]])
    assert letters.answered_as == "letters-1"
    assert len(script.requests) == 3
    assert {request["model"] for request in script.requests} == {"letters"}
    assert capfd.readouterr() == ("", "")


def test_the_key_of_the_environment_is_sent_and_a_server_without_one_gets_a_stand_in(
    letters: EmbeddingEndpoint, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters.embed(["a"])
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    letters.embed(["a"])
    assert script.keys == ["Bearer none", f"Bearer {KEY}"]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_we_alone_try_again(letters: EmbeddingEndpoint, script: Script, status: int) -> None:
    script.answers = [error(status, "later", retry_after="0"), error(status, "later", retry_after="0")]
    np.testing.assert_array_equal(letters.embed(["a"]), [[1, 0, 0]])
    assert len(script.requests) == 3
    script.answers = [error(status, "later", retry_after="0")] * 3
    with pytest.raises(RequestFailed):
        letters.embed(["a"])
    assert len(script.requests) == 6


def test_a_wait_that_is_too_long_is_reported(letters: EmbeddingEndpoint, script: Script) -> None:
    script.answers = [error(429, "slow down", retry_after="100")]
    with pytest.raises(RequestFailed, match="100 s"):
        letters.embed(["a"])
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), "endpoint.key-refused"),
        (error(404, "The model does not exist"), "endpoint.unknown-model"),
        (error(429, "You exceeded your current quota (insufficient_quota)"), "endpoint.quota"),
    ],
)
def test_what_cannot_pass_is_asked_once_and_says_no_key(
    letters: EmbeddingEndpoint,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    answer: tuple[int, dict[str, str], bytes],
    key: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    script.answers = [answer]
    with pytest.raises(EndpointUnusable) as caught:
        letters.embed(["a"])
    assert caught.value.key == key
    assert len(script.requests) == 1
    assert KEY not in str(caught.value) + "".join(capfd.readouterr()) + caplog.text


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"{not json", "endpoint.server-error"),
        (vectors([]), "endpoint.wrong-count"),
        (vectors(["a", "b"]), "endpoint.wrong-count"),
        (vectors(["a"]).replace(b"[1,", b"[NaN,"), "endpoint.bad-reply"),
    ],
)
def test_an_unusable_reply(letters: EmbeddingEndpoint, script: Script, body: bytes, key: str) -> None:
    script.answers = [(200, {}, body)] * 3
    with pytest.raises(RequestFailed) as caught:
        letters.embed(["a"])
    assert caught.value.key == key


def test_no_server_no_key_no_such_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    once = Patience(1)
    for endpoint, key in [
        (
            EmbeddingEndpoint("openai/m", api_base="http://127.0.0.1:1/v1", patience=once),
            "endpoint.unreachable",
        ),
        (EmbeddingEndpoint("text-embedding-3-small", patience=once), "endpoint.no-key"),
        (EmbeddingEndpoint("no-such-model", patience=once), "endpoint.unknown-model"),
    ]:
        with pytest.raises(EndpointUnusable) as caught:
            endpoint.embed(["a"])
        assert caught.value.key == key
        endpoint.close()


def test_a_bench_run_twice(script: Script) -> None:
    chunks = {"d#1": "aab", "d#2": "b", "d#3": "ccc", "d#4": " "}
    evaluation_set = EvaluationSet(
        path=Path("set"),
        settings=SetSettings(),
        queries=pd.DataFrame({"text": ["ab", "c"]}, index=pd.Index(["q1", "q2"], name="query_id")),
        chunks=pd.DataFrame(
            {"title": "", "text": list(chunks.values()), "doc_id": "d"}, index=pd.Index(chunks)
        ),
        gold=pd.DataFrame(columns=list(GOLD_COLUMNS)),
        query_split=pd.Series(dtype=object),
        runs={},
        given_hashes=Hashes("c", "q", "g"),
    )
    settings = Settings(api_base=script.url)
    first, second = (bench(evaluation_set, "dense", model="openai/letters", settings=settings) for _ in "ab")
    assert first.lists.list_of("q1")[0] == ["d#1", "d#2", "d#3"]
    for query in ("q1", "q2"):
        assert first.lists.list_of(query)[0] == second.lists.list_of(query)[0]
        np.testing.assert_array_equal(first.lists.list_of(query)[1], second.lists.list_of(query)[1])
    assert first.card is not None
    assert first.card.fields["model_version"] == "letters-1"
    assert first.card.fields["command"].startswith(f"RAGTUI_API_BASE={script.url} ragtui bench set ")
    # Two runs: a first word each, the passages once, the queries one by one.
    assert [len(request["input"]) for request in script.requests] == [1, 3, 1, 1, 1, 1, 1]
