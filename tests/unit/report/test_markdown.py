"""Foreign text is text in Markdown: a reader of CommonMark with tables sees what was written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragtui.inert import inert
from ragtui.report.page import Code, Column, Page, Paragraph, Section, Table
from ragtui.report.render.markdown import escaped, markdown
from ragtui.report.words.said import say, shortened
from ragtui.workspace import Workspace
from tests.unit.report.conftest import HOSTILE, page_of

READER = MarkdownIt("gfm-like", {"linkify": False, "html": True})
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(HOSTILE)


def page(*blocks: Paragraph | Table) -> Page:
    return Page("en", "t", (), (), (), (Section("a", "s", blocks),), (), "f")


def inline(tokens: list[Token]) -> list[list[Token]]:
    return [token.children or [] for token in tokens if token.type == "inline"]


def seen(children: list[Token]) -> str:
    """What a reader sees of a line; markup of any kind is an error."""
    assert {child.type for child in children} <= {"text", "code_inline"}, children
    return "".join(child.content for child in children)


def as_seen(text: str) -> str:
    """White space at the ends is not shown, and runs of it are one blank in HTML."""
    return re.sub(r"[ \t\n\r\f\v]+", " ", text).strip()


@given(TEXTS)
@pytest.mark.filterwarnings("error")
def test_a_paragraph_of_foreign_text_is_one_paragraph_of_that_text(text: str) -> None:
    expected = inert(shortened(text)).strip()
    if not expected:
        return
    tokens = READER.parse(f"before\n\n{escaped(text)}\n\nafter")
    assert [token.type for token in tokens].count("paragraph_open") == 3
    assert as_seen(seen(inline(tokens)[1])) == as_seen(expected)


@given(TEXTS, TEXTS)
def test_foreign_text_stays_in_its_cell(first: str, second: str) -> None:
    table = Table((Column("one"), Column("two")), ((first, Code(second)),))
    tokens = READER.parse(markdown(page(table)))
    assert [token.type for token in tokens].count("td_open") == 2
    cells = [
        token.children or []
        for place, token in enumerate(tokens)
        if token.type == "inline" and tokens[place - 1].type == "td_open"
    ]
    assert as_seen(seen(cells[0])) == as_seen(inert(shortened(first)))
    assert as_seen(seen(cells[1])) == as_seen(inert(shortened(second)))


@given(TEXTS)
def test_a_value_is_no_template_and_no_markup(text: str) -> None:
    children = inline(READER.parse(markdown(page(Paragraph(say("facts.run", run=text))))))
    assert as_seen(f"run {inert(shortened(text))}") in {as_seen(seen(line)) for line in children}


def test_links_are_not_made_of_addresses() -> None:
    reader = MarkdownIt("gfm-like")  # makes links of bare addresses, as hosts of code do
    for text in ("see https://example.com/a", "www.example.com", "ftp://example.com"):
        assert all(token.type == "text" for line in inline(reader.parse(escaped(text))) for token in line)


def test_a_hostile_set_makes_a_sound_page(hostile: Workspace) -> None:
    text = markdown(page_of(hostile, baseline=hostile.runs[1]))
    tokens = READER.parse(text)
    kinds = {child.type for line in inline(tokens) for child in line}
    assert kinds <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
    assert not {token.type for token in tokens} & {"html_block", "blockquote_open"}
    # every table has as many cells in each row as it has columns
    rows = re.findall(r"<tr>.*?</tr>", READER.render(text), flags=re.DOTALL)
    assert rows
    for table in re.findall(r"<table>.*?</table>", READER.render(text), flags=re.DOTALL):
        widths = {
            len(re.findall("<t[hd]", row)) for row in re.findall(r"<tr>.*?</tr>", table, flags=re.DOTALL)
        }
        assert len(widths) == 1
