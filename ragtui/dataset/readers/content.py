"""Bytes and lines of input files: gzipped or not, bounded in memory, UTF-8 with or without a mark."""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

from ragtui.dataset.faults import Faults

# A line of this size is a mistake (a list of 100,000 results with texts has about 50 MB); reading stops
# there, so that a file without line ends never fills the memory.
LINE_LIMIT = 64 * 2**20
# A JSON document that is one value has to be read whole.
DOCUMENT_LIMIT = 256 * 2**20

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"


def byte_lines(path: Path, faults: Faults) -> Iterator[tuple[int, bytes]]:
    """Lines of a file with their numbers from 1, without line end and byte order mark.

    What keeps the file from being read (absent, no permission, binary, a line over `LINE_LIMIT`, a broken
    archive) becomes a fault, and the lines end there.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            faults.error("no-plain-file", path)
            return
        with open_plain(path) as stream:
            head = stream.peek(8192)[:8192]
            if head.startswith(_UTF16):
                faults.error("utf16", path)
            elif b"\0" in head:
                faults.error("binary-file", path)
            else:
                yield from _split(stream, path, faults)
    except FileNotFoundError:
        faults.error("missing-file", path)
    except PermissionError:
        faults.error("no-permission", path)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        faults.error("damaged-gzip", path)
    except OSError as error:
        faults.error("unreadable", path, reason=error.strerror or type(error).__name__)


def text_lines(path: Path, faults: Faults) -> Iterator[tuple[int, str]]:
    """Like `byte_lines`, decoded; a line that is not UTF-8 is a fault and ends the file."""
    for number, line in byte_lines(path, faults):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            faults.error("not-utf8", path, number, byte=f"0x{line[error.start]:02x}")
            return


def document(path: Path, faults: Faults) -> bytes | None:
    """The whole of a file, None where it cannot be read or is larger than `DOCUMENT_LIMIT`."""
    before = faults.error_count
    parts: list[bytes] = []
    size = 0
    for _, line in byte_lines(path, faults):
        size += len(line) + 1
        if size > DOCUMENT_LIMIT:
            faults.error("document-too-large", path, limit=DOCUMENT_LIMIT >> 20)
            return None
        parts.append(line)
    return b"\n".join(parts) if faults.error_count == before else None


def head(path: Path, lines: int = 2) -> list[bytes]:
    """The first lines of a file that are not blank; empty where it cannot be read (reading it says why)."""
    found: list[bytes] = []
    for _, line in byte_lines(path, Faults()):
        if line and not line.isspace():
            found.append(line)
        if len(found) == lines:
            break
    return found


def open_plain(path: Path) -> io.BufferedReader:
    """The bytes of a file, unpacked where it is gzipped.

    Raises:
        OSError: it cannot be opened.
    """
    stream = path.open("rb")
    if stream.peek(2)[:2] != _GZIP:
        return stream
    # the archive reader closes the file below it when it is closed itself
    return io.BufferedReader(_OwningGzip(stream), 1 << 20)


class _OwningGzip(gzip.GzipFile):
    """A gzip stream that closes the file it reads."""

    def __init__(self, stream: io.BufferedReader) -> None:
        super().__init__(fileobj=stream, mode="rb")
        self._stream = stream

    def close(self) -> None:
        super().close()
        self._stream.close()


def _split(stream: io.BufferedReader, path: Path, faults: Faults) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(LINE_LIMIT + 1):
        number += 1
        if len(line) > LINE_LIMIT:
            faults.error("line-too-long", path, number, limit=LINE_LIMIT >> 20)
            return
        if number == 1:
            line = line.removeprefix(_BOM)
        yield number, line.rstrip(b"\r\n")
