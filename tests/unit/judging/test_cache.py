"""The cache of replies: what its key holds, what it stores, and what it refuses."""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragtui.errors import RagtuiError
from ragtui.judging.cache import ReplyCache, key_of, open_cache
from ragtui.judging.model import Reply, Request

REQUEST = Request(
    model="openai/m",
    endpoint="",
    messages=(("system", "judge"), ("user", "酒店上限？")),
    sampling={"temperature": 0, "max_tokens": 400},
    schema={"properties": {"reason": {"type": "string"}, "verdict": {"type": "integer"}}},
)
ROW = "INSERT INTO Cache (key, raw, store_time, mode, value) VALUES"
REPLY = Reply('{"verdict": 1}', "stop", tokens_in=100, tokens_out=10, cost=0.001, latency_ms=12.5)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    opened = open_cache(tmp_path / "replies")
    yield opened
    opened.close()


def put(cache: ReplyCache, key: str, reply: Reply = REPLY) -> None:
    cache.put_many({key: ("openai/m", reply)})


def write(folder: Path, sql: str, *values: Any) -> None:
    with closing(sqlite3.connect(folder / "cache.db")) as database, database:
        database.execute(sql, values)


@pytest.mark.parametrize(
    "other",
    [
        {"model": "openai/n"},
        {"endpoint": "http://127.0.0.1:1/v1"},
        {"messages": (("system", "judge."), ("user", "酒店上限？"))},
        {"messages": (("user", "酒店上限？"), ("system", "judge"))},
        {"messages": (("user", "judge"), ("user", "酒店上限？"))},
        {"sampling": {"temperature": 1, "max_tokens": 400}},
        {"sampling": {"temperature": 0}},
        {"schema": None},
        {"schema": {"properties": {"verdict": {"type": "integer"}, "reason": {"type": "string"}}}},
        {"repeat": 1},
    ],
)
def test_the_key_holds_all_that_can_change_a_reply(other: dict[str, Any]) -> None:
    assert key_of(replace(REQUEST, **other)) != key_of(REQUEST)


def test_the_key_does_not_depend_on_what_cannot() -> None:
    turned = replace(REQUEST, sampling={"max_tokens": 400, "temperature": 0})
    assert key_of(turned) == key_of(REQUEST)


def test_texts_that_are_split_elsewhere_have_keys_of_their_own() -> None:
    def key(*texts: str) -> str:
        return key_of(replace(REQUEST, messages=tuple(("user", text) for text in texts)))

    assert key("a b", "") != key("a", "b")
    assert key("\ud800") != key("?")


def test_a_reply_comes_back_as_it_was(cache: ReplyCache) -> None:
    long = replace(REPLY, text="长" * 100_000, cost=None)
    cache.put_many({"a": ("openai/m", REPLY), "b": ("openai/m", long)})
    assert cache.get("a") == REPLY
    assert cache.get_many(["a", "b", "c"]) == {"a": REPLY, "b": long}
    assert cache.holding({"a", "c"}) == {"a"}
    assert cache.get("c") is None
    assert [file.suffix for file in cache.folder.rglob("*.val")] == []


def test_many_are_read_with_one_statement(cache: ReplyCache) -> None:
    cache.put_many({f"k{i}": ("m", replace(REPLY, text=str(i))) for i in range(1200)})
    found = cache.get_many(f"k{i}" for i in range(1100))
    assert len(found) == 1100
    assert found["k7"].text == "7"


def test_it_is_opened_once_in_a_process(cache: ReplyCache) -> None:
    assert open_cache(cache.folder / ".." / "replies") is cache


def test_the_folder_is_private_and_every_write_is_flushed(cache: ReplyCache) -> None:
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    with closing(sqlite3.connect(cache.folder / "cache.db")) as database:
        settings = dict(database.execute("SELECT key, value FROM Settings"))
    assert settings["sqlite_synchronous"] == 2
    assert (settings["eviction_policy"], settings["cull_limit"]) == ("none", 0)


