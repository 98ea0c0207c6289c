"""What the list says of the selected query, and of set and run above it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragtui import messages
from ragtui.tui import cells
from ragtui.tui.session import Session
from ragtui.tui.state.emptiness import too_small
from ragtui.tui.state.export_file import export_file
from ragtui.tui.state.headline import headline
from ragtui.tui.state.pieces import Fact
from ragtui.tui.state.preview import below, beside
from ragtui.tui.state.remarks import remarks_of, remarks_page
from ragtui.workspace import Workspace


def text(fact: Fact) -> str:
    return "".join(piece.text for piece in fact)


def told(lines: list[Fact]) -> list[str]:
    return [text(line).rstrip() for line in lines]


def test_the_foot_tells_needs_and_what_came(travel: Workspace) -> None:
    lines = told(below(travel.evidence("e5-small", "q02", 3), 100, 4))
    assert lines[0] == "q02  Which receipts does the VP tier need for a client dinner?"
    # at rank 3 .851, at rank 4 .847
    assert lines[1].startswith(
        "needs  receipt#7  rank 4   .004 under rank 3   bm25 1   Receipts of executives"
    )
    assert lines[2].startswith("top 1  .861 Taxi and ride-hailing  Receipts above")
    assert lines[3].startswith("    2  .855 差旅制度总则")


def test_labels_stand_below_one_another_in_chinese_too(travel: Workspace) -> None:
    messages.use("zh")
    lines = below(travel.evidence("e5-small", "q03", 3), 100, 6)
    # 第 1 名 takes seven cells, and two follow it
    assert [cells.width(fact[0].text) for fact in lines[1:]] == [9] * 5


def test_what_has_no_line_is_counted(travel: Workspace) -> None:
    evidence = travel.evidence("bm25", "q06", 1)
    assert len(evidence.needs) == 2
    lines = told(below(evidence, 100, 3))
    assert "and 1 more" in lines[1]


@pytest.mark.parametrize("query", [f"q{n:02}" for n in range(1, 11)])
@pytest.mark.parametrize("size", [(38, 2), (78, 4), (118, 6)])
def test_the_foot_keeps_to_its_lines(travel: Workspace, query: str, size: tuple[int, int]) -> None:
    lines = below(travel.evidence("bm25", query, 3), *size)
    assert 1 <= len(lines) <= size[1]


def test_the_column_tells_whole_texts(travel: Workspace) -> None:
    lines = told(beside(travel.evidence("e5-small", "q04", 3), 40, 45))
    assert lines[0] == "q04  role/permission"
    # the query is 66 cells wide, of which 40 fit
    assert lines[1] + lines[2] == "实习生可以坐飞机吗，需要谁批准，如果临时改签产生的费用由谁承担？"
    assert "air#1  @1" in lines
    assert "  实习生出差原则上不乘飞机；确有需要的，" in lines
    assert [line.split()[0] for line in lines if line.startswith(" ") and line.split()[0].isdigit()] == list(
        "123"
    )


def test_a_query_without_answer_says_what_would_have_been_shown(travel: Workspace) -> None:
    lines = told(below(travel.evidence("e5-small", "q09", 3), 100, 4))
    assert "Nothing should be found: the corpus has no answer to this query." in lines
    assert "Yet at rank 1, with a score of .846: hotel#1" in lines
    # bm25 has no list for q10
    lines = told(below(travel.evidence("bm25", "q10", 3), 100, 4))
    assert lines[1:] == [
        "bm25 has no list for this query. It counts as nothing retrieved.",
        "Nothing should be found: the corpus has no answer to this query.",
    ]


def test_the_head_gives_up_what_tells_least(travel: Workspace) -> None:
    session = Session(travel)
    table = session.facts().table
    right = [text(headline(session, table, width)[1]).strip() for width in (200, 85, 70, 40, 25)]
    assert right == [
        "10 queries = 8 scored + 2 no-answer   relevant from 2   corpus 3fa9c1",
        "10 queries = 8 scored + 2 no-answer   relevant from 2",
        "10 queries = 8 scored + 2 no-answer",
        "10 queries",
        "",
    ]
    session.stage = "prompt"
    assert text(headline(session, None, 200)[0]).strip() == "travel > e5-small   K 3   stage prompt"


def test_the_bundled_set_is_called_an_example(travel: Workspace) -> None:
    travel.is_example = True
    assert text(headline(Session(travel), None, 200)[0]).startswith(" example: travel")


def test_remarks_are_all_said_warnings_first(travel: Workspace) -> None:
    session = Session(travel, "bm25")
    said = remarks_of(session)
    assert said == sorted(said, key=lambda one: not one.is_warning)
    page = " ".join(told(remarks_page(session, 200)))
    for one in said:
        assert one.text in page


def test_a_session_takes_only_what_there_is(travel: Workspace) -> None:
    travel.save_view(replace(travel.load_view(), run="gone", k=7, stage="gone"))
    session = Session(travel)
    assert (session.run, session.k, session.stage) == ("e5-small", 3, None)


def test_runs_and_cut_offs_in_turn(travel: Workspace) -> None:
    session = Session(travel)
    assert session.step_run(-1)
    assert session.run == "bm25"
    steps = [session.step_k(1) for _ in range(3)]
    assert (steps, session.k) == ([True, True, False], 10)


def test_a_file_of_its_own_for_every_export(tmp_path: Path) -> None:
    first = export_file(tmp_path, "../../etc/a b\x1b", "csv")
    assert first == tmp_path / "etc-a-b-queries.csv"
    first.touch()
    assert export_file(tmp_path, "../../etc/a b\x1b", "csv").name == "etc-a-b-queries-2.csv"
    assert export_file(tmp_path, "../..", "markdown").name == "set-queries.md"


def test_the_sentence_for_small_terminals_fits(travel: Workspace) -> None:
    lines = told(too_small(20, 24, 18))
    assert all(len(line) <= 18 for line in lines)
    assert " ".join(lines) == "The terminal is too small: 20 x 24 cells. ragtui needs 40 x 8."
