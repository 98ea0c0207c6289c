"""Versions of gold: what the files say, and what was corrected since."""

from __future__ import annotations

import pandas as pd
import pytest

from ragtui.dataset.model import EvaluationSet
from ragtui.review.events import Decision, Grade, Tag, What
from ragtui.review.gold import Correction, corrected, corrections, gold_versions, runs_in_sight
from ragtui.review.state import ReviewState
from tests.unit.analysis.conftest import made_set
from tests.unit.review.folding import folded, redo, undo

FIRST = Grade("q2", "c1", 3.0, in_sight=("bm25",))
SECOND = Grade("q2", "c1", 2.0, in_sight=("e5",))
Acts = list[tuple[str, What]]
ROW = ["query_id", "chunk_id", "grade", "annotator", "group", "role", "split"]


def rows(evaluation: EvaluationSet, query_id: str) -> list[tuple[object, ...]]:
    gold = evaluation.gold
    found = gold.loc[(gold["query_id"] == query_id).to_numpy(), ROW]
    return [tuple(row)[1:] for row in found.itertuples(index=False, name=None)]


def at(state: ReviewState, version: int) -> EvaluationSet:
    return corrected(made_set(), corrections(state, version), "dev")


def test_every_change_of_gold_is_a_version_and_nothing_else_is() -> None:
    state = folded(
        ("ann", FIRST),
        ("ann", Tag("q2", ("gold-wrong",))),
        ("bob", SECOND),
        ("ann", undo(0, FIRST)),
        ("ann", redo(0, FIRST)),
    )
    told = [(v.number, v.reviewer, v.act, v.grade) for v in gold_versions(state)]
    assert told == [
        (1, "ann", "grade", 3.0),
        (2, "bob", "grade", 2.0),
        (3, "ann", "undo", None),
        (4, "ann", "redo", None),
    ]
    assert state.gold_version == 4
    assert {v.query_id + v.chunk_id for v in gold_versions(state)} == {"q2c1"}
    pair = ("q2", "c1")
    assert corrections(state, 0) == {}
    assert corrections(state, 1) == {pair: (Correction("ann", 3.0),)}
    assert corrections(state, 2) == {pair: (Correction("ann", 3.0), Correction("bob", 2.0))}
    assert corrections(state, 3) == {pair: (Correction("bob", 2.0),)}
    assert corrections(state, 4) == corrections(state, 2)
    assert [sorted(runs_in_sight(state, n)) for n in range(5)] == [
        [],
        ["bm25"],
        ["bm25", "e5"],
        ["e5"],
        ["bm25", "e5"],
    ]


def test_a_number_means_the_same_for_ever() -> None:
    acts: Acts = [("ann", FIRST), ("bob", SECOND)]
    before = corrections(folded(*acts), 1)
    assert corrections(folded(*acts, ("ann", Grade("q2", "c1", 0.0)), ("bob", undo(1, SECOND))), 1) == before


def test_a_correction_stands_in_place_of_the_files_and_keeps_its_place() -> None:
    evaluation = made_set()
    state = folded(("ann", Grade("q3", "b1", 0.0, reason="off topic")))
    now = at(state, 1)
    assert rows(now, "q3") == [
        ("b1", 0.0, "ann", "either", None, "dev"),
        ("b2", 2.5, "", "either", None, "dev"),
    ]
    assert len(now.gold) == len(evaluation.gold)
    same = ["query_id", "chunk_id", "grade", "reason", "annotator", "split"]
    assert now.gold[same].dtypes.to_dict() == evaluation.gold[same].dtypes.to_dict()
    assert rows(evaluation, "q3")[0][1] == 1  # the set of the files is as it was
    untouched = (evaluation.gold["query_id"] != "q3").to_numpy()
    pd.testing.assert_frame_equal(now.gold.loc[untouched, same], evaluation.gold.loc[untouched, same])


def test_a_new_pair_comes_last_and_reviewers_stand_side_by_side() -> None:
    now = at(folded(("ann", FIRST), ("bob", SECOND)), 2)
    assert rows(now, "q2") == [
        ("b1", 1.0, "", None, None, "dev"),
        ("c1", 3.0, "ann", None, None, "dev"),
        ("c1", 2.0, "bob", None, None, "dev"),
    ]


def test_a_decision_stands_alone_and_can_be_taken_back() -> None:
    settled = Decision("q2", "c1", 2.0, heard=(("ann", 3.0), ("bob", 2.0)))
    acts: Acts = [("ann", FIRST), ("bob", SECOND), ("cid", settled)]
    assert rows(at(folded(*acts), 3), "q2")[1:] == [("c1", 2.0, "cid", None, None, "dev")]
    # the last decision counts, whoever's it is
    again: Acts = [*acts, ("ann", Decision("q2", "c1", 1.0)), ("ann", undo(3, settled))]
    assert [one.grade for one in corrections(folded(*again), 4)["q2", "c1"]] == [1.0]
    assert len(corrections(folded(*acts, ("cid", undo(2, settled))), 4)["q2", "c1"]) == 2
    assert len(corrections(folded(*acts, ("cid", Decision("q2", "c1", None))), 4)["q2", "c1"]) == 2


def test_taking_a_correction_back_gives_the_word_to_the_files() -> None:
    state = folded(("ann", FIRST), ("ann", Grade("q2", "c1", None)))
    assert corrections(state, 2) == {}
    assert at(state, 2).gold is not None
    assert rows(at(state, 2), "q2") == rows(made_set(), "q2")


@pytest.mark.parametrize(("grade", "role"), [(1.0, None), (0.5, "distractor"), (0.0, "distractor")])
def test_a_relevant_chunk_is_no_distractor(grade: float, role: str | None) -> None:
    now = at(folded(("ann", Grade("q1", "c1", grade))), 1)
    assert rows(now, "q1")[2] == ("c1", grade, "ann", None, role, "dev")


def test_a_group_can_be_named() -> None:
    now = at(folded(("ann", Grade("q3", "c1", 2.0, group="either"))), 1)
    assert rows(now, "q3")[2] == ("c1", 2.0, "ann", "either", None, "dev")


def test_a_query_with_evidence_has_an_answer() -> None:
    assert made_set().queries["answerable"]["q6"] is False
    assert at(folded(("ann", Grade("q6", "c2", 1.0))), 1).queries["answerable"]["q6"] is True
    assert at(folded(("ann", Grade("q6", "c2", 0.0))), 1).queries["answerable"]["q6"] is False


def test_queries_that_the_set_lacks_are_left_out() -> None:
    evaluation = made_set()
    assert (
        corrected(evaluation, corrections(folded(("ann", Grade("gone", "c1", 1.0))), 1), "dev") is evaluation
    )
