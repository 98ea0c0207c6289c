"""Sets that were opened before, newest first: `recent.json` of the user's data folder.

It is a convenience: where it cannot be read there are none, and where it cannot be written nothing is kept.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ragtui import atomic, locations

SCHEMA = 1
MOST = 20
"""Sets that are remembered; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class RecentSet:
    """A set that was opened: where it lies, and when, in ISO 8601 with zone."""

    path: Path
    opened: str

    @property
    def exists(self) -> bool:
        """Whether it is still there."""
        try:
            return self.path.exists()
        except OSError:
            return False


def recent_sets() -> list[RecentSet]:
    """Sets that were opened, newest first."""
    try:
        content = json.loads(_file().read_bytes().decode("utf-8", "surrogatepass"))
        return [RecentSet(Path(str(one["path"])), str(one["opened"])) for one in content["sets"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def remember(path: Path) -> None:
    """Put a set first; the bundled ones are offered anyway and not remembered."""
    if locations.is_bundled(path):
        return
    here = path.resolve()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    _write([RecentSet(here, now), *(one for one in recent_sets() if one.path != here)][:MOST])


def forget(path: Path) -> None:
    """Take a set off the list; its files stay."""
    _write([one for one in recent_sets() if one.path != path])


def _write(sets: list[RecentSet]) -> None:
    content = {"schema": SCHEMA, "sets": [{"path": str(one.path), "opened": one.opened} for one in sets]}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    with suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        atomic.write_bytes(_file(), text.encode("utf-8", "surrogatepass"))


def _file() -> Path:
    return locations.data_folder() / "recent.json"
