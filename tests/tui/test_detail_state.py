"""What the detail screen says of a query, without a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragtui import messages
from ragtui.analysis.evidence import QueryEvidence, query_evidence
from ragtui.dataset.model import EvaluationSet, RankedLists
from ragtui.tui import cells
from ragtui.tui.state.cards import Card, Pane, marked
from ragtui.tui.state.copying import card_text, evidence_json
from ragtui.tui.state.detail_head import heading
from ragtui.tui.state.figures import grade_text, score_text, share_text
from ragtui.tui.state.gold import gold_pane
from ragtui.tui.state.pieces import Piece, Row, flow, spread, total
from ragtui.tui.state.retrieved import retrieved_pane


def told(evaluation: EvaluationSet, query: str = "q01", k: int = 3, run: str = "e5-small") -> QueryEvidence:
    return query_evidence(evaluation, run, query, k, level=2.0)


def plain(row: Row | Sequence[Piece]) -> str:
    pieces = (*row.left, *row.right) if isinstance(row, Row) else row
    return "".join(piece.text for piece in pieces)


def text_of(pane: Pane, width: int = 60) -> str:
    return "\n".join(plain(row) for entry in pane.entries for row in entry.rows(width))


def relisted(evaluation: EvaluationSet, lists: dict[str, list[str]], **changes: Any) -> EvaluationSet:
    """The set with other lists, without scores, in its first run."""
    run = replace(evaluation.runs["e5-small"], lists=RankedLists.from_lists(lists), stages={}, **changes)
    return replace(evaluation, runs={"e5-small": run})


def test_a_run_that_has_nothing_says_why(travel_set: EvaluationSet) -> None:
    lacking = retrieved_pane(told(relisted(travel_set, {"q02": ["taxi#1"]})))
    assert "e5-small has no list for this query" in text_of(lacking)
    empty = retrieved_pane(told(relisted(travel_set, {"q01": []})))
    assert "retrieved nothing" in text_of(empty)
    failed = retrieved_pane(told(relisted(travel_set, {}, errors={"q01": "timed out [/b]"})))
    assert "failed on this query: timed out [/b]" in text_of(failed)
    assert (lacking.start, empty.start, failed.start) == (None, None, None)
    # what was needed is then not retrieved, and no top of an empty list is spoken of
    gold = gold_pane(told(relisted(travel_set, {"q01": []})))
    assert "not retrieved" in text_of(gold)
    assert "top 0" not in text_of(gold)


def test_a_repeat_is_one_quiet_line_and_no_rank(travel_set: EvaluationSet) -> None:
    pane = retrieved_pane(told(relisted(travel_set, {"q01": ["meal#1", "meal#1", "rail#1"]})))
    assert [card.lead.text.strip() for card in pane.cards] == ["1", "=", "2"]
    assert "again, already at 1" in text_of(pane)
    assert len({card.key for card in pane.cards}) == 3
    assert pane.twin_of("meal#1") == "meal#1"


def test_a_cut_never_parts_a_repeat_from_its_place(travel_set: EvaluationSet) -> None:
    evidence = told(relisted(travel_set, {"q01": ["meal#1", "meal#1", "rail#1"]}), k=1)
    lines = text_of(retrieved_pane(evidence)).split("\n")
    marks = [
        line.split()[0] for line in lines if line.startswith("--") or line[:3].strip() in {"1", "=", "2"}
    ]
    assert marks == ["1", "=", "--", "2"]


def test_a_prompt_that_is_no_beginning_of_the_list_is_told_card_by_card(travel_set: EvaluationSet) -> None:
    run = travel_set.runs["e5-small"]
    skipping = replace(run, stages={"prompt": RankedLists.from_lists({"q01": ["general#1", "hotel#1"]})})
    pane = retrieved_pane(told(replace(travel_set, runs={"e5-small": skipping})))
    assert "-- prompt" not in text_of(pane)
    assert text_of(pane).count("was in the prompt") == 2


def test_the_prompt_and_k_may_end_together(travel_set: EvaluationSet) -> None:
    assert "-- K 2 = prompt" in text_of(retrieved_pane(told(travel_set, k=2)))


def test_a_chunk_that_is_in_no_corpus(travel_set: EvaluationSet) -> None:
    holes = replace(travel_set, chunks=travel_set.chunks.drop(index=["rail#1", "meal#1"]))
    evidence = told(holes)
    assert "gold points at a chunk that the corpus does not have" in text_of(gold_pane(evidence))
    assert "the corpus has no such chunk" in text_of(retrieved_pane(evidence))
    # a bare pair of gold and run has no texts at all, and need not say so at every card
    bare = told(replace(travel_set, chunks=travel_set.chunks.iloc[:0]))
    assert "no such chunk" not in text_of(retrieved_pane(bare))


def test_alternatives_stand_under_one_heading(travel_set: EvaluationSet) -> None:
    pane = gold_pane(told(travel_set, "q06"))
    lines = text_of(pane).split("\n")
    assert lines[0].strip() == "any one of these 2 (cap)"
    assert all(line.startswith("|") for line in lines[1:])
    assert pane.title == "gold: found"
    missed = gold_pane(told(travel_set, "q06", k=1))
    assert text_of(missed).startswith("x any one of these 2 (cap)")
    assert (missed.title, missed.start) == ("gold: missed", "hotel#2")


def test_a_no_answer_query(travel_set: EvaluationSet) -> None:
    pane = gold_pane(told(travel_set, "q09"))
    assert pane.title == "gold: no answer"
    assert "Nothing should be found" in text_of(pane, 200)
    assert "with a score of .846: hotel#1" in text_of(pane, 200)


def test_a_query_whose_labels_stay_below_the_level(travel_set: EvaluationSet) -> None:
    low = travel_set.gold[travel_set.gold["chunk_id"] == "general#1"]
    pane = gold_pane(told(replace(travel_set, gold=low), "q08"))
    assert pane.title == "gold: none that counts"
    assert "No label reaches grade 2" in text_of(pane, 200)
    unjudged = gold_pane(told(replace(travel_set, gold=travel_set.gold.iloc[:0]), "q08"))
    assert "Nobody has judged" in text_of(unjudged, 200)


def test_the_reference_answer_is_a_card(travel_set: EvaluationSet) -> None:
    queries = travel_set.queries.copy()
    queries.loc["q01", "reference"] = "二等座，每晚 500 元"
    pane = gold_pane(told(replace(travel_set, queries=queries)))
    (card,) = [card for card in pane.cards if card.key == "reference"]
    assert card_text(card) == "Reference answer\n二等座，每晚 500 元"


def test_a_distance_says_so(travel_set: EvaluationSet) -> None:
    run = replace(travel_set.runs["e5-small"], direction="lower")
    pane = retrieved_pane(told(replace(travel_set, runs={"e5-small": run})))
    assert pane.title == "retrieved by e5-small: 5, lowest score first"


def test_a_tie_with_rank_k(travel_set: EvaluationSet) -> None:
    lists = {"q01": ["general#1", "rail#1"]}
    run = replace(travel_set.runs["e5-small"], lists=RankedLists.from_lists(lists, {"q01": [0.5, 0.5]}))
    pane = gold_pane(told(replace(travel_set, runs={"e5-small": run}), k=1))
    assert "tied with rank 1" in text_of(pane)


def test_the_heading_takes_three_lines_at_most(travel_set: EvaluationSet) -> None:
    queries = travel_set.queries.copy()
    queries.loc["q01", "text"] = "多长的问题" * 200
    evidence = told(replace(travel_set, queries=queries))
    rows = heading(evidence, 0, 7, 80, marked=True)
    assert len(rows) == 3
    assert plain(rows[0]).endswith("* 1 of 7")
    assert plain(rows[2]).endswith("..")
    assert all(total((*row.left, *row.right)) <= 80 for row in rows)
    # the rest of it can be read as the last card
    assert gold_pane(evidence).cards[-1].text == "多长的问题" * 200


@pytest.mark.parametrize("width", [38, 59, 101])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_row_is_wider_than_its_pane(
    travel_set: EvaluationSet, nasty_set: EvaluationSet, width: int, language: messages.Language
) -> None:
    messages.use(language)
    for evaluation in (travel_set, nasty_set):
        (run, *_) = evaluation.runs
        for query in evaluation.queries.index:
            evidence = told(evaluation, query, run=run)
            for pane in (retrieved_pane(evidence), gold_pane(evidence)):
                cards = [row for card in pane.cards for lines in (0, 5) for row in card.rows(width, lines)]
                between = [row for entry in pane.entries for row in entry.rows(width)]
                assert {cells.width(plain(spread(row, width))) for row in (*cards, *between)} <= {width}
                # only a head has a right end, and nothing but a head is cropped
                assert all(row.right or total(row.left) <= width for row in cards)


def test_text_opens_to_so_many_lines_and_says_how_much_there_is() -> None:
    card = Card("a", Piece("1"), "", "a", text="word " * 20_000)
    assert len(card.rows(40)) == 3
    opened = card.rows(40, 10)
    assert len(opened) == 11
    assert plain(opened[-1]).strip() == ".. enter shows all 100000 characters"
    short = Card("a", Piece("1"), "", "a", text="one\ntwo")
    assert [plain(row).strip() for row in short.rows(40, 10)[1:]] == ["one", "two"]
    assert [plain(row).strip() for row in short.rows(40)[1:]] == ["one two"]


def test_shared_words_are_underlined_across_a_line_break() -> None:
    text = "普通员工可乘坐高铁二等座"
    lines = cells.wrap(text, 18)
    assert lines == ["普通员工可乘坐高铁", "二等座"]
    found = [
        [piece.text for piece in line if piece.underline] for line in marked(lines, text, ["高铁二等座"])
    ]
    assert found == [["高铁"], ["二等座"]]
    assert ["".join(piece.text for piece in line) for line in marked(lines, text, ["高铁二等座"])] == lines


def test_facts_flow_into_lines() -> None:
    facts = [(Piece("one"),), (Piece("two"), Piece(" and a half")), (Piece("three"),)]
    assert [plain(line) for line in flow(facts, 25)] == ["one   two and a half", "three"]
    assert [plain(line) for line in flow(facts, 10)] == ["one", "two and a", "half", "three"]


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.8714, ".871"),
        (0.0, ".000"),
        (-0.25, "-.250"),
        (1.0, "1.000"),
        (7.31, "7.310"),
        (23.478, "23.48"),
        (123.45, "123.5"),
        (1234.5, "1234"),
        (0.0004, ".0004"),
        (0.000012, "1e-5"),
        (2_000_000, "2e6"),
    ],
)
def test_scores_are_short_and_can_be_told_apart(score: float, text: str) -> None:
    assert score_text(score) == text
    assert len(text) <= 6


def test_other_figures() -> None:
    assert [share_text(value) for value in (0.584, 1.0, 0.0, float("nan"))] == [".58", "1.00", ".00", "-"]
    assert [grade_text(grade) for grade in (3.0, 2.5)] == ["3", "2.5"]


def test_the_facts_as_json(travel_set: EvaluationSet) -> None:
    facts = json.loads(evidence_json(told(travel_set)))
    assert (facts["schema"], facts["query_id"]) == (1, "q01")
    assert facts["needs"][0]["ranks"] == {"e5-small": None, "bm25": 1}
