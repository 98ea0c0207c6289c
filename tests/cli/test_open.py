"""What `ragtui` opens: the set that is named, the one of this folder, or the start page."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragtui import locations
from ragtui.tui import app
from ragtui.workspace import Workspace, recent
from tests.cli.conftest import Call


class Opened:
    """Stands for the app: what it was asked to show."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.workspace: Workspace | None = None
        self.run_name: str | None = None
        monkeypatch.setattr(app, "run", self.run)
        monkeypatch.setattr("ragtui.cli.open.has_terminal", lambda: True)

    def run(self, workspace: Workspace | None, *, run: str | None = None) -> None:
        self.workspace, self.run_name = workspace, run

    @property
    def path(self) -> Path | None:
        return self.workspace.set.path.resolve() if self.workspace is not None else None


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


def test_the_set_that_is_named_is_opened_and_remembered(ragtui: Call, made: Path, opened: Opened) -> None:
    assert ragtui(made).code == 0
    assert opened.path == made
    assert [one.path for one in recent.recent_sets()] == [made]


def test_the_set_of_this_folder(
    ragtui: Call, made: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    assert "this folder" in ragtui().err
    assert opened.path == made
    assert [one.path for one in recent.recent_sets()] == [made]


def test_elsewhere_the_start_page(
    ragtui: Call, tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = ragtui()
    assert (said.code, said.err) == (0, "")
    assert opened.workspace is None


def test_options_alone_are_about_the_example(
    ragtui: Call, tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "bundled example" in ragtui("--run", "minilm").err
    assert opened.path == locations.example_set().resolve()
    assert opened.run_name == "minilm"
    assert recent.recent_sets() == []


def test_what_needs_options_to_be_read_is_not_remembered(ragtui: Call, made: Path, opened: Opened) -> None:
    run = next((made / "runs").glob("*.jsonl"))
    assert ragtui(made, "--run", f"again={run}").code == 0
    assert opened.run_name == "again"
    assert recent.recent_sets() == []
