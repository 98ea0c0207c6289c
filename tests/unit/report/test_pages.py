"""Both renderers show the same page, in both languages, whatever the set lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ragtui.messages import LANGUAGES, Language, catalogue
from ragtui.report.model import Report
from ragtui.report.page import Bullets, Code, Listed, Page, Paragraph, Quiet, Said, Table, Toned
from ragtui.report.render.html import html
from ragtui.report.render.markdown import markdown
from ragtui.report.words.numbers import difference, interval, number
from ragtui.report.words.page_of import compose
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace
from tests.unit.analysis.conftest import made_run, made_set
from tests.unit.report.conftest import MakeWorkspace, page_of, report_of


def said(content: Any) -> Iterator[Said]:
    """Every text of the catalogue in a page, however deep."""
    match content:
        case Said():
            yield content
            for value in content.values.values():
                yield from said(value)
        case Listed():
            for text in content.texts:
                yield from said(text)
        case Quiet() | Toned() | Paragraph():
            yield from said(content.text)
        case tuple() | list():
            for one in content:
                yield from said(one)
        case _ if hasattr(content, "__dataclass_fields__"):
            for name in content.__dataclass_fields__:
                yield from said(getattr(content, name))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gold", [None, []], ids=["gold", "no gold"])
def test_a_page_can_be_made_of_any_set(
    workspace_of: MakeWorkspace, language: Language, gold: list[Any] | None
) -> None:
    workspace = workspace_of(made_set() if gold is None else made_set(gold=gold), targets={"complete@3": 0.5})
    page = page_of(workspace, language, run="first", baseline=None if gold == [] else "run.2")
    for text in (markdown(page), html(page)):
        assert "nan" not in re.findall(r"[a-z]+", text.lower())
        assert "None" not in text
        assert "{" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_the_catalogue_of_its_language(example: Workspace, language: Language) -> None:
    page = page_of(example, language, baseline="bm25")
    known = catalogue(language, "report")
    keys = {one.key for one in said(page)}
    assert len(keys) > 80
    assert keys - set(known) == set()


def test_a_text_in_one_language_has_no_words_of_the_other(example: Workspace) -> None:
    english = markdown(page_of(example, "en"))
    head = english.split("## For engineers")[0]
    assert not re.search("[\u4e00-\u9fff]", head)  # queries of the set follow further down
    chinese = markdown(page_of(example, "zh")).split("## 工程师部分")[0]
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert not re.search(r"\b(the|of|queries|first)\b", chinese)


def test_both_renderers_show_every_cell(example: Workspace) -> None:
    page: Page = page_of(example, baseline="bm25")
    rows = [
        row
        for section in (*page.owner, *page.engineers)
        for block in section.blocks
        if isinstance(block, Table)
        for row in block.rows
    ]
    assert len(rows) > 80
    drawn, written = html(page), markdown(page)
    for row in rows:
        for cell in row:
            if isinstance(cell, Code) and cell.text.isalnum():
                assert f"<code>{cell.text}</code>" in drawn
                assert f"`{cell.text}`" in written


def test_n_stands_beside_each_figure_and_small_slices_are_marked(example: Workspace) -> None:
    text = markdown(page_of(example, run="bm25"))
    assert "| vague | 6 (\\< 30) |" in text
    assert "| medium | 49 |" in text
    assert "60 of 90 queries" in text
    assert "90 with an answer, 30 without" in text


def test_the_command_makes_the_report_again(example: Workspace) -> None:
    text = markdown(page_of(example, run="bm25", baseline="minilm", path="my set", where="type:direct"))
    command = "ragtui report 'my set' --run bm25 --split dev --baseline minilm --where type:direct"
    assert f"\n{command}\n" in text


def test_labelling_begins_with_a_sheet_of_what_nobody_graded(workspace_of: MakeWorkspace) -> None:
    """One of the first three results of `q1` has a label, so that most have none."""
    lists = {"q1": [("a1", 1.0), ("x1", 0.9), ("x2", 0.8)]}
    made = made_set({"q1": {"text": "x"}}, [("q1", "a1", 1, None, None)])
    made = replace(made, runs={"first": made_run("first", lists)})
    text = markdown(page_of(workspace_of(made), run="first", path="my set"))
    assert "Label what the runs return." in text
    assert "`ragtui agree 'my set' --pool 3 > pool.csv`" in text


def test_sections_that_lack_their_data_say_what_makes_it(workspace_of: MakeWorkspace) -> None:
    text = markdown(page_of(workspace_of(), run="run.2", path="my-set"))
    assert "\nragtui judge my-set --run run.2 --judge id-overlap\n" in text
    assert "\nragtui calibrate my-set --run run.2 --rule max-false-answers --alpha 0.05\n" in text


def test_a_set_without_no_answer_queries_says_so(workspace_of: MakeWorkspace) -> None:
    queries = {"q1": {"text": "x"}, "q2": {"text": "y"}}
    gold: list[Any] = [("q1", "a1", 1, None, None), ("q2", "b1", 1, None, None)]
    report: Report = report_of(workspace_of(made_set(queries, gold)), run="first")
    assert report.no_answer is None
    text = markdown(compose(report, "en"))
    assert '`"answerable": false`' in text


def test_points_of_the_owner_have_their_evidence(example: Workspace) -> None:
    page: Page = page_of(example)
    (following,) = [section for section in page.owner if section.anchor == "next"]
    (points,) = following.blocks
    assert isinstance(points, Bullets)
    assert points.numbered
    assert all(item.detail is not None for item in points.items)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("hit@5", 0.8555, "85.5 %"),
        ("complete@5", 1.0, "100.0 %"),
        ("false_answer", 1 / 3, "33.3 %"),
        ("ndcg@10", 0.68156, "0.682"),
        ("precision@1", 0.5, "0.500"),
        ("tokens@5", 393.26, "393.3"),
        ("context_precision@5", 0.5, "0.500"),
        ("kappa", -0.1337, "−0.134"),
        ("ndcg@10", None, "–"),
    ],
)
def test_numbers_are_written_as_what_they_are(name: str, value: float | None, shown: str) -> None:
    assert number(name, value) == shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("hit@5", -0.0222, "−2.2"),
        ("hit@5", 0.01, "+1.0"),
        ("ndcg@10", -0.02, "−0.020"),
        ("mrr@5", None, "–"),
    ],
)
def test_differences_have_their_sign(name: str, value: float | None, shown: str) -> None:
    assert difference(name, value) == shown


@pytest.mark.parametrize(
    ("name", "low", "high", "shown"),
    [
        ("hit@5", 0.576, 0.765, "57.6–76.5 %"),
        ("ndcg@10", 0.612, 0.747, "0.612–0.747"),
        ("kappa", -0.248, -0.026, "−0.248, −0.026"),
        ("ndcg@10", None, None, None),
    ],
)
def test_intervals_are_written_from_end_to_end(
    name: str, low: float | None, high: float | None, shown: str | None
) -> None:
    assert interval(name, Estimate(0.1, low, high, 9)) == shown
