"""A scripted server, and the command line that asks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.chat_server import ChatServer, serving
from tests.server.shell import DATASET, KEY, Shell, write_dataset


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with serving() as server:
        yield server


@pytest.fixture
def shell(
    monkeypatch: pytest.MonkeyPatch, chat: ChatServer, capsys: pytest.CaptureFixture[str]
) -> Iterator[Shell]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = Shell(chat.url, capsys)
    yield made
    for process in made.started:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "dataset.jsonl", DATASET)
