"""An OpenAI-compatible chat server on loopback that does as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Asked = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the server does with one request: it replies, hangs until the end of the test, or hangs up."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    body: bytes | None = None
    does: Literal["reply", "hang", "drop"] = "reply"

    def content(self) -> bytes:
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": self.text, "type": "x", "code": None}}).encode()
        message = {"role": "assistant", "content": self.text}
        return json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "scripted-1",
                "choices": [{"index": 0, "message": message, "finish_reason": self.finish}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
        ).encode()


@dataclass
class ChatServer:
    """Where it listens, what it was asked, and what it answers: `script` first, then `answer`."""

    url: str = ""
    answer: Callable[[Asked], Answer] = lambda _: Answer("{}")
    script: list[Answer] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    together: int = 1
    most_in_flight: int = 0
    _in_flight: int = 0
    _lock: threading.Condition = field(default_factory=threading.Condition)
    _over: threading.Event = field(default_factory=threading.Event)

    def respond(self, asked: Asked, key: str) -> Answer:
        """The next answer, given once `together` requests are under way at the same time."""
        with self._lock:
            self.requests.append(asked)
            self.keys.append(key)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            self._lock.notify_all()
            self._lock.wait_for(lambda: self.most_in_flight >= self.together, timeout=30)
            answer = self.script.pop(0) if self.script else self.answer(asked)
        if answer.does == "hang":
            self._over.wait(30)
        with self._lock:
            self._in_flight -= 1
        return answer

    def wait_for(self, requests: int) -> None:
        """Until that many requests have come in."""
        with self._lock:
            assert self._lock.wait_for(lambda: len(self.requests) >= requests, timeout=30)

    def end(self) -> None:
        self._over.set()


@contextmanager
def serving() -> Iterator[ChatServer]:
    """A server in a thread, for as long as the block runs."""
    told = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = told.respond(asked, self.headers["authorization"])
            if answer.does == "reply":
                content = answer.content()
                self.send_response(answer.status)
                for name, value in {"content-type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            else:
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Silence."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Silence, for clients that are killed."""

    with Server(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield told
        finally:
            told.end()
            server.shutdown()
            thread.join()
