"""What a journal holds: decisions of people, as frozen data."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, NamedTuple


class Place(NamedTuple):
    """What a decision is about; a later decision of the same reviewer about the same place stands instead."""

    kind: str
    query_id: str
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    """Why a query fails, as a person sees it.

    Attributes:
        causes: names of causes, the main one first; none takes an earlier tag back.
        note: in the reviewer's words.
        run, k: what was looked at.
        suggested: the cause that a rule suggested, `""` where none did.
        shown: whether the reviewer saw the suggestion before answering.
        session: id of the session that the answer belongs to, `""` outside of one.
    """

    kind: ClassVar[str] = "tag"
    query_id: str
    causes: tuple[str, ...]
    note: str = ""
    run: str = ""
    k: int = 0
    suggested: str = ""
    shown: bool = True
    session: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a query, or on a chunk for a query; `""` takes an earlier one back."""

    kind: ClassVar[str] = "note"
    query_id: str
    text: str
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    """A correction of gold: the grade of a chunk for a query, in place of what the files say.

    Attributes:
        grade: None takes the reviewer's correction back.
        was: the grade that stood there, None where the chunk had no label.
        reason: why.
        group: name of the evidence group; `""` leaves it as it is.
        in_sight: names of the runs whose results the reviewer could see.
        blind: judges, runs and order were hidden.
        session: as in `Tag`.
    """

    kind: ClassVar[str] = "grade"
    query_id: str
    chunk_id: str
    grade: float | None
    was: float | None = None
    reason: str = ""
    group: str = ""
    in_sight: tuple[str, ...] = ()
    blind: bool = False
    session: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """A grade that shows how far people agree and changes no gold, as in a pilot; None takes it back."""

    kind: ClassVar[str] = "rating"
    query_id: str
    chunk_id: str
    grade: float | None
    reason: str = ""
    blind: bool = True
    session: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The grade on which raters who differed have settled; it stands in gold instead of theirs.

    Attributes:
        grade: None takes the decision back.
        reason: why.
        heard: what each rater had said, by name.
        in_sight: as in `Grade`.
    """

    kind: ClassVar[str] = "decision"
    query_id: str
    chunk_id: str
    grade: float | None
    reason: str = ""
    heard: tuple[tuple[str, float], ...] = ()
    in_sight: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """A query that must not fail again, or (`on` is False) need not be watched any more.

    Attributes:
        run, k: where it fails.
        in_sight: names of the runs that were there; what passes in a later one is fixed.
    """

    kind: ClassVar[str] = "guard"
    query_id: str
    on: bool = True
    run: str = ""
    k: int = 0
    in_sight: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A session was begun; its order is frozen.

    Attributes:
        session: its id.
        purpose: `review`, `pool` or `pilot`.
        queries: ids in order.
        chunks: for `pool` and `pilot` the chunk to grade, as long as `queries`; else empty.
        run, k, where, seed: how it was made.
    """

    kind: ClassVar[str] = "session"
    session: str
    purpose: str
    queries: tuple[str, ...]
    chunks: tuple[str, ...] = ()
    run: str = ""
    k: int = 0
    where: str = ""
    seed: int = 0

    @property
    def query_id(self) -> str:
        """In the place of a query: the session itself."""
        return self.session


@dataclass(frozen=True, slots=True)
class Undo:
    """One's own event holds no longer. `of`, `query_id` and `chunk_id` say where it is found."""

    kind: ClassVar[str] = "undo"
    event: str
    of: str
    query_id: str
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Redo:
    """One's own event that was undone holds again."""

    kind: ClassVar[str] = "redo"
    event: str
    of: str
    query_id: str
    chunk_id: str = ""


Act = Tag | Note | Grade | Rating | Decision | Guard | Opened
"""What can be undone."""

What = Act | Undo | Redo


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal.

    Attributes:
        id: unlike any other.
        time: in UTC, ISO 8601 with microseconds.
        reviewer: who decided.
        what: what was decided.
        batch: id of the first of several events that were one act; `""` for one that stands alone.
    """

    id: str
    time: str
    reviewer: str
    what: What
    batch: str = ""


def place_of(what: What) -> Place:
    """What a decision is about; for undo and redo what they are of."""
    if isinstance(what, Undo | Redo):
        return Place(what.of, what.query_id, what.chunk_id)
    return Place(what.kind, what.query_id, getattr(what, "chunk_id", ""))


def events_of(reviewer: str, whats: Sequence[What]) -> tuple[Event, ...]:
    """Decisions of one act as events of now."""
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    ids = [secrets.token_hex(8) for _ in whats]
    batch = ids[0] if len(ids) > 1 else ""
    return tuple(Event(one, now, reviewer, what, batch) for one, what in zip(ids, whats, strict=True))


def as_kept(note: str) -> str:
    """A note as it is kept: line breaks of one kind, nothing around it. So files give it back unchanged."""
    return note.replace("\r\n", "\n").replace("\r", "\n").strip()
