"""Whether ambiguous characters are double is asked of the terminal itself, briefly."""

from __future__ import annotations

import os
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ragtui.tui.terminal import ambiguous_is_wide

pty = pytest.importorskip("pty")


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> Iterator[list[bytes]]:
    """A terminal that answers when asked for the place of the cursor; yields what was written to it."""
    ours, theirs = pty.openpty()
    written: list[bytes] = []

    def talk() -> None:
        heard = b""
        while b"\x1b[K" not in heard:
            heard += os.read(ours, 64)
            if b"\x1b[6n" in heard and not written:
                written.append(heard)
                os.write(ours, answer)
        written.append(heard)

    talker = threading.Thread(target=talk, daemon=True)
    talker.start()
    try:
        with (
            os.fdopen(theirs, "r", encoding="utf-8", closefd=False) as keyboard,
            os.fdopen(theirs, "w", encoding="utf-8", closefd=False) as screen,
        ):
            monkeypatch.setattr(sys, "stdin", keyboard)
            monkeypatch.setattr(sys, "stdout", screen)
            yield written
            talker.join(5)
            assert not talker.is_alive()
    finally:
        os.close(theirs)
        os.close(ours)


@pytest.mark.parametrize(
    ("answer", "is_wide"),
    [
        # one column after the character, two columns after it, and a key pressed in between
        (b"\x1b[12;2R", False),
        (b"\x1b[12;3R", True),
        (b"j\x1b[1;3R", True),
        (b"", False),
    ],
)
def test_the_terminal_is_asked(monkeypatch: pytest.MonkeyPatch, answer: bytes, is_wide: bool) -> None:
    with terminal(monkeypatch, answer) as written:
        before = termios.tcgetattr(sys.stdin.fileno())
        assert ambiguous_is_wide() is is_wide
        assert termios.tcgetattr(sys.stdin.fileno()) == before
    # the character that was written is wiped out again
    assert written[-1].endswith(b"\r\x1b[K")


def test_a_pipe_is_not_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert ambiguous_is_wide() is False
    assert capsys.readouterr().out == ""
