"""What the app remembers of a set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragtui.workspace.view_state import ViewState, load, save

FULL = ViewState(
    run="bm25",
    k=5,
    stage="prompt",
    sort="ndcg@5",
    reverse=True,
    filter="type:表格",
    selected="q_1",
    theme="nord",
    marks=("q_1", "问题"),
    dismissed=("welcome",),
    filters={"bad": "is:miss"},
)


def test_a_view_comes_back_as_it_was_left(tmp_path: Path) -> None:
    assert save(tmp_path / "state", FULL)
    assert load(tmp_path / "state") == FULL


def test_a_first_visit_has_the_default_view(tmp_path: Path) -> None:
    assert load(tmp_path) == ViewState()


def test_a_damaged_file_is_set_aside_and_not_lost(tmp_path: Path) -> None:
    (tmp_path / "view.json").write_text('{"marks": ["q_1"')
    assert load(tmp_path) == ViewState()
    assert (tmp_path / "view.json.damaged").read_text() == '{"marks": ["q_1"'


@pytest.mark.parametrize(
    "content", [[], 3, {"k": "five", "marks": "q", "reverse": 1, "run": 7, "filters": []}]
)
def test_values_of_a_wrong_kind_are_left_out(tmp_path: Path, content: object) -> None:
    (tmp_path / "view.json").write_text(json.dumps(content))
    assert load(tmp_path) == ViewState()


def test_a_folder_that_cannot_be_made_is_said_and_survived(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    assert save(tmp_path / "state", FULL) is False


def test_ids_with_lone_surrogates_are_kept(tmp_path: Path) -> None:
    view = ViewState(marks=("q\ud800",))
    assert save(tmp_path, view)
    assert load(tmp_path) == view
