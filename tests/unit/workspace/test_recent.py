"""Sets that were opened before: newest first, each once, and never a reason to fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragtui import locations
from ragtui.workspace import recent


def names() -> list[str]:
    return [one.path.name for one in recent.recent_sets()]


def test_newest_first_and_each_once(tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        recent.remember(tmp_path / name)
    assert names() == ["a", "b"]
    recent.forget(tmp_path / "a")
    assert names() == ["b"]


def test_a_path_is_the_same_however_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recent.remember(Path("a"))
    recent.remember(tmp_path / "x" / ".." / "a")
    assert [one.path for one in recent.recent_sets()] == [tmp_path / "a"]


def test_old_ones_are_forgotten(tmp_path: Path) -> None:
    for n in range(recent.MOST + 5):
        recent.remember(tmp_path / str(n))
    assert names() == [str(n) for n in range(recent.MOST + 4, 4, -1)]


def test_bundled_sets_are_not_remembered() -> None:
    recent.remember(locations.example_set())
    assert names() == []


def test_a_name_that_is_no_utf8_comes_back(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"set-\xff")
    recent.remember(path)
    assert recent.recent_sets()[0].path == path


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sets": [1]}', '{"sets": [{"path": "x"}]}', "\x00"])
def test_a_damaged_file_holds_none_and_is_written_anew(tmp_path: Path, content: str) -> None:
    file = locations.data_folder() / "recent.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    assert names() == []
    recent.remember(tmp_path / "a")
    assert names() == ["a"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAGTUI_DATA_DIR", str(tmp_path / "file" / "inside"))
    recent.remember(tmp_path / "a")
    assert names() == []
