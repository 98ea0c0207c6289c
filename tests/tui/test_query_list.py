"""The list as a person filtered and ordered it: worst first, frozen under a filter, fair means."""

from __future__ import annotations

import pytest

from ragtui.tui.session import Session
from ragtui.tui.state.pieces import Fact
from ragtui.tui.state.query_list import QueryList, Sort
from ragtui.tui.state.status import hint, status
from ragtui.workspace import Workspace


@pytest.fixture
def session(travel: Workspace) -> Session:
    return Session(travel)


@pytest.fixture
def listed(session: Session) -> QueryList:
    return QueryList.of(session.facts(), session.metric)


def ids(listed: QueryList) -> str:
    return " ".join(listed.query_id(position) for position in range(len(listed)))


def text(fact: Fact) -> str:
    return "".join(piece.text for piece in fact).strip()


def test_failing_queries_come_first_and_no_answer_ones_last(listed: QueryList) -> None:
    # at K 3: q03 and q02 have nothing, q01 one group of two, q06 all at ranks 2 and 3, the others at once;
    # q09 and q10 have no answer, the surer of them first
    assert ids(listed) == "q03 q02 q01 q06 q04 q05 q07 q08 q09 q10"


def test_a_filter_keeps_what_matches_in_the_same_order(listed: QueryList) -> None:
    assert ids(listed.filtered("type:mixed-language,direct")) == "q02 q05 q07 q09 q10"
    assert ids(listed.filtered("")) == ids(listed)


def test_a_wrong_filter_changes_nothing_but_says_what_is_wrong(listed: QueryList) -> None:
    filtered = listed.filtered("type:direct")
    wrong = filtered.filtered("type:direct nosuchfield:3")
    assert ids(wrong) == ids(filtered)
    assert wrong.error is not None
    assert (wrong.error.position, wrong.error.length) == (12, len("nosuchfield"))
    assert wrong.filtered("type:direct").error is None


def test_of_a_filter_with_a_wrong_last_term_the_rest_is_applied(listed: QueryList) -> None:
    wrong = listed.filtered("is:miss nosuchfield:3")
    assert ids(wrong) == "q03 q02"
    assert wrong.error is not None


def test_a_filter_that_is_wrong_elsewhere_leaves_the_list_alone(listed: QueryList) -> None:
    wrong = listed.filtered("type:table").filtered("nosuchfield:3 is:miss")
    assert ids(wrong) == "q06"
    assert wrong.error is not None


def test_a_wrong_filter_from_the_last_visit_shows_everything(session: Session) -> None:
    listed = QueryList.of(session.facts(), session.metric, "nosuchfield:3")
    assert len(listed) == 10
    assert listed.error is not None


def test_rows_that_cease_to_match_stay_until_the_filter_is_applied_again(
    session: Session, listed: QueryList
) -> None:
    misses = listed.filtered("is:miss")
    assert ids(misses) == "q03 q02"
    session.step_k(1)
    # at K 5 the receipt at rank 4 is in, so q02 is no miss any more
    after = misses.seen_anew(session.facts(), session.metric)
    assert ids(after) == "q03 q02"
    assert [after.is_dim(position) for position in range(2)] == [False, True]
    assert after.done == 1
    assert text(status(after, 80)).startswith("2 of 10, 1 done")
    assert ids(after.filtered("is:miss")) == "q03"


def test_without_a_filter_another_cut_off_sorts_anew(session: Session, listed: QueryList) -> None:
    session.step_run(1)
    # bm25 misses q06 and half of q04
    after = listed.seen_anew(session.facts(), session.metric)
    assert ids(after).startswith("q06 ")
    assert after.done == 0


def test_marks_are_facts(session: Session, listed: QueryList) -> None:
    session.toggle_mark("q05")
    marked = listed.seen_anew(session.facts(), session.metric)
    assert ids(marked.filtered("is:marked")) == "q05"
    row = marked.position_of("q05")
    assert row is not None
    assert "".join(piece.text for piece in marked.cells(row)["mark"]) == " * "


def test_the_mean_is_over_scored_rows_and_not_said_under_an_outcome(listed: QueryList) -> None:
    direct = listed.filtered("type:direct")
    # q05 is found at rank 1, q09 and q10 are not scored
    assert direct.mean == pytest.approx(1.0)
    assert listed.filtered("is:miss").mean is None
    assert listed.filtered("is:no-answer").mean is None


def test_sorting_by_a_column_and_reversing_it(listed: QueryList) -> None:
    by_rank = listed.sorted(Sort("first_rank"))
    assert ids(by_rank) == "q04 q05 q07 q08 q06 q01 q02 q03 q09 q10"
    # queries without a rank stay at the end
    assert ids(listed.sorted(Sort("first_rank", reverse=True))) == "q02 q01 q06 q04 q05 q07 q08 q03 q09 q10"
    assert ids(listed.sorted(Sort(reverse=True))) == " ".join(reversed(ids(listed).split()))


def test_the_next_match_passes_over_rows_that_are_done(session: Session, listed: QueryList) -> None:
    misses = listed.filtered("is:to-review")
    session.step_k(1)
    after = misses.seen_anew(session.facts(), session.metric)
    assert ids(after) == "q03 q02 q01"
    assert after.next_match(0, 1) == 2
    assert after.next_match(2, 1) is None
    assert after.next_match(2, -1) == 0


def test_a_filter_that_matches_nothing_knows_one_that_does(listed: QueryList) -> None:
    nothing = listed.filtered("type:table is:miss")
    assert len(nothing) == 0
    assert nothing.nearest is not None
    assert (nothing.nearest.text, nothing.nearest.count) == ("type:table", 1)


def test_the_strip_shows_what_was_found_and_what_was_nearly(listed: QueryList) -> None:
    cells = listed.cells(1)
    assert "".join(piece.text for piece in cells["gold_by_rank"]).rstrip() == "???|3?"
    inks = {piece.text: piece.ink for piece in cells["gold_by_rank"]}
    assert inks["3"] == "partial"
    found = listed.cells(4)["gold_by_rank"]
    assert [(piece.text, piece.ink) for piece in found[:2]] == [("3", "found"), ("2", "found")]
    assert text(tuple(cells["got"])) == "0/1"
    assert cells["got"][0].ink == "miss"
    assert text(tuple(cells["ndcg@K"])) == ".00"


def test_the_status_leaves_out_what_has_no_room(listed: QueryList) -> None:
    filtered = listed.filtered("type:direct")
    assert text(status(filtered, 80)) == "3 of 10   mean ndcg@3 1.00   sorted worst first"
    assert text(status(filtered, 40)) == "3 of 10   mean ndcg@3 1.00"
    assert text(status(filtered, 10)) == "3 of 10"
    assert text(status(listed.sorted(Sort("first_rank")), 80)).endswith("sorted by rank")


def test_the_empty_field_says_when_everything_passes(listed: QueryList, easy: Workspace) -> None:
    assert hint(listed).startswith("filter")
    session = Session(easy)
    assert (
        hint(QueryList.of(session.facts(), session.metric))
        == "All evidence of every query is in the first 3."
    )
