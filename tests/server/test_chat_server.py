"""Completions by the real litellm against a scripted server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ragtui.endpoint import CompletionEndpoint, EndpointBusy, EndpointUnusable, Patience, RequestFailed
from ragtui.endpoint.completions import Completion
from tests.server.chat_server import Answer, ChatServer, serving

pytestmark = pytest.mark.server

KEY = "sk-loopback-0123456789"
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "integer"}}}
MESSAGES = (("system", "judge"), ("user", "酒店上限？"))


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving() as server:
        yield server


def ask(chat: ChatServer, times: int = 1, schema: Any = None, **options: Any) -> list[Completion]:
    async def all_at_once() -> list[Completion]:
        endpoint = CompletionEndpoint(
            "openai/scripted",
            api_base=chat.url,
            **{"timeout": 20, "patience": Patience(3, 0.001, 2), **options},
        )
        try:
            asking = [
                endpoint.complete(MESSAGES, sampling={"temperature": 0}, schema=schema) for _ in range(times)
            ]
            return await asyncio.gather(*asking)
        finally:
            await endpoint.close()

    return asyncio.run(all_at_once())


def test_a_reply_with_its_tokens_and_no_price_that_nobody_knows(
    chat: ChatServer, capfd: pytest.CaptureFixture[str]
) -> None:
    chat.script = [Answer('{"verdict": 1}')]
    (reply,) = ask(chat)
    assert (reply.text, reply.finish) == ('{"verdict": 1}', "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (100, 10, None)
    assert reply.latency_ms > 0
    assert chat.requests[0]["messages"] == [
        {"role": "system", "content": "judge"},
        {"role": "user", "content": "酒店上限？"},
    ]
    assert chat.requests[0]["temperature"] == 0
    assert capfd.readouterr() == ("", "")


def test_filters_of_warnings_that_are_given_back_fail_no_request(chat: ChatServer) -> None:
    code = f"""
import asyncio, warnings
warnings.simplefilter("error")
from ragtui.endpoint import CompletionEndpoint, library
with warnings.catch_warnings():
    library.litellm()
endpoint = CompletionEndpoint("openai/scripted", api_base="{chat.url}")
print(asyncio.run(endpoint.complete((("user", "a"),), sampling={{}})).text)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("{}\n", 0), done.stderr


def test_a_schema_is_sent_where_it_is_taken_and_left_out_where_it_is_not(chat: ChatServer) -> None:
    ask(chat, schema=SCHEMA)
    assert chat.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    chat.answer = lambda asked: Answer("no such thing", 400) if "response_format" in asked else Answer("{}")
    assert [reply.text for reply in ask(chat, 2, SCHEMA, concurrency=1)] == ["{}", "{}"]
    assert ["response_format" in asked for asked in chat.requests] == [True, True, False, False]


def test_all_are_asked_at_once_up_to_the_limit(chat: ChatServer) -> None:
    chat.together = 5
    assert len(ask(chat, 12, concurrency=5)) == 12
    assert chat.most_in_flight == 5


@pytest.mark.parametrize(
    "answer",
    [
        Answer("later", 429, {"retry-after": "0"}),
        Answer("later", 500),
        Answer("later", 503, {"retry-after": "0"}),
        Answer(does="drop"),
        Answer(body=b"{not json"),
    ],
)
def test_we_alone_try_again(chat: ChatServer, answer: Answer) -> None:
    chat.script = [answer, answer]
    chat.answer = lambda _: Answer("fine")
    assert ask(chat)[0].text == "fine"
    assert len(chat.requests) == 3


def test_a_server_that_hangs_is_given_up_soon(chat: ChatServer) -> None:
    chat.answer = lambda _: Answer(does="hang")
    with pytest.raises(RequestFailed) as caught:
        ask(chat, timeout=0.2, patience=Patience(9, 0.001, 2, silences=2))
    assert caught.value.kind == "timeout"
    assert len(chat.requests) == 2


def test_a_wait_that_is_too_long_is_not_waited_for(chat: ChatServer) -> None:
    chat.script = [Answer("slow down", 429, {"retry-after": "3600"})]
    with pytest.raises(EndpointBusy) as caught:
        ask(chat)
    assert caught.value.wait == 3600
    assert len(chat.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "unusable"),
    [
        (Answer(f"Incorrect API key provided: {KEY}", 401), "key-refused", True),
        (Answer("The model does not exist", 404), "unknown-model", True),
        (Answer("You exceeded your current quota (insufficient_quota)", 429), "quota", True),
        (Answer("This model's maximum context length is 8 tokens", 400), "too-long", False),
        (Answer("bad temperature", 400), "refused", False),
        (Answer(body=b'{"choices": []}'), "no-choice", False),
    ],
)
def test_what_cannot_pass_is_asked_once_and_shows_no_key(
    chat: ChatServer, monkeypatch: pytest.MonkeyPatch, answer: Answer, kind: str, unusable: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    chat.script = [answer]
    with pytest.raises(EndpointUnusable if unusable else RequestFailed) as caught:
        ask(chat)
    assert caught.value.kind == kind
    assert len(chat.requests) == 1
    assert chat.keys == [f"Bearer {KEY}"]
    assert KEY not in str(caught.value)


def test_a_cut_off_reply_says_so(chat: ChatServer) -> None:
    chat.script = [Answer('{"verd', finish="length")]
    assert ask(chat)[0].finish == "length"
