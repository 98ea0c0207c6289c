"""Names that become file names: of runs and splits."""

from __future__ import annotations

import re

_SAFE = re.compile(r"[^\x00-\x1f\x7f/\\\ud800-\udfff]{1,100}")


def is_file_name(name: str) -> bool:
    """Whether `name` can be a file of its own inside a folder: no path, printable, not hidden."""
    return _SAFE.fullmatch(name) is not None and not name.startswith(".") and name == name.strip()
