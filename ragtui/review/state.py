"""What holds now, folded from the lines of a journal in the order of its file.

A journal may have a million lines, and few of them are looked at again. So folding reads of each line what it
is about, and keeps the line; what it says is read when somebody asks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, get_args

import orjson

from ragtui.review.events import Act, Event, Place
from ragtui.review.lines import event_of, row_of

A = TypeVar("A", bound=Act)

GOLD_KINDS = frozenset({"grade", "decision"})
"""Kinds of events that change gold."""

REMEMBERED = 10_000
"""How many events back it is known which query each was about."""

_UNDOABLE = frozenset(act.kind for act in get_args(Act)) - {"session"}
_TAKING_BACK = frozenset({"undo", "redo"})

Key = tuple[str, str, str]
"""Query, chunk, reviewer."""
Lines = bytes | list[bytes]
"""The lines about one key: most have one, and a list of its own for each would be a third of the memory."""


class ReviewState:
    """Decisions by reviewer and place.

    The last event of a reviewer about a place that was not undone holds. An undo or redo that does not name
    an event of its own reviewer says nothing.

    Attributes:
        revision: grows with every event, so that what is made from the state knows when it is old.
        ignored: undos and redos that said nothing.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.ignored = 0
        self._lines: dict[str, dict[Key, Lines]] = {}
        self._undone: dict[tuple[str, Key], set[str]] = {}
        self._done_by: dict[str, list[bytes]] = {}
        self._undone_by: dict[str, list[bytes]] = {}
        self._gold_lines: list[bytes] = []
        self._touched: deque[str] = deque(maxlen=REMEMBERED)

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Everybody who decided something, in order of appearance."""
        return tuple(self._done_by)

    def add(self, line: bytes) -> None:
        """Fold one more line.

        Raises:
            NewerSchema: a later version wrote it.
            ValueError: it is no event.
        """
        row = row_of(line)
        kind, reviewer = row["kind"], row["reviewer"]
        key = (row["query_id"], row.get("chunk_id", ""), reviewer)
        self.revision += 1
        self._touched.append(key[0])
        if kind in _TAKING_BACK:
            self._take_back(line, row, key)
            return
        done = self._done_by.get(reviewer)
        if done is None:
            done = self._done_by[reviewer] = []
            self._undone_by[reviewer] = []
        of_kind = self._lines.get(kind)
        if of_kind is None:
            of_kind = self._lines[kind] = {}
        before = of_kind.get(key)
        if before is None:
            of_kind[key] = line
        elif isinstance(before, bytes):
            of_kind[key] = [before, line]
        else:
            before.append(line)
        if kind in _UNDOABLE:
            done.append(line)
            if self._undone_by[reviewer]:
                self._undone_by[reviewer] = []
        if kind in GOLD_KINDS:
            self._gold_lines.append(line)

    def _take_back(self, line: bytes, row: dict[str, Any], key: Key) -> None:
        of, named_id, reviewer = row["of"], row["event"], key[2]
        lines = _several(self._lines.get(of, {}).get(key, []))
        named = next((one for one in lines if _id_of(one) == named_id), None)
        undone = self._undone.setdefault((of, key), set())
        is_undo = row["kind"] == "undo"
        if named is None or (named_id in undone) == is_undo or of not in _UNDOABLE:
            self.ignored += 1
            return
        if is_undo:
            undone.add(named_id)
            _remove(self._done_by[reviewer], named)
            self._undone_by[reviewer].append(named)
        else:
            undone.discard(named_id)
            _remove(self._undone_by[reviewer], named)
            self._done_by[reviewer].append(named)
        if of in GOLD_KINDS:
            self._gold_lines.append(line)

    def touched_since(self, revision: int) -> frozenset[str] | None:
        """Queries that events after a revision are about; None where it is too long ago to tell."""
        n = self.revision - revision
        if n > len(self._touched):
            return None
        return frozenset(self._touched[place] for place in range(len(self._touched) - n, len(self._touched)))

    def last_done(self, reviewer: str) -> tuple[Event, ...]:
        """The events of a reviewer's last act that holds, the last first; empty where there is none."""
        return _last_act(self._done_by.get(reviewer, []))

    def last_undone(self, reviewer: str) -> tuple[Event, ...]:
        """The events of the act that a reviewer undid last; empty once they have done something else."""
        return _last_act(self._undone_by.get(reviewer, []))

    def standing(self, act: type[A], query_id: str, chunk_id: str = "") -> dict[str, A]:
        """What holds at a place, by reviewer."""
        return {event.reviewer: what for event, what in self.standing_events(act, query_id, chunk_id)}

    def standing_events(self, act: type[A], query_id: str, chunk_id: str = "") -> Iterator[tuple[Event, A]]:
        """The events that hold at a place, one of each reviewer."""
        of_kind = self._lines.get(act.kind, {})
        for reviewer in self._done_by:
            key = (query_id, chunk_id, reviewer)
            event = self._standing(act.kind, key, of_kind[key]) if key in of_kind else None
            if event is not None and isinstance(event.what, act):
                yield event, event.what

    def all_standing(self, act: type[A], query_id: str | None = None) -> Iterator[tuple[Place, Event, A]]:
        """What holds of a kind, by place and reviewer, in order of the first event about each.

        Args:
            act: the kind.
            query_id: of this query only; None for all.
        """
        for key, lines in self._lines.get(act.kind, {}).items():
            if query_id is not None and key[0] != query_id:
                continue
            event = self._standing(act.kind, key, lines)
            if event is not None and isinstance(event.what, act):
                yield Place(act.kind, key[0], key[1]), event, event.what

    def standing_texts(self, act: type[A], name: str) -> Iterator[tuple[Key, Sequence[str]]]:
        """A field of texts of everything that holds of a kind, by query, chunk and reviewer.

        Like `all_standing` in half the time, because nothing else of a line is made into anything.
        """
        for key, lines in self._lines.get(act.kind, {}).items():
            texts = None
            if (act.kind, key) not in self._undone:
                texts = orjson.loads(lines if isinstance(lines, bytes) else lines[-1]).get(name, ())
            if texts is None or not _are_texts(texts):
                event = self._standing(act.kind, key, lines)
                texts = () if event is None else getattr(event.what, name)
            yield key, texts

    def all_held(self, act: type[A], containing: bytes = b"") -> Iterator[tuple[Event, A]]:
        """Every event of a kind that was not undone, superseded ones too; by key, then in order.

        Args:
            act: the kind.
            containing: only lines that hold these bytes are read.
        """
        for key, lines in self._lines.get(act.kind, {}).items():
            yield from self._held(act, key, [line for line in _several(lines) if containing in line])

    def held(
        self, act: type[A], query_id: str, reviewer: str, chunk_id: str = ""
    ) -> Iterator[tuple[Event, A]]:
        """Every event of a reviewer about a place that was not undone, in order."""
        key = (query_id, chunk_id, reviewer)
        yield from self._held(act, key, _several(self._lines.get(act.kind, {}).get(key, [])))

    def _held(self, act: type[A], key: Key, lines: list[bytes]) -> Iterator[tuple[Event, A]]:
        undone = self._undone.get((act.kind, key), ())
        for event in map(_read, lines):
            if event is not None and event.id not in undone and isinstance(event.what, act):
                yield event, event.what

    @property
    def gold_events(self) -> tuple[Event, ...]:
        """Events that changed gold, undos and redos of such among them, in order of the file."""
        return tuple(event for event in map(_read, self._gold_lines) if event is not None)

    @property
    def gold_version(self) -> int:
        """How many there are of them: the number of the newest gold."""
        return len(self._gold_lines)

    def gold_at(self, version: int) -> ReviewState:
        """The state after the first `version` events that changed gold, and of no other events."""
        then = ReviewState()
        for line in self._gold_lines[:version]:
            then.add(line)
        return then

    def _standing(self, kind: str, key: Key, lines: Lines) -> Event | None:
        undone = self._undone.get((kind, key), ())
        for line in reversed(_several(lines)):
            event = _read(line)
            if event is not None and event.id not in undone:
                return event
        return None


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(type(item) is str for item in value)


def _several(lines: Lines) -> list[bytes]:
    return [lines] if isinstance(lines, bytes) else lines


def _read(line: bytes) -> Event | None:
    """What a folded line says; None where a field of it is not what it should be."""
    try:
        return event_of(line)
    except ValueError:
        return None


def _id_of(line: bytes) -> str:
    found: str = row_of(line)["id"]
    return found


def _last_act(lines: list[bytes]) -> tuple[Event, ...]:
    """The last event with all those of its batch, the last first."""
    act: list[Event] = []
    for line in reversed(lines):
        event = _read(line)
        if event is None:
            continue
        if act and (not event.batch or event.batch != act[0].batch):
            break
        act.append(event)
    return tuple(act)


def _remove(lines: list[bytes], line: bytes) -> None:
    """Take out a line, which is mostly the last."""
    for place in range(len(lines) - 1, -1, -1):
        if lines[place] is line:
            del lines[place]
            return
