"""The journal on disk: acknowledged means kept, whatever happens around it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragtui.errors import RagtuiError
from ragtui.review.events import Note, Tag, events_of
from ragtui.review.journal import FILE, Journal
from ragtui.review.lines import line_of

TAG, OTHER = Tag("q", ("noise",)), Tag("p", ("ranking",))


def standing(folder: Path, query_id: str = "q") -> dict[str, Tag]:
    return Journal.open(folder, "reader").state.standing(Tag, query_id)


def test_nothing_is_created_before_the_first_decision(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "state", "ann")
    assert (journal.read_only, journal.state.reviewers) == ("", ())
    assert journal.undo() == journal.redo() == ()
    assert list(tmp_path.iterdir()) == []


def test_what_was_decided_is_there_after_opening_again(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "state", "ann")
    (event,) = journal.append(TAG)
    assert journal.state.standing(Tag, "q") == standing(tmp_path / "state") == {"ann": TAG}
    assert (tmp_path / "state" / FILE).read_bytes() == line_of(event)


def test_the_disk_has_it_before_it_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        size = os.fstat(descriptor).st_size
        fsync(descriptor)
        steps.append(f"fsync of {size}")

    monkeypatch.setattr(os, "fsync", noted)
    journal = Journal.open(tmp_path, "ann")
    (event,) = journal.append(TAG)
    steps.append("acknowledged")
    assert steps[0] == f"fsync of {len(line_of(event))}"  # the file; the second is its folder, for the name
    assert len(steps) == 3
    assert steps[-1] == "acknowledged"


def test_a_torn_tail_then_an_append_loses_nothing(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "ann")
    journal.append(TAG)
    whole = line_of(events_of("ann", [OTHER])[0])
    for cut in range(1, len(whole)):
        path = tmp_path / f"{cut}" / FILE
        path.parent.mkdir()
        path.write_bytes(journal.path.read_bytes() + whole[:cut])
        again = Journal.open(path.parent, "bob")
        assert again.state.standing(Tag, "q") == {"ann": TAG}
        again.append(Tag("q", ("generation",)))
        kept = Journal.open(path.parent, "bob")
        assert kept.state.standing(Tag, "q") == {"ann": TAG, "bob": Tag("q", ("generation",))}
        # only the line feed was missing: then the event is whole and counts, before the append and after
        is_whole = cut == len(whole) - 1
        assert kept.set_aside == again.set_aside == (0 if is_whole else 1)
        assert kept.state.standing(Tag, "p") == ({"ann": OTHER} if is_whole else {})


def test_a_tear_within_a_character_is_a_tear_like_any_other(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "ann")
    line = line_of(events_of("ann", [Note("q", "看不出来")])[0])
    journal.path.write_bytes(line[:-4])
    journal.append(TAG)
    assert standing(tmp_path) == {"ann": TAG}


@pytest.mark.parametrize(
    "damage", [b"\n\n", b"\xff\xfe\n", b"{}\n", b'{"schema":1}\n', b"\0\0\0\n", b"[" * 5000 + b"\n"]
)
def test_lines_that_are_no_events_are_set_aside_and_kept(tmp_path: Path, damage: bytes) -> None:
    journal = Journal.open(tmp_path, "ann")
    journal.append(TAG)
    with journal.path.open("ab") as file:
        file.write(damage)
    journal.append(OTHER)
    again = Journal.open(tmp_path, "ann")
    assert again.set_aside == journal.set_aside == bool(damage.strip())
    assert (again.state.standing(Tag, "q"), again.state.standing(Tag, "p")) == ({"ann": TAG}, {"ann": OTHER})
    assert damage in again.path.read_bytes()


def test_events_of_a_later_version_are_counted_and_kept(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "ann")
    (event,) = journal.append(TAG)
    with journal.path.open("ab") as file:
        file.write(line_of(event).replace(b'"schema":1', b'"schema":2'))
    assert (Journal.open(tmp_path, "ann").newer, Journal.open(tmp_path, "ann").set_aside) == (1, 0)


def test_old_versions_stay_readable() -> None:
    """One file for each schema version, as it was written then. They are never to be changed."""
    kept = sorted((Path(__file__).parent / "kept").glob("schema-*"))
    assert [folder.name for folder in kept] == ["schema-1"]
    journal = Journal.open(kept[0], "ann")
    assert (journal.set_aside, journal.newer, journal.state.ignored) == (0, 0, 0)
    assert journal.state.reviewers == ("ann", "bob")
    assert journal.state.standing(Tag, "q_022")["ann"] == Tag(
        "q_022", ("ranking", "noise"), "按名次看", "e5-small", 5, "ranking"
    )
    assert journal.state.standing(Tag, "q_014") == {}
    assert journal.state.gold_version == 4


def test_undo_and_redo_are_events_too(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "ann")
    journal.append(TAG)
    journal.append(Tag("q", ("ranking",)), Tag("p", ("ranking",)))
    assert [event.what.query_id for event in journal.undo()] == ["p", "q"]
    assert standing(tmp_path) == {"ann": TAG}
    assert len(journal.redo()) == 2
    assert standing(tmp_path, "p") == {"ann": Tag("p", ("ranking",))}
    assert len(journal.path.read_bytes().splitlines()) == 7


def test_undo_reaches_back_to_an_earlier_sitting_and_no_other_reviewer(tmp_path: Path) -> None:
    Journal.open(tmp_path, "ann").append(TAG)
    Journal.open(tmp_path, "bob").append(OTHER)
    assert Journal.open(tmp_path, "cid").undo() == ()
    assert [event.what for event in Journal.open(tmp_path, "ann").undo()] == [TAG]
    assert standing(tmp_path, "p") == {"bob": OTHER}


def test_two_open_journals_see_each_other(tmp_path: Path) -> None:
    ann, bob = Journal.open(tmp_path, "ann"), Journal.open(tmp_path, "bob")
    ann.append(TAG)
    bob.append(TAG)
    assert bob.state.standing(Tag, "q") == {"ann": TAG, "bob": TAG}
    assert ann.state.standing(Tag, "q") == {"ann": TAG}
    assert ann.refresh()
    assert not ann.refresh()
    assert ann.state.standing(Tag, "q") == {"ann": TAG, "bob": TAG}


def test_another_file_in_its_place_is_read_anew(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "ann")
    journal.append(TAG)
    journal.append(OTHER)
    journal.path.write_bytes(line_of(events_of("bob", [TAG])[0]))
    journal.refresh()
    assert journal.state.standing(Tag, "q") == {"bob": TAG}
    journal.path.unlink()
    journal.refresh()
    assert journal.state.standing(Tag, "q") == {}


def test_a_journal_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Journal.open(tmp_path, "ann").append(TAG)

    def refuse(path: Path, lines: bytes) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("ragtui.atomic.append_lines", refuse)
    journal = Journal.open(tmp_path, "ann")
    with pytest.raises(RagtuiError, match="Read-only file system"):
        journal.append(OTHER)
    assert journal.read_only == "Read-only file system"
    assert journal.state.standing(Tag, "q") == {"ann": TAG}
    assert journal.state.standing(Tag, "p") == {}


def test_what_stands_in_the_way_is_known_before_anything_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    assert Journal.open(tmp_path / "file" / "state", "ann").read_only
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert Journal.open(tmp_path, "ann").read_only == "Permission denied"


def test_a_full_disk_leaves_no_half_of_an_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.open(tmp_path, "ann")
    journal.append(TAG)
    before = journal.path.read_bytes()
    fsync = os.fsync

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RagtuiError, match="No space left"):
        journal.append(OTHER, Tag("r", ("noise",)))
    monkeypatch.setattr(os, "fsync", fsync)
    assert journal.path.read_bytes() == before
    journal.append(OTHER)
    assert journal.read_only == ""


WRITE = """
import sys
from pathlib import Path
from ragtui.review.events import Tag
from ragtui.review.journal import Journal
journal = Journal.open(Path(sys.argv[1]), sys.argv[2])
for number in range(int(sys.argv[3])):
    journal.append(Tag(f"q{number}", ("noise",), "x" * (number % 300)))
    print(number, flush=True)
