"""What can be found out about the terminal before the app takes it."""

from __future__ import annotations

import os
import re
import select
import sys
from time import monotonic

PATIENCE = 0.1
"""Seconds to wait for an answer; terminals that give none are taken as ordinary ones."""

_PROBE = "\r\u00b7\x1b[6n"
_ANSWER = re.compile(rb"\x1b\[\d+;(\d+)R")


def ambiguous_is_wide() -> bool:
    """Whether the terminal draws East Asian ambiguous characters two cells wide.

    Writes one such character, asks where the cursor is, and wipes it out again. False where there is no
    terminal, where it does not answer in time, and on systems without termios.
    """
    try:
        import termios
        import tty
    except ImportError:
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    terminal = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(terminal)
    except termios.error:
        return False
    try:
        tty.setcbreak(terminal)
        sys.stdout.write(_PROBE)
        sys.stdout.flush()
        return _column(terminal) == 3
    except (OSError, termios.error):
        return False
    finally:
        sys.stdout.write("\r\x1b[K")
        sys.stdout.flush()
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)


def _column(terminal: int) -> int | None:
    """Column of the cursor as the terminal tells it, from 1; None where it tells nothing in time."""
    heard = b""
    deadline = monotonic() + PATIENCE
    while (left := deadline - monotonic()) > 0:
        ready, _, _ = select.select([terminal], [], [], left)
        if ready:
            heard += os.read(terminal, 64)
        answer = _ANSWER.search(heard)
        if answer is not None:
            return int(answer.group(1))
    return None
