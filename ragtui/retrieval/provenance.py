"""What a run card says of where a run was made: versions of packages, state of the repository, time."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import ragtui


def provenance(packages: Iterable[str]) -> Mapping[str, Any]:
    """Fields `time`, `ragtui`, `python`, `packages`, and in a repository `git_commit` and `git_dirty`."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "ragtui": ragtui.__version__,
        "python": platform.python_version(),
        **_repository(Path.cwd()),
        "packages": {name: _version(name) for name in sorted({"numpy", *packages})},
    }


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unknown"


def _repository(folder: Path) -> Mapping[str, Any]:
    commit = _git(folder, "rev-parse", "--verify", "HEAD")
    changes = _git(folder, "status", "--porcelain")
    if not commit or changes is None:
        return {}
    return {"git_commit": commit, "git_dirty": bool(changes)}


def _git(folder: Path, *arguments: str) -> str | None:
    """Output of git, None where there is no git, no repository, or no answer."""
    # A repository may name a program to watch its files; asking for its state must not start it.
    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
