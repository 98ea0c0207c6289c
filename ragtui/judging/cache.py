"""Replies on disk, so that a question that was answered is never paid for twice.

Text only: what diskcache would unpickle is refused, on writing and on reading. Nothing is ever evicted. A
reply is stored once it was understood, so a failure is asked again. The folder is no place for a network
drive, because SQLite's locks do not work there.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from ragtui import atomic, locations
from ragtui.errors import RagtuiError
from ragtui.judging.model import Reply, Request
from ragtui.messages import t

VERSION = 1
"""Of the folder's layout and of what a value holds. A folder of a newer one is left alone."""

_VERSION_FILE = "VERSION"
_DATABASE = "cache.db"
_FEW = 500
_DAY = 24 * 60 * 60
_SELECT = "SELECT key, raw, mode, filename, value FROM Cache"
_RAW = 0
_open: dict[Path, ReplyCache] = {}
_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds.

    Attributes:
        entries: replies, by model.
        refused: entries that are no reply of ours and are never read.
        bytes: of the files in the folder.
    """

    entries: Mapping[str, int]
    refused: int
    bytes: int


def key_of(request: Request) -> str:
    """Hex SHA-256 of all that can change a reply: model, server, messages, sampling, schema, repeat.

    The properties of a schema keep their order: a model that is held to it writes them in that order, and
    what it writes first guides the rest.
    """
    sent = [
        request.model,
        request.endpoint,
        request.messages,
        sorted(request.sampling.items()),
        request.schema,
        request.repeat,
    ]
    text = json.dumps(sent, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def open_cache(folder: Path | None = None) -> ReplyCache:
    """The cache in `folder`, by default `replies` of the cache folder; opened once in a process.

    Raises:
        RagtuiError: the folder cannot be written, or was written by a newer version.
    """
    place = (folder or locations.cache_folder() / "replies").resolve()
    with _opening:
        if place not in _open:
            _open[place] = ReplyCache(place)
        return _open[place]


@contextmanager
def caches_closed_after() -> Iterator[None]:
    """Close at the end of the block every cache that this process has opened."""
    try:
        yield
    finally:
        for cache in list(_open.values()):
            cache.close()


class ReplyCache:
    """Replies by the key of their request. Open it with `open_cache`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with _told(folder):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.chmod(0o700)
            _check_version(folder)
            atomic.write_text(folder / _VERSION_FILE, f"{VERSION}\n")
            self._store = _disk_cache(folder)
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = None

    def get(self, key: str) -> Reply | None:
        """The reply under a key; None where there is none that can be read."""
        with _told(self.folder), self._reading:
            # one that stays open: this comes before every question, and diskcache takes ten times as long
            if self._reader is None:
                self._reader = self._connect()
            rows = self._reader.execute(f"{_SELECT} WHERE key = ? AND raw = 1", [key]).fetchall()
        for _, text in _text_rows(rows):
            if (entry := _reply_of(text)) is not None:
                return entry[1]
        return None

    def get_many(self, keys: Iterable[str]) -> dict[str, Reply]:
        """Replies of those keys that are there, read with one statement."""
        wanted = set(keys)
        where, few = "", []
        if len(wanted) <= _FEW:
            where, few = f" WHERE key IN ({','.join('?' * len(wanted))})", sorted(wanted)
        found = {}
        for key, text in self._texts(where, few):
            if key in wanted and (reply := _reply_of(text)) is not None:
                found[key] = reply[1]
        return found

    def holding(self, keys: set[str]) -> set[str]:
        """Those of the keys that there is a text for, without reading the texts."""
        sql = "SELECT key FROM Cache WHERE raw = 1 AND mode = ? AND typeof(value) = 'text'"
        with _told(self.folder), closing(self._connect()) as database:
            return keys & {key for (key,) in database.execute(sql, [_RAW])}

    def put_many(self, replies: Mapping[str, tuple[str, Reply]]) -> None:
        """Store replies by key, each with the name of its model, on disk when this returns.

        Raises:
            RagtuiError: the disk is full or the folder cannot be written any more.
        """
        if not replies:
            return
        with _told(self.folder), self._store.transact():
            for key, (model, reply) in replies.items():
                self._store.set(key, _text_of(model, reply))

    def stats(self) -> CacheStats:
        """Entries by model, entries that are refused, and bytes on disk."""
        models = Counter(model for _, model, _ in self.entries())
        size = sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
        return CacheStats(dict(sorted(models.items())), len(self._refused()), size)

    def entries(self) -> Iterator[tuple[str, str, Reply]]:
        """Key, model and reply of all entries that can be read, oldest first."""
        for key, text in self._texts(" ORDER BY store_time"):
            entry = _reply_of(text)
            if entry is not None:
                yield key, *entry

    def keys(self) -> list[str]:
        """Keys of all entries that can be read, oldest first."""
        return [key for key, _, _ in self.entries()]

    def verify(self) -> list[str]:
        """What is wrong, one text each: damage of the database, and entries that are no reply of ours."""
        with _told(self.folder), closing(self._connect()) as database:
            said = [text for (text,) in database.execute("PRAGMA integrity_check") if text != "ok"]
        return said + [t("judging.cache-row", row=row) for row in self._refused()]

    def prune(self, days: float | None) -> int:
        """Remove what can never be read, and replies stored more than `days` days ago; gives how many.

        Args:
            days: None removes no reply for its age.
        """
        old: list[int] = []
        if days is not None:
            with _told(self.folder), closing(self._connect()) as database:
                rows = database.execute(
                    "SELECT rowid FROM Cache WHERE store_time < ?", [time.time() - days * _DAY]
                )
                old = [row for (row,) in rows]
        gone = set(old) | set(self._refused())
        with _told(self.folder), closing(self._connect(write=True)) as database, database:
            database.executemany("DELETE FROM Cache WHERE rowid = ?", [(row,) for row in gone])
        return len(gone)

    def merge(self, other: Path) -> int:
        """Take over the replies of another cache that are missing here; gives how many. It stays as it is.

        Raises:
            RagtuiError: there is no cache of ours in that folder.
        """
        if not (other / _DATABASE).is_file():
            raise RagtuiError("judging.cache-not-one", where=str(other))
        _check_version(other)
        here = set(self.keys())
        fresh: dict[str, tuple[str, Reply]] = {}
        with _told(other), closing(_connected(other, write=False)) as database:
            for key, text in _text_rows(database.execute(_SELECT)):
                entry = _reply_of(text)
                if entry is not None and key not in here:
                    fresh[key] = entry
        self.put_many(fresh)
        return len(fresh)

    def close(self) -> None:
        """Close the database. The next `open_cache` opens it anew."""
        with _opening:
            _open.pop(self.folder, None)
            self._store.close()
            with self._reading:
                if self._reader is not None:
                    self._reader.close()
                self._reader = None

    def _texts(self, where: str = "", values: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
        with _told(self.folder), closing(self._connect()) as database:
            yield from _text_rows(database.execute(_SELECT + where, tuple(values)))

    def _refused(self) -> list[int]:
        """Row numbers of entries that are no text under a text key, or whose text is no reply."""
        with _told(self.folder), closing(self._connect()) as database:
            rows = database.execute(f"SELECT rowid, {_SELECT.removeprefix('SELECT ')}").fetchall()
        return [row for row, *entry in rows if not _is_text(entry) or _reply_of(entry[4]) is None]

    def _connect(self, *, write: bool = False) -> sqlite3.Connection:
        return _connected(self.folder, write=write)


def _disk_cache(folder: Path) -> Any:
    """A diskcache over a Disk that knows text and nothing else."""
    from diskcache import Cache, Disk

    class TextDisk(Disk):  # type: ignore[misc]
        """Keys and values are text in the database; anything else is refused."""

        def put(self, key: object) -> tuple[str, bool]:
            return _only_text(key), True

        def get(self, key: object, raw: object) -> str:
            return _only_text(key if raw else None)

        def store(self, value: object, _read: bool, key: object = None) -> tuple[int, int, None, str]:  # noqa: ARG002
            return 0, _RAW, None, _only_text(value)

        def fetch(self, mode: int, filename: object, value: object, _read: bool) -> str:
            return _only_text(value if mode == _RAW and filename is None else None)

        def remove(self, file_path: str) -> None:
            """Nothing: no entry of ours has a file, and a planted path could name any."""

    return Cache(
        str(folder),
        disk=TextDisk,
        eviction_policy="none",
        cull_limit=0,
        statistics=0,
        tag_index=0,
        sqlite_journal_mode="wal",
        sqlite_synchronous=2,
        # replies are read once each: to hold 96 MB of them in this process helps nobody
        sqlite_mmap_size=0,
        sqlite_cache_size=1_000,  # pages of 4 KB
    )


def _only_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError("a cache of replies holds text only")


def _is_text(entry: Iterable[object]) -> bool:
    key, raw, mode, filename, value = entry
    return isinstance(key, str) and raw == 1 and mode == _RAW and filename is None and isinstance(value, str)


def _text_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if _is_text(row):
            yield row[0], row[4]


def _text_of(model: str, reply: Reply) -> str:
    return json.dumps({"model": model, **asdict(reply)}, ensure_ascii=True, allow_nan=False)


def _reply_of(text: str) -> tuple[str, Reply] | None:
    """Model and reply of an entry, None where the text is none of ours."""
    try:
        content = orjson.loads(text)
        model = content.pop("model")
        reply = Reply(**content)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    texts: tuple[object, ...] = (model, reply.text)
    return (model, reply) if all(isinstance(text, str) for text in texts) else None


def _connected(folder: Path, *, write: bool) -> sqlite3.Connection:
    mode = "rw" if write else "ro"
    address = f"{(folder / _DATABASE).resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=60, check_same_thread=False)


def _check_version(folder: Path) -> None:
    file = folder / _VERSION_FILE
    if not file.exists():
        return
    text = file.read_text(encoding="utf-8", errors="replace").strip()
    if text != str(VERSION):
        raise RagtuiError("judging.cache-newer", where=str(folder), found=text[:20], known=VERSION)


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Errors of disk and database as ours."""
    from diskcache import Timeout

    try:
        yield
    except (OSError, sqlite3.Error, Timeout) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise RagtuiError("judging.cache-failed", where=str(folder), why=why) from error
