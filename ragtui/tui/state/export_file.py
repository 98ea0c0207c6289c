"""The name of a file that a view is exported to."""

from __future__ import annotations

from itertools import count
from pathlib import Path

SUFFIXES = {
    "csv": "csv",
    "excel": "csv",
    "md": "md",
    "json": "json",
    "jsonl": "jsonl",
    "markdown": "md",
    "toml": "toml",
}


def export_file(folder: Path, name: str, file_format: str, what: str = "queries") -> Path:
    """A file in `folder` that is not there yet, called after both names; no name becomes a path."""
    stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".-")[:60] or "set"
    suffix = SUFFIXES[file_format]
    names = (f"{stem}-{what}{f'-{n}' if n > 1 else ''}.{suffix}" for n in count(1))
    return next(path for path in (folder / name for name in names) if not path.exists())