"""


def writing(folder: Path, reviewer: str, n: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITE, str(folder), reviewer, str(n)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


@pytest.mark.slow
def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    n = 5_000
    both = [writing(tmp_path, who, n) for who in ("ann", "bob")]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    journal = Journal.open(tmp_path, "ann")
    assert journal.set_aside == 0
    for number in range(n):
        assert journal.state.standing(Tag, f"q{number}").keys() == {"ann", "bob"}


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Two hundred processes, each killed after a random number of acknowledged events."""
    import random

    draw = random.Random(7)
    acknowledged = 0
    for round_ in range(200):
        process = writing(tmp_path, f"r{round_}", 100_000)
        assert process.stdout is not None
        wanted = draw.randrange(1, 12)
        last = -1
        for line in process.stdout:
            last = int(line)
            if last >= wanted:
                break
        process.kill()
        for line in process.stdout:  # acknowledged before the kill, read after it
            last = int(line) if line.endswith(b"\n") else last
        process.wait()
        process.stdout.close()
        journal = Journal.open(tmp_path, "reader")
        for number in range(last + 1):
            assert f"r{round_}" in journal.state.standing(Tag, f"q{number}")
        acknowledged += last + 1
    assert Journal.open(tmp_path, "reader").set_aside <= 200
    assert acknowledged > 200
