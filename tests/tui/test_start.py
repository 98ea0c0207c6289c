"""The start page: sets that were opened before, the bundled ones, and how to open one's own."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ragtui import locations
from ragtui.tui import cells
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.page import PageScreen
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.screens.start import StartScreen
from ragtui.workspace import recent
from tests.tui.driving import lines, page, press, row_of, said, settled


def small_set(folder: Path) -> Path:
    """A set of one query, which its one run finds."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "runs").mkdir()
    texts = {
        "queries.jsonl": '{"_id": "q1", "text": "高铁几等座"}\n',
        "corpus.jsonl": '{"_id": "c1", "text": "二等座"}\n',
        "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\tc1\t1\n",
        "runs/bm25.jsonl": json.dumps({"query_id": "q1", "results": [{"chunk_id": "c1", "score": 2.5}]}),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@asynccontextmanager
async def started(size: tuple[int, int] = (100, 30)) -> AsyncIterator[Pilot[None]]:
    app = RagtuiApp(None)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, StartScreen)
        yield pilot


@pytest.fixture
def two_sets(tmp_path: Path) -> tuple[Path, Path]:
    """One that is there, and one opened after it that is gone."""
    here, gone = small_set(tmp_path / "旅行"), small_set(tmp_path / "gone")
    recent.remember(here)
    recent.remember(gone)
    shutil.rmtree(gone)
    return here, gone


async def test_recent_sets_come_first_and_the_example_is_there(two_sets: tuple[Path, Path]) -> None:
    async with started() as pilot:
        shown = page(pilot).splitlines()
        assert shown[2].split()[:2] == [">1", "gone"]
        assert shown[2].endswith("not there any more")
        assert shown[3].split()[:2] == ["2", "旅行"]
        assert "opened 20" in shown[3]
        assert shown[4].split()[:2] == ["3", locations.example_set().name]
        assert shown[5].split()[:2] == ["4", "tech-notes"]
        assert "ragtui check FOLDER" in page(pilot)


async def test_a_set_is_opened_left_and_another_one_opened(two_sets: tuple[Path, Path]) -> None:
    here, _ = two_sets
    async with started() as pilot:
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, QueriesScreen)
        assert "高铁几等座" in page(pilot)
        assert recent.recent_sets()[0].path == here
        # esc dismisses the first line, then leaves the set; what was opened stands first now
        await press(pilot, "space", "escape", "escape")
        assert isinstance(pilot.app.screen, StartScreen)
        assert page(pilot).splitlines()[2].split()[1] == "旅行"
        await press(pilot, "1")
        assert isinstance(pilot.app.screen, QueriesScreen)
        # the mark that was given is still there
        assert row_of(pilot, "q1").split()[1] == "*"
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, StartScreen)
        await pilot.press("q")
    assert not pilot.app.is_running


async def test_a_set_that_cannot_be_opened_says_why_and_can_be_removed(two_sets: tuple[Path, Path]) -> None:
    _, gone = two_sets
    async with started() as pilot:
        await press(pilot, "enter")
        assert "there is no such file or folder" in " ".join(page(pilot).split())
        await press(pilot, "delete")
        assert gone not in [one.path for one in recent.recent_sets()]
        assert page(pilot).splitlines()[2].split()[:2] == [">1", "旅行"]
        # the example stays, and once nothing can be removed it is not offered
        await press(pilot, "end", "backspace")
        assert said(pilot) == ["The examples stay. Only sets that you opened can be taken off the list."]
        assert "remove" in lines(pilot)[-1]
        await press(pilot, "home", "backspace")
        assert recent.recent_sets() == []
        assert "remove" not in lines(pilot)[-1]


async def test_a_set_is_opened_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_set(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    async with started() as pilot:
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, AskDialog)
        await press(pilot, *"mine", "enter")
        assert "mine > bm25" in page(pilot)


async def test_keys_and_palette_are_those_of_the_page() -> None:
    async with started() as pilot:
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "open a set by its path" in page(pilot)
        assert "ndcg" not in page(pilot)
        await press(pilot, "escape", "ctrl+p")
        assert "another folder" in page(pilot)


@pytest.mark.parametrize("size", [(40, 8), (80, 24), (200, 50)])
async def test_no_line_of_it_is_wider_than_the_screen(
    two_sets: tuple[Path, Path], size: tuple[int, int]
) -> None:
    async with started(size) as pilot:
        assert {cells.width(line) for line in lines(pilot)} == {size[0]}
