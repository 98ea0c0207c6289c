"""A file is whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragtui import atomic


def test_content_takes_the_place_of_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_text("old")
    path.chmod(0o640)
    atomic.write_text(path, "新\n")
    assert path.read_bytes() == "新\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("old")
    half_written = atomic.replacing(path)
    half_written.__enter__().write(b"half of it")
    interrupt = KeyboardInterrupt()
    assert not half_written.__exit__(KeyboardInterrupt, interrupt, None)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_content_is_on_disk_before_the_name_points_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor: int) -> None:
        steps.append("fsync")
        fsync(descriptor)

    def noted_replace(self: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    atomic.write_bytes(tmp_path / "x", b"1")
    assert steps == ["fsync", "rename"]


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        atomic.write_bytes(tmp_path / "x", b"")
    finally:
        os.umask(old)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640
