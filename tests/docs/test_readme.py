"""The README says what the product says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from ragtui.cli.verbs import app
from ragtui.dataset.export.catalogue import EXPORT_NAMES
from ragtui.dataset.formats.catalogue import FORMAT_NAMES
from ragtui.metrics.catalogue import METRICS
from ragtui.tui.actions import ACTIONS


@pytest.fixture
def readme(checkout: Path) -> str:
    return (checkout / "README.md").read_text(encoding="utf-8")


def test_tables_are_those_of_the_catalogues(checkout: Path, readme: str) -> None:
    refreshed = runpy.run_path(str(checkout / "docs" / "refresh.py"))["with_tables"](readme)
    assert refreshed == readme, "run `make docs`"


def test_every_action_and_metric_has_a_row(readme: str) -> None:
    for action in ACTIONS:
        assert f"| {action.what}" in readme
    for name in METRICS:
        assert f"| `{name}@K`" in readme


def test_every_verb_is_shown_by_an_example(readme: str) -> None:
    verbs = {command.name for command in app.registered_commands if not command.hidden}
    missing = {verb for verb in verbs if f"ragtui {verb}" not in readme}
    assert missing == set()


def test_every_format_and_form_has_a_row(readme: str) -> None:
    rows = [(one.name, one.words) for one in FORMAT_NAMES] + [(one.name, one.words) for one in EXPORT_NAMES]
    assert [name for name, words in rows if f"| `{name}` | {words} |" not in readme] == []


def test_every_command_in_it_is_one_we_have(readme: str) -> None:
    verbs = {command.name for command in app.registered_commands}
    shown = set(re.findall(r"^ragtui ([a-z]+)\b(?![/-])", readme, flags=re.MULTILINE))
    assert shown <= verbs | {"my"}


def test_pictures_and_links_of_the_repository_exist(checkout: Path, readme: str) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", readme)
    assert any(target.endswith("queries.svg") for target in targets)
    assert any(target.endswith("detail.svg") for target in targets)
    missing = [target for target in targets if not (checkout / target).exists()]
    assert missing == []


def test_pictures_ask_no_server(checkout: Path) -> None:
    for picture in (checkout / "docs" / "screens").glob("*.svg"):
        links = set(re.findall(r'(?:href|src|url)[=(]\s*["\']?(https?:[^"\')]+)', picture.read_text("utf-8")))
        assert links == set(), picture.name
