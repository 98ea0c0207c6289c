"""Writing that a crash cannot spoil: whole files or none, and lines that spoil only themselves."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `path` when the block ends well; else nothing is left.

    The folder must exist. Other processes see the old file or the whole new one.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    aside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(_mode(path))
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path` at once or not at all."""
    with replacing(path) as file:
        file.write(content)


def write_text(path: Path, content: str) -> None:
    """Write `content` as UTF-8 with the line breaks it has."""
    write_bytes(path, content.encode("utf-8"))


def append_lines(path: Path, lines: bytes) -> None:
    """Append whole lines, on disk when this returns, or none of them; one process at a time.

    A line that a crash left unfinished is closed first, so that it spoils only itself. The folder must exist.
    """
    with _locked(path.with_name(f".{path.name}.lock")), path.open("a+b", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        content = memoryview(b"\n" + lines if _is_torn(file) else lines)
        try:
            while content:
                content = content[file.write(content) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)  # some of the lines may be there, and none of them was promised
            raise
        if not size:
            _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Put the name of a new file on disk too, where the system lets folders be opened (Windows does not)."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that one process at a time has; it ends with the process at the latest.

    The system's own call where there is one: a library around it takes longer than the writing.
    """
    if sys.platform == "win32":
        from filelock import FileLock

        with FileLock(path):
            yield
    else:
        import fcntl

        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _is_torn(file: FileIO) -> bool:
    """Whether the last line lacks its end. Where the file is read to does not matter to appending."""
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"


def _mode(path: Path) -> int:
    """Mode of the file that is replaced, else what the umask leaves of 0666 (mkstemp gives 0600)."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
