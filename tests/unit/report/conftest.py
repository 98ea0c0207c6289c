"""Workspaces that reports are made of: the bundled example, a set made by hand, one full of hostile text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragtui import locations, messages
from ragtui.dataset.model import EvaluationSet, SetSettings
from ragtui.messages import Language
from ragtui.report.build import build_report
from ragtui.report.model import Report
from ragtui.report.words.page_of import compose
from ragtui.workspace import Workspace
from tests.tui.conftest import NASTY
from tests.tui.conftest import made_set as tui_set
from tests.unit.analysis.conftest import made_set

TIME = "2026-11-30T08:00:00+00:00"

HOSTILE = [
    *NASTY,
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr></table></main><h1>owned</h1>",
    "{{ 7 * 7 }} {% raw %} {n} {0} {} %s",
    "`code` ``more`` **bold** _emphasis_ ~~gone~~ $x$",
    "| a | b |\n|---|---|\n| c | d |",
    "![picture](http://example.com/x.png) [link](javascript:alert(1)) <http://example.com>",
    "https://example.com/a_b www.example.com",
    "# heading",
    "- item",
    "1. item",
    "=== --- +++",
    "\ue000n\ue001 \ue000run\ue001",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
]
"""What ends a cell, begins markup, names a place of a template, or looks like a link."""


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    messages.use("en")
    yield
    messages.use(None)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace.open(locations.example_set(), state=tmp_path_factory.mktemp("state"))


MakeWorkspace = Callable[..., Workspace]


@pytest.fixture
def workspace_of(tmp_path: Path) -> MakeWorkspace:
    """A workspace of the set made by hand (K 3), with other settings where these are named."""

    def make(evaluation: EvaluationSet | None = None, **settings: Any) -> Workspace:
        chosen = made_set() if evaluation is None else evaluation
        wishes = {"name": "made", "k": (1, 3, 5), "start_k": 3, "primary": "ndcg@5", **settings}
        return Workspace(replace(chosen, settings=SetSettings(**wishes)), state=tmp_path / "state")

    return make


@pytest.fixture
def hostile(tmp_path: Path) -> Workspace:
    """Every hostile text as query, type, chunk, title, reason and name of a run, an origin and of the set."""
    ids = [f"q{place} {text[:60]}" for place, text in enumerate(HOSTILE)]
    queries = [(query, text, text[:80], True) for query, text in zip(ids, HOSTILE, strict=True)]
    chunks = {f"c{place} {text[:60]}": (text[:500], text) for place, text in enumerate(HOSTILE)}
    names = list(chunks)
    gold = [(query, names[place], 3.0, HOSTILE[place], None, None) for place, query in enumerate(ids)]
    lists = {
        query: [
            (names[(place + step + place % 2) % len(names)], 0.9 - step / 10) for step in range(place % 6)
        ]
        for place, query in enumerate(ids)
    }
    runs = {HOSTILE[9]: lists, HOSTILE[13]: lists, HOSTILE[14]: dict(list(lists.items())[5:])}
    made = tui_set(tmp_path / "set <b>|`", queries, chunks, gold, runs)
    queries_table = made.queries.assign(origin=[text[:20] for text in HOSTILE])
    return Workspace(replace(made, queries=queries_table), state=tmp_path / "state")


def report_of(workspace: Workspace, **wishes: Any) -> Report:
    return build_report(workspace, **{"time": TIME, **wishes})


def page_of(workspace: Workspace, language: Language = "en", **wishes: Any) -> Any:
    messages.use(language)
    return compose(report_of(workspace, **wishes), language)
