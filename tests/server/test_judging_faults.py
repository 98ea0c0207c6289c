"""`ragtui judge` against everything that goes wrong around it: disk, cache, key, budget, server, texts."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from ragtui.judging.cache import open_cache
from tests.server.chat_server import Answer, ChatServer
from tests.server.shell import DATASET, KEY, Shell, many, verdict, write_dataset

pytestmark = pytest.mark.server

GRADE = ("--judge", "relevance-grade", "--model", "openai/stub")
HOSTED = ("--judge", "relevance-grade", "--model", "openai/gpt-4o-mini")

NO_MORE_THAN = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
"""


def replies_of() -> Path:
    return Path(os.environ["RAGTUI_CACHE_DIR"]) / "replies"


def verdict_lines(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("*.jsonl")
    return [json.loads(line) for line in file.read_bytes().splitlines() if line.endswith(b"}")]


@pytest.mark.parametrize("size", [40_000, 80_000], ids=["cache", "verdicts"])
def test_a_disk_that_fills_up_ends_the_run_and_nothing_is_lost_that_was_written(
    chat: ChatServer, shell: Shell, tmp_path: Path, size: int
) -> None:
    """No file may grow beyond so many bytes: the cache comes to its end, or the file of verdicts."""
    chat.answer = lambda _: verdict(1)
    if size > 40_000:
        chat.answer = lambda _: Answer(json.dumps({"reason": "why " * 2_000, "verdict": 1}))
    data = many(tmp_path / "many.jsonl", 30)
    state = tmp_path / "state"
    _, err = shell.judge_apart(data, *GRADE, "--state", state, code=2, prelude=NO_MORE_THAN.format(size=size))
    assert "free space" in err
    kept = len(verdict_lines(state / "verdicts")) if list((state / "verdicts").glob("*.jsonl")) else 0
    asked = len(chat.requests)
    chat.answer = lambda _: verdict(1)
    found, _ = shell.judge(data, *GRADE, "--state", state)
    assert (found["state"], found["counts"]) == ("done", {"scored": 30})
    assert found["calls"] <= 90 - kept
    assert asked < 90


def test_a_cache_of_a_newer_version_is_left_alone(shell: Shell, chat: ChatServer, dataset: Path) -> None:
    replies_of().mkdir(parents=True)
    (replies_of() / "VERSION").write_text("2\n", encoding="utf-8")
    _, err = shell.judge(dataset, *GRADE, code=2)
    assert "RAGTUI_CACHE_DIR" in err
    assert [file.name for file in replies_of().iterdir()] == ["VERSION"]
    assert chat.requests == []


def test_a_cache_that_cannot_be_written_is_told_before_anything_is_asked(
    shell: Shell, chat: ChatServer, dataset: Path
) -> None:
    replies_of().parent.mkdir(parents=True, exist_ok=True)
    replies_of().write_text("a file where the folder should be", encoding="utf-8")
    _, err = shell.judge(dataset, *GRADE, code=2)
    assert "cache of replies" in err
    assert chat.requests == []


def test_a_damaged_cache_is_told(shell: Shell, chat: ChatServer, dataset: Path) -> None:
    replies_of().mkdir(parents=True)
    (replies_of() / "cache.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)
    _, err = shell.judge(dataset, *GRADE, code=2)
    assert "cache of replies" in err


def test_a_pickle_planted_under_the_very_key_is_asked_anew_and_not_run(
    shell: Shell, chat: ChatServer, dataset: Path, tmp_path: Path
) -> None:
    chat.answer = lambda _: verdict(1)
    shell.judge(dataset, *GRADE, "--state", tmp_path / "first")
    trap = tmp_path / "trap"
    cache = open_cache(replies_of())
    pickled = b"cposix\nsystem\n(S'touch " + os.fsencode(trap) + b"'\ntR."
    with cache._connect(write=True) as database:
        database.execute("UPDATE Cache SET mode = 4, value = ?", [pickled])
    database.close()
    cache.close()
    found, _ = shell.judge(dataset, *GRADE, "--state", tmp_path / "second")
    assert (found["calls"], found["counts"]) == (3, {"scored": 1})
    assert not trap.exists()


def test_a_server_that_is_down_is_told_and_what_to_look_at(
    shell: Shell, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragtui.endpoint.asking._pause", _at_once)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # bound and not listening: nobody else can take the port
        down = Shell(f"http://127.0.0.1:{closed.getsockname()[1]}/v1", shell.capsys)
        found, err = down.judge(dataset, *GRADE, code=2)
    assert (found["state"], found["calls"]) == ("stopped", 0)
    assert "nobody answers" in err
    assert "0 of 3 are done" in err


async def _at_once(_: float) -> None:
    """No wait between attempts."""


def test_the_budget_is_not_passed(chat: ChatServer, shell: Shell, tmp_path: Path) -> None:
    data = many(tmp_path / "many.jsonl", 10)
    chat.answer = lambda _: verdict(1)
    planned, _ = shell.judge(data, *HOSTED, "--plan")
    assert planned["plan"]["cost"] > 0
    limit = planned["plan"]["cost"] / 20
    found, err = shell.judge(data, *HOSTED, "--max-cost", f"{limit:.9f}", "--concurrency", 1, code=2)
    assert found["state"] == "stopped"
    assert 0 < found["calls"] == len(chat.requests) < 30
    assert 0 < found["cost"] <= limit
    assert "would pass the limit" in err


def test_texts_that_are_missing_or_too_long_are_counted_and_not_asked(
    chat: ChatServer, shell: Shell, tmp_path: Path
) -> None:
    """The model is one whose window litellm knows: 128,000 tokens."""
    chat.answer = lambda _: verdict(1)
    rows: list[dict[str, Any]] = [
        DATASET,
        {**DATASET, "query_id": "q2", "query": "No reference?", "reference": " "},
        {**DATASET, "query_id": "q3", "query": "An empty one?", "retrieved_contexts": ["   ", "It did."]},
        {**DATASET, "query_id": "q4", "query": "Too long?", "retrieved_contexts": ["no " * 300_000]},
        {**DATASET, "query_id": "q5", "query": "Nothing at all?", "retrieved_contexts": []},
    ]
    data = write_dataset(tmp_path / "rows.jsonl", *rows)
    options = ("--judge", "context-precision", "--model", "openai/gpt-4o-mini")
    planned, _ = shell.judge(data, *options, "--plan")
    assert planned["counts"] == {"judged": 3, "no-reference": 1, "nothing-retrieved": 1}
    assert [(place["query_id"], place["tokens"] > 128_000) for place in planned["plan"]["too_long"]] == [
        ("q4", True)
    ]
    found, _ = shell.judge(data, *options)
    assert found["calls"] == len(chat.requests) == 4
    assert found["counts"] == {
        "scored": 1,
        "no-reference": 1,
        "partly": 1,
        "skipped": 1,
        "nothing-retrieved": 1,
    }
    score = found["scores"]["context_precision@5"]
    # q1 is 1, q5 retrieved nothing and is 0; of q3 a context is empty, of q4 nothing was asked
    assert (score["mean"], score["n"], score["of"]) == (0.5, 2, 3)


def test_no_debugging_shows_the_key(chat: ChatServer, shell: Shell, dataset: Path) -> None:
    """Tracebacks of our own faults on, litellm's debug log wished for, and a server that repeats the key."""
    on = "import os\nos.environ.update(RAGTUI_TRACEBACK='1', LITELLM_LOG='DEBUG')\n"
    chat.script = [
        Answer(f"Incorrect API key provided: {KEY}", 401),
        Answer(f"Authorization: Bearer {KEY}", 400),
    ]
    chat.answer = lambda _: Answer(f"key={KEY}", 500, body=KEY.encode())
    # `judge_apart` looks for the key in both streams, and stdout has to be JSON and nothing else
    found, _ = shell.judge_apart(dataset, *GRADE, code=2, prelude=on)
    assert found["state"] == "stopped"
    chat.answer = lambda _: verdict(1)
    broken = "import ragtui.judging.answers as a\ndef fault(*_): raise ValueError('a fault of ours')\n"
    process = shell.start(dataset, *GRADE, prelude=on + broken + "a.Answers._read = fault\n")
    out, err = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "ValueError: a fault of ours" in err
    assert KEY not in out + err
