"""One file that asks nobody for anything, in which foreign text is text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.inert import inert
from ragtui.messages import LANGUAGES, Language
from ragtui.report.page import Bar, Chart, Column, Curve, Histogram, Page, Paragraph, Section, Table
from ragtui.report.render.charts import bar_svg
from ragtui.report.render.html import html
from ragtui.report.words.said import say, shortened
from ragtui.workspace import Workspace
from tests.unit.report.conftest import HOSTILE, page_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(HOSTILE)
VOID = {"meta", "br"}
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
DRAWN = {"svg", "path", "rect", "text", "pattern"}
BLOCKS = {"main", "div", "header", "footer", "section", "article", "nav", "figure", "figcaption"}
WORDS = {"p", "b", "span", "h1", "h2", "ul", "ol", "li", "strong", "code", "pre", "a", "br", "bdi"}
OURS = {"html", "head", "meta", "title", "style", "body"} | TABLES | DRAWN | BLOCKS | WORDS


class Reader(HTMLParser):
    """Elements with their attributes, and the texts of cells; an element that is not closed is an error."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in {"td", "p"}:
            self.texts.append((tag, ""))
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.texts and set(self.open) & {"td", "p"}:
            tag, said = self.texts[-1]
            self.texts[-1] = tag, said + data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def page(*blocks: Paragraph | Table | Chart) -> Page:
    return Page("en", "t", (), (), (), (Section("a", "s", blocks),), (), "f")


def safe(text: str) -> Reader:
    """Sound, and nothing in it that runs, loads or leads elsewhere."""
    reader = read(text)
    assert {tag for tag, _ in reader.elements} <= OURS
    for tag, attributes in reader.elements:
        assert not [
            name for name in attributes if name.startswith("on") or name in {"src", "style", "xlink:href"}
        ]
        if tag == "a":
            assert (attributes["href"] or "").startswith("#")
    style = re.findall(r"<style>.*?</style>", text, re.DOTALL)
    assert len(style) == 1
    assert not re.search(r"@import|url\((?!#hatch\))|https?:", style[0])
    return reader


@given(TEXTS, TEXTS)
def test_foreign_text_is_shown_as_it_is(cell: str, value: str) -> None:
    blocks = Table((Column("one"),), ((cell,),)), Paragraph(say("facts.run", run=value))
    texts = [text for _, text in safe(html(page(*blocks))).texts]
    assert re.sub(r"(?<=\d) %", "\u00a0%", inert(shortened(cell))) in texts
    assert re.sub(r"(?<=\d) %", "\u00a0%", f"run {inert(shortened(value))}") in texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_set_makes_a_safe_page(hostile: Workspace, language: Language) -> None:
    text = html(page_of(hostile, language, baseline=hostile.runs[1]))
    reader = safe(text)
    assert ("html", {"lang": "zh-CN" if language == "zh" else "en"}) in reader.elements
    shown = " ".join(text for _, text in reader.texts)
    assert "<script>alert(1)</script>" in shown
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x00" not in text
    assert len(text) < 400_000  # a hundred thousand characters are not repeated


def test_a_policy_forbids_what_the_page_does_not_need(example: Workspace) -> None:
    text = html(page_of(example))
    assert "default-src 'none'; style-src 'unsafe-inline'" in text
    assert "<script" not in text
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_heading_of_the_second_part_can_be_jumped_to(example: Workspace) -> None:
    reader = safe(html(page_of(example, baseline="bm25")))
    ids = {attributes["id"] for _, attributes in reader.elements if "id" in attributes}
    links = [
        (attributes["href"] or "").removeprefix("#") for tag, attributes in reader.elements if tag == "a"
    ]
    assert len(links) == len(set(links)) >= 8
    assert set(links) <= ids


@pytest.mark.parametrize(
    ("value", "place"), [(0.25, "25.00"), (1.0, "100.00"), (-3.0, "0.00"), (7.0, "100.00"), (0.0, "0.00")]
)
def test_a_bar_stays_within_its_axis(value: float, place: str) -> None:
    drawn = bar_svg(Bar(value, None, None))
    assert f'class="value" vector-effect="non-scaling-stroke" d="M{place} 1V9"' in drawn


def test_a_bar_of_differences_has_nothing_in_its_middle() -> None:
    drawn = bar_svg(Bar(0.1, 0.0, 0.2, start=-0.2, end=0.2, mark=0.0))
    assert 'class="mark" vector-effect="non-scaling-stroke" d="M50.00 0V10"' in drawn
    assert 'class="range" vector-effect="non-scaling-stroke" d="M50.00 5H100.00"' in drawn


def test_a_histogram_has_one_box_for_each_count_above_nothing() -> None:
    names = (say("facts.run", run="<a>"), "b", "c", "d")
    content = Histogram((0.0, 1.0, 2.0), (3, 0), (1, 2), (0, 4), 1.0, names)
    drawn = html(page(Chart(content, "caption")))
    safe(drawn)
    boxes = re.findall(r'<rect class="(\w+)"[^>]* height="([\d.]+)"', drawn)
    legend = [("found", "10.0"), ("missed", "10.0"), ("silent", "10.0")]
    found = [box for box in boxes if box not in legend]
    assert [kind for kind, _ in found] == ["found", "missed", "missed", "silent"]
    heights = [float(height) for _, height in found]
    # 170 high for 4 above the line and 4 below it
    assert heights == pytest.approx([3 * 170 / 8, 170 / 8, 2 * 170 / 8, 4 * 170 / 8], abs=0.06)
    assert 'class="threshold"' in drawn


def test_an_empty_histogram_and_a_single_cut_off_can_be_drawn() -> None:
    empty = Histogram((0.0, 1.0), (0,), (0,), (0,), None, ("a", "b", "c", "d"))
    curves = (Curve("hit", ((5, None, 0.5, None),)), Curve("recall", ((5, 0.2, 0.5, 0.7),)))
    safe(html(page(Chart(empty, "caption"), Chart(curves, "caption"))))
