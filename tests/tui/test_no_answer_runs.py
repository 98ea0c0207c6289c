"""The runs of screen 4 side by side, and the heading of the wrong side, without a screen."""

from __future__ import annotations

import numpy as np
import pytest

from ragtui.analysis.calibration.calibrate import Aim, calibrate
from ragtui.analysis.calibration.sample import Sample, WrongSide
from ragtui.analysis.calibration.score_names import ScoreName
from ragtui.messages import LANGUAGES, Language, use
from ragtui.tui import cells
from ragtui.tui.state.no_answer_panel import Panel
from ragtui.tui.state.no_answer_runs import run_lines
from ragtui.tui.state.no_answer_wrong import WrongRows, heading
from ragtui.tui.state.pieces import Fact, total
from ragtui.workspace import Workspace


def panel(name: str, apart: float) -> Panel:
    """Forty queries of each kind, the answerable ones higher by so much."""
    scores = np.concatenate([np.linspace(0, 1, 40) + apart, np.linspace(0, 1, 40)])
    sample = Sample(
        split="dev",
        score=ScoreName(),
        run_direction="higher",
        k=5,
        query_ids=np.array([f"q{n}" for n in range(80)], dtype=object),
        kind=np.repeat(np.array([0, 2], dtype=np.int8), 40),
        values=scores,
    )
    return Panel(name, sample, calibrate(name, Aim(), sample, sample))


def drawn(lines: list[Fact]) -> list[str]:
    return ["".join(piece.text for piece in line) for line in lines]


def test_a_threshold_that_must_not_be_used_says_so() -> None:
    """Kinds that lie 2 apart are told by every fold without a mistake; the same kind twice is not."""
    _, title, head, good, flat = drawn(run_lines([panel("good", 2), panel("flat", 0)], "good", (100, 10)))
    assert title == "all runs, cross-fitted"
    columns = ("threshold", "false answers", "false refusals", "wrong if answered")
    assert " ".join(head.split()) == " ".join((*columns, "answered"))
    assert good.split()[:4] == ["good", "2.000", "0.0", "%"]
    assert flat.split()[:2] == ["flat", "none"]


def test_a_run_that_is_not_found_out_yet_keeps_its_line() -> None:
    lines = drawn(run_lines([panel("good", 2), Panel("slow")], "good", (100, 10)))
    assert lines[4].split() == ["slow", ".."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60, 78, 100])
def test_columns_leave_until_the_table_fits(width: int, language: Language) -> None:
    use(language)
    lines = run_lines([panel("餐补" * 20, 2), panel("flat", 0)], "flat", (width, 5))
    assert len(lines) == 5
    assert max(map(total, lines)) <= width


@pytest.mark.parametrize(("runs", "height"), [(1, 10), (2, 4)])
def test_there_is_no_table_of_one_run_or_without_room(runs: int, height: int) -> None:
    assert run_lines([panel(f"run {n}", 2) for n in range(runs)], "run 0", (100, height)) == []


def test_the_heading_leaves_the_run_to_the_first_line_where_it_is_narrow(travel: Workspace) -> None:
    found = [WrongSide("q01", "no-answer", "false-answer", 0.9, 0.1)] * 12
    rows = WrongRows(travel, found, set())
    wide, narrow = ("".join(drawn([heading(rows, "e5-small", ".800", width)])) for width in (120, 80))
    assert "wrong side of .800 in e5-small" in wide
    assert "e5-small" not in narrow
    assert "12 false answers" in narrow
    assert cells.width(narrow) <= 80
