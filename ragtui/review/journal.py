"""The append-only record of what people decided: `journal.jsonl` of a set's state.

An event is on disk, and so acknowledged, when `append` returns. Several processes may write: one at a time,
under a lock beside the file (`fcntl` on Unix, `msvcrt` on Windows, both by filelock), and each takes in what
the others wrote when it next appends or is refreshed. The order of events is that of the file. A line that a
crash left unfinished is closed before the next one, and set aside on reading. Nothing is ever rewritten.
"""

from __future__ import annotations

import errno
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import orjson

from ragtui import atomic
from ragtui.errors import RagtuiError
from ragtui.review.events import Event, Redo, Undo, What, events_of, place_of
from ragtui.review.lines import NewerSchema, line_of
from ragtui.review.state import ReviewState

FILE = "journal.jsonl"


class Journal:
    """One journal, seen by one reviewer.

    Attributes:
        path: the file, which need not be there.
        reviewer: in whose name events are written.
        state: what holds.
        set_aside: lines that are no events.
        newer: lines of a schema that only a later version understands.
        read_only: why nothing can be written, for people; `""` where it can.
    """

    def __init__(self, path: Path, reviewer: str) -> None:
        self.path = path
        self.reviewer = reviewer
        self.state = ReviewState()
        self.set_aside = 0
        self.newer = 0
        self.read_only = _why_read_only(path)
        self._offset = 0
        self._guard = RLock()  # a worker of the app may append while another reads

    @classmethod
    def open(cls, folder: Path, reviewer: str) -> Journal:
        """The journal of a state folder, read to its end. Nothing is created.

        Raises:
            RagtuiError: the file is there and cannot be read.
        """
        journal = cls(folder / FILE, reviewer)
        journal.refresh()
        return journal

    def append(self, *whats: What) -> tuple[Event, ...]:
        """Write one act of the reviewer; it is on disk when this returns.

        Raises:
            RagtuiError: it cannot be written. Nothing of it holds then.
        """
        events = events_of(self.reviewer, whats)
        with self._guard:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                atomic.append_lines(self.path, b"".join(map(line_of, events)))
            except (OSError, NotImplementedError) as error:  # the latter where locks are not supported
                self.read_only = getattr(error, "strerror", None) or str(error)
                raise RagtuiError("review.read-only", where=str(self.path), why=self.read_only) from error
            self.read_only = ""
            self.refresh()
        return events

    def undo(self) -> tuple[Event, ...]:
        """Undo the reviewer's last act; gives its events, none where there is nothing to undo.

        Raises:
            RagtuiError: it cannot be written.
        """
        with self._guard:
            self.refresh()
            act = self.state.last_done(self.reviewer)
            if act:
                self.append(*(Undo(event.id, *place_of(event.what)) for event in act))
        return act

    def redo(self) -> tuple[Event, ...]:
        """Do again what the reviewer undid last; gives its events, none where there is nothing to redo.

        Raises:
            RagtuiError: it cannot be written.
        """
        with self._guard:
            self.refresh()
            act = self.state.last_undone(self.reviewer)
            if act:
                self.append(*(Redo(event.id, *place_of(event.what)) for event in act))
        return act

    def refresh(self) -> bool:
        """Take in what was written since; whether there was anything.

        Raises:
            RagtuiError: the file is there and cannot be read.
        """
        with self._guard:
            content = self._unread()
            if not content:
                return False
            with _without_collector():
                self._fold(content)
            return True

    def _unread(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._forget()  # not what was read: somebody put another file here
                file.seek(self._offset)
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            if self._offset:
                self._forget()
            return b""
        except OSError as error:
            why = error.strerror or str(error)
            raise RagtuiError("review.unreadable", where=str(self.path), why=why) from error

    def _forget(self) -> None:
        self.state, self._offset, self.set_aside, self.newer = ReviewState(), 0, 0, 0

    def _fold(self, content: bytes) -> None:
        """Fold whole lines. What follows the last line feed counts only once it is an event."""
        end = content.rfind(b"\n") + 1
        add = self.state.add
        for line in content[:end].split(b"\n"):
            if not line:
                continue
            try:
                add(line)
            except ValueError as error:
                self._set_aside(line, error)
        tail = content[end:]
        if _is_whole(tail):
            try:
                add(tail)
            except ValueError as error:
                self._set_aside(tail, error)
            end = len(content)
        self._offset += end

    def _set_aside(self, line: bytes, error: ValueError) -> None:
        if isinstance(error, NewerSchema):
            self.newer += 1
        elif line.strip():
            self.set_aside += 1


def _is_whole(tail: bytes) -> bool:
    """Whether an unfinished line is an object for all that; no part of an object is one."""
    if not tail.endswith(b"}"):
        return False
    try:
        return isinstance(orjson.loads(tail), dict)
    except ValueError:
        return False


@contextmanager
def _without_collector() -> Iterator[None]:
    """Python would look for garbage a hundred times among a million events that are none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _why_read_only(path: Path) -> str:
    """What stands against writing, as far as can be told without writing; `""` for nothing."""
    for place in (path, *path.parents):
        try:
            if place.exists():
                if place != path and not place.is_dir():
                    return os.strerror(errno.ENOTDIR)
                return "" if os.access(place, os.W_OK) else os.strerror(errno.EACCES)
        except OSError as error:
            return error.strerror or str(error)
    return ""
