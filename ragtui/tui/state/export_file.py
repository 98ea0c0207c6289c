"""The name of a file that the view is exported to."""

from __future__ import annotations

from itertools import count
from pathlib import Path

SUFFIXES = {"csv": "csv", "jsonl": "jsonl", "markdown": "md"}


def export_file(folder: Path, name: str, file_format: str) -> Path:
    """A file in `folder` that is not there yet, called after the set; foreign names never become paths."""
    stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".-")[:60] or "queries"
    suffix = SUFFIXES[file_format]
    names = (f"{stem}-queries{f'-{n}' if n > 1 else ''}.{suffix}" for n in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists())
