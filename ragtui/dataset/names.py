"""Names that become file names: of runs and splits."""

from __future__ import annotations

import re

_SAFE = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]{1,100}")
_DEVICES = frozenset({"con", "prn", "aux", "nul"})


def is_file_name(name: str) -> bool:
    """Whether `name` can be a file of its own in any folder of any system: no path, nothing hidden."""
    if not _SAFE.fullmatch(name) or name.startswith(".") or name != name.strip():
        return False
    return name.partition(".")[0].lower() not in _DEVICES
