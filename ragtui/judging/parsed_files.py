"""Verdict files, and among the caches what was parsed of large ones, so that these are there in no time.

What is kept is believed only of the very bytes it was made from; what was appended since is parsed and added.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ragtui import locations
from ragtui.atomic import write_bytes
from ragtui.errors import RagtuiError
from ragtui.judging.lines import COLUMNS, SCHEMA, Parsed, frame_of, from_arrow, parse

LARGE = 1 << 20
"""Bytes from which on it pays to keep what was parsed."""

_LAYOUT = f"{SCHEMA} {' '.join(COLUMNS)}"


def parsed_file(path: Path) -> Parsed:
    """The lines of a file; none where there is no file. A line without an end is set aside.

    Raises:
        RagtuiError: the file is there and cannot be read.
    """
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):  # a set may be a file
        return Parsed(frame_of([]))
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("judging.verdicts-unreadable", where=str(path), why=why) from error
    end = content.rfind(b"\n") + 1
    torn = int(end < len(content))
    found = parse(content[:end]) if end < LARGE else _with_kept(path, memoryview(content)[:end])
    return Parsed(found.frame, found.set_aside + torn)


def _with_kept(path: Path, content: memoryview) -> Parsed:
    file = _file_for(path)
    kept, covered = _kept(file, content)
    if kept is None:
        found = parse(bytes(content))
    elif covered == len(content):
        return kept
    else:
        added = parse(bytes(content[covered:]))
        frame = pd.concat([kept.frame, added.frame], ignore_index=True)
        found = Parsed(frame, kept.set_aside + added.set_aside)
    if len(content) - covered >= LARGE:
        _keep(file, found, content)
    return found


def _file_for(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return locations.cache_folder() / "verdicts" / f"{name}.arrow"


def _kept(file: Path, content: memoryview) -> tuple[Parsed | None, int]:
    """What was parsed of a beginning of `content`, and how long that is; None and 0 for nothing."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(file)) as source, pa.ipc.open_file(source) as reader:
            facts = _facts(reader.schema.metadata)
            size = facts["size"]
            if (
                facts["layout"] != _LAYOUT
                or size > len(content)
                or zlib.crc32(content[:size]) != facts["crc"]
            ):
                return None, 0
            return Parsed(from_arrow(reader.read_all()), facts["set_aside"]), size
    except (OSError, pa.ArrowException, ValueError, KeyError, TypeError):
        return None, 0


def _facts(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    return dict(json.loads((metadata or {})[b"ragtui"]))


def _keep(file: Path, found: Parsed, content: memoryview) -> None:
    """Keep what was parsed; where that is not possible the next reading takes longer, and that is all."""
    import pyarrow as pa

    facts = {
        "layout": _LAYOUT,
        "size": len(content),
        "crc": zlib.crc32(content),
        "set_aside": found.set_aside,
    }
    table = pa.Table.from_pandas(found.frame, preserve_index=False)
    table = table.replace_schema_metadata({"ragtui": json.dumps(facts)})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.parent.chmod(0o700)
        write_bytes(file, sink.getvalue().to_pybytes())
    except OSError:
        return