class Planted:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("place", ["value", "key", "file"])
def test_a_planted_pickle_is_refused_and_nothing_of_it_runs(
    cache: ReplyCache, tmp_path: Path, place: str
) -> None:
    mark = tmp_path / "ran"
    bomb = pickle.dumps(Planted(mark))
    put(cache, "good")
    row = "INSERT INTO Cache (key, raw, store_time, mode, filename, value) VALUES (?, ?, 1, ?, ?, ?)"
    if place == "value":
        write(cache.folder, row, "bad", 1, 4, None, bomb)
    elif place == "key":
        write(cache.folder, row, bomb, 0, 0, None, "{}")
    else:
        victim = tmp_path / "victim"
        victim.write_bytes(bomb)
        write(cache.folder, row, "bad", 1, 4, "../victim", None)
    cache.close()
    again = open_cache(cache.folder)
    assert again.get("bad") is None
    assert again.holding({"bad", "good"}) == {"good"}
    assert again.keys() == ["good"]
    assert len(again.verify()) == 1
    assert again.stats().refused == 1
    put(again, "bad")
    assert again.get("bad") == REPLY
    assert not mark.exists()
    if place == "file":
        assert (tmp_path / "victim").exists()
    assert again.prune(None) == (1 if place == "key" else 0)
    assert again.verify() == []
    again.close()


def test_what_is_no_reply_is_not_one(cache: ReplyCache) -> None:
    put(cache, "good")
    values = ["no json", "[]", '{"model": 1, "text": "x"}', '{"model": "m", "extra": 1}', '{"model": "m"}']
    for number, value in enumerate(values):
        write(cache.folder, f"{ROW} (?, 1, 1, 0, ?)", str(number), value)
    assert cache.get_many(["good", *map(str, range(5))]) == {"good": REPLY}
    assert cache.stats().refused == 5
    assert cache.prune(None) == 5
    assert cache.keys() == ["good"]


def test_old_replies_are_pruned_on_request(cache: ReplyCache) -> None:
    put(cache, "old")
    put(cache, "new")
    write(cache.folder, "UPDATE Cache SET store_time = 1000 WHERE key = 'old'")
    assert cache.prune(None) == 0
    assert cache.prune(30) == 1
    assert cache.keys() == ["new"]


def test_stats_count_by_model(cache: ReplyCache) -> None:
    cache.put_many({"a": ("m1", REPLY), "b": ("m2", REPLY), "c": ("m2", REPLY)})
    stats = cache.stats()
    assert (stats.entries, stats.refused) == ({"m1": 1, "m2": 2}, 0)
    assert stats.bytes > 0


def test_two_caches_become_one_and_what_is_here_stays(cache: ReplyCache, tmp_path: Path) -> None:
    other = open_cache(tmp_path / "other")
    put(cache, "both", replace(REPLY, text="here"))
    put(other, "both", replace(REPLY, text="there"))
    put(other, "only there")
    write(other.folder, f"{ROW} ('bad', 1, 1, 4, x'80')")
    assert cache.merge(other.folder) == 1
    assert sorted(cache.keys()) == ["both", "only there"]
    reply = cache.get("both")
    assert reply is not None
    assert reply.text == "here"
    other.close()
    with pytest.raises(RagtuiError) as caught:
        cache.merge(tmp_path)
    assert caught.value.key == "judging.cache-not-one"


@pytest.mark.parametrize("version", ["2", "x", ""])
def test_a_folder_of_a_newer_version_is_left_alone(cache: ReplyCache, version: str) -> None:
    put(cache, "a")
    cache.close()
    (cache.folder / "VERSION").write_text(version, encoding="ascii")
    before = hashlib.sha256((cache.folder / "cache.db").read_bytes()).digest()
    with pytest.raises(RagtuiError) as caught:
        open_cache(cache.folder)
    assert caught.value.key == "judging.cache-newer"
    assert hashlib.sha256((cache.folder / "cache.db").read_bytes()).digest() == before


def test_a_folder_that_cannot_be_one_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="ascii")
    with pytest.raises(RagtuiError) as caught:
        open_cache(tmp_path / "file" / "replies")
    assert caught.value.key == "judging.cache-failed"
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "cache.db").write_bytes(b"this is no database, however long one looks at it" * 100)
    with pytest.raises(RagtuiError) as caught:
        open_cache(damaged)
    assert caught.value.key == "judging.cache-failed"


WRITER = """
import sys
from pathlib import Path
from ragtui.judging.cache import open_cache
from ragtui.judging.model import Reply
cache = open_cache(Path(sys.argv[1]))
for i in range(100):
    cache.put_many({f"{sys.argv[2]}{i}": ("m", Reply(str(i)))})
    cache.put_many({f"both{i}": ("m", Reply(str(i)))})
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), name], stderr=subprocess.PIPE)
        for name in "ab"
    ]
    assert [(process.communicate()[1], process.returncode) for process in processes] == [(b"", 0)] * 2
    cache = open_cache(folder)
    assert len(cache.keys()) == 300
    assert cache.verify() == []
    cache.close()
