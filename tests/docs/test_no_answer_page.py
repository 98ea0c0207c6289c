"""What the page on refusal thresholds says of the app is what the app does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragtui.analysis.calibration.calibrate import Aim
from ragtui.tui.actions import Place, actions_of, key_table
from ragtui.tui.glyphs import UNICODE
from ragtui.workspace import Workspace

PLACES: tuple[Place, ...] = ("queries", "no_answer", "wrong_side")


@dataclass(frozen=True)
class Hit:
    """What a retriever returns."""

    score: float


@pytest.fixture
def section(checkout: Path) -> str:
    page = (checkout / "docs" / "no-answer.md").read_text(encoding="utf-8")
    return page.partition("### In the app")[2].partition("\n## ")[0]


def test_the_readme_leads_to_it(checkout: Path) -> None:
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    assert "[From histogram to refusal policy](docs/no-answer.md)" in readme


def test_keys_of_the_page_are_those_of_the_catalogue(section: str) -> None:
    rows = re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    assert len(named) > 15
    assert UNICODE.left in named
    shown = {
        key
        for what in {action.what for place in PLACES for action in actions_of(place)}
        for row in key_table("en")
        if row[2] == what
        for key in (*row[0].split(), *row[1].split())
    }
    assert named - shown == set()


def test_pictures_of_the_page_are_there(checkout: Path) -> None:
    page = checkout / "docs" / "no-answer.md"
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert "screens/no-answer.svg" in pictures
    assert [one for one in pictures if not (page.parent / one).exists()] == []


def test_the_picture_shows_the_thresholds_of_three_models(checkout: Path, tmp_path: Path) -> None:
    """Each model has its own; all stand in the picture as the calibration finds them."""
    workspace = Workspace.open(checkout / "datasets" / "tech-notes", state=tmp_path)
    picture = (checkout / "docs" / "screens" / "no-answer.svg").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]*>", " ", picture).replace("&#160;", " ")
    for run in workspace.runs:
        found = workspace.calibration(run)
        assert found.fitted is not None
        auroc = found.auroc.value
        assert auroc is not None
        assert f"AUROC {auroc:.3f}".replace("0.", ".") in text
        figures = [float(figure) for figure in re.findall(r"(?<![\d.])\d*\.\d+", text)]
        counts = found.report.counts_at(found.fitted.value)
        assert any(found.report.counts_at(figure) == counts for figure in figures), run


def test_the_example_for_production_runs(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut out of the page, over a file that was exported from the bundled set, with scores on both sides."""
    page = (checkout / "docs" / "no-answer.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)[0]
    workspace = Workspace.open(checkout / "datasets" / "tech-notes", state=tmp_path / "state")
    found = workspace.calibration("e5-small", Aim(min_auroc=0.5))
    assert found.threshold is not None
    workspace.calibrations.export(tmp_path / "thresholds.toml", [found])
    monkeypatch.chdir(tmp_path)
    exec(example, {"hits": [Hit(found.threshold.value)]})
    assert capsys.readouterr().out == ""
    exec(example, {"hits": [Hit(found.threshold.value - 1e-6)]})
    assert capsys.readouterr().out == "I do not know.\n"
    exec(example, {"hits": []})
    assert capsys.readouterr().out == "I do not know.\n"
