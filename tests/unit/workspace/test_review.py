"""What people decide about a set, through the one door."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ragtui import locations
from ragtui.analysis.causes.catalogue import UnknownCause
from ragtui.errors import RagtuiError
from ragtui.review.blind import Item
from ragtui.review.events import Grade, Guard
from ragtui.workspace import Workspace
from ragtui.workspace.review import Review, reviewer_name
from ragtui.workspace.review_failures import by_age, count_causes, failures, guarded_queries, sampled
from ragtui.workspace.review_gold import compare_gold, runs_seen_by_gold


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The bundled set where it can be written to."""
    copy = tmp_path / "set"
    shutil.copytree(locations.example_set(), copy)
    return copy


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return opened(folder)


def opened(folder: Path, reviewer: str = "ann") -> Workspace:
    workspace = Workspace.open(folder)
    workspace.review_as(reviewer)
    return workspace


def test_the_reviewer_is_named_by_the_settings_else_by_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGTUI_REVIEWER", "  王芳 ")
    assert reviewer_name() == "王芳"
    monkeypatch.delenv("RAGTUI_REVIEWER")
    monkeypatch.setattr("getpass.getuser", lambda: "account")
    assert reviewer_name() == "account"

    def nobody() -> str:
        raise OSError("no such account")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert reviewer_name() == "reviewer"


def test_decisions_of_several_people_are_there_when_the_set_is_opened_again(folder: Path) -> None:
    ann, bob = opened(folder).review, opened(folder, "bob").review
    ann.tag("q_026", ["切分边界", "ranking", "ranking"], " two\r\nlines ", run="bm25", k=5)
    bob.tag("q_026", ["noise"])
    bob.note("q_026", "see the table", "ems-manual#5")
    review = opened(folder, "cid").review
    assert review.causes_by_query == {"q_026": ("chunk-boundary", "ranking", "noise")}
    assert review.tags("q_026")["ann"].note == "two\nlines"
    assert review.notes("q_026", "ems-manual#5") == {"bob": "see the table"}
    assert review.notes("q_026") == {}
    assert review.undo() == ()
    # what is known follows the journal
    ann.tag("q_026", [])
    assert review.journal.refresh()
    assert review.causes_by_query == {"q_026": ("noise",)}


def test_a_bulk_of_tags_is_undone_as_one(workspace: Workspace) -> None:
    review = workspace.review
    review.tag(["q_001", "q_002", "q_001"], ["noise"])
    review.guard(["q_001"], run="bm25", k=5)
    assert list(review.guarded) == ["q_001"]
    assert len(review.undo()) == 1
    assert {event.what.query_id for event in review.undo()} == {"q_001", "q_002"}
    assert dict(review.causes_by_query) == {}
    assert list(review.guarded) == []
    assert len(review.undo()) == 0
    assert len(review.redo()) == 2


def test_what_is_wrong_is_refused_and_nothing_is_written(workspace: Workspace) -> None:
    review = workspace.review
    with pytest.raises(UnknownCause):
        review.tag("q_001", ["ranking", "nosie"])
    with pytest.raises(RagtuiError, match="7 is not on the scale"):
        review.grade("q_001", "travel-2025#1", 7)
    with pytest.raises(RagtuiError, match="no query q_999"):
        review.rate("q_999", "travel-2025#1", 1)
    assert not workspace.state_folder.exists()


def test_the_bundled_set_is_decided_about_elsewhere() -> None:
    workspace = Workspace.open(locations.example_set())
    workspace.review.tag("q_001", ["noise"])
    assert workspace.state_folder.is_relative_to(locations.data_folder())
    assert not (locations.example_set() / ".ragtui").exists()


def test_scale_and_guide_are_those_of_the_set(workspace: Workspace) -> None:
    assert list(workspace.review.scale) == [0, 1, 2, 3]
    assert workspace.review.guide.startswith("#")


def test_every_failing_query_of_the_example_has_a_suggestion(workspace: Workspace) -> None:
    for run in workspace.runs:
        found = failures(workspace, run, 5)
        failing = workspace.table(run, 5).frame["mark"].isin(["x", "~"]).sum()
        assert len(found) == failing > 0
        assert [one.query_id for one in found if one.suggested is None] == []
        assert sum(count.suggested for count in count_causes(found)) == failing
        # the worst first: those of which nothing was found
        marks = [one.mark for one in found]
        assert marks == sorted(marks)  # x is before ~


def test_suggestions_know_the_set(workspace: Workspace) -> None:
    by_cause = {
        one.suggested.cause: one for one in failures(workspace, "e5-small", 5) if one.suggested is not None
    }
    # the set holds old and new versions of its rules, marked as distractors
    assert "stale-version" in by_cause
    stale = by_cause["stale-version"]
    assert stale.suggested is not None
    assert dict(stale.suggested.values)["chunk"] in stale.missed


def test_a_sample_keeps_the_order(workspace: Workspace) -> None:
    found = failures(workspace, "bm25", 5)
    some = sampled(found, 7)
    assert len(some) == 7
    assert [one for one in found if one in some] == list(some)
    assert sampled(found, 7) == some != sampled(found, 7, seed=1)


def test_guarded_queries_follow_the_runs_by_their_age(folder: Path) -> None:
    workspace = opened(folder)
    assert by_age(workspace) == ["bm25", "e5-small", "minilm"]
    failing = workspace.review.failing("minilm", 5)
    passing = next(q for q in failing if q not in workspace.review.failing("e5-small", 5))
    workspace.review.journal.append(Guard(passing, run="minilm", k=5, in_sight=("minilm",)))
    assert guarded_queries(workspace, 5)[passing].state in {"fixed", "broke-again"}
    card = folder / "runs" / "bm25.toml"
    card.write_text(card.read_text().replace('time = "2026', 'time = "2030'))
    assert by_age(opened(folder)) == ["e5-small", "minilm", "bm25"]
    card.unlink()
    assert by_age(opened(folder)) == ["bm25", "e5-small", "minilm"]


def test_a_session_goes_on_after_closing(folder: Path) -> None:
    review = opened(folder).review
    failing = review.failing("bm25", 5)
    session = review.begin(failing, run="bm25", k=5, where="is:to-review")
    first = failing[0]
    review.tag(first, ["noise"], run="bm25", k=5, session=session.id)
    again = opened(folder).review.session(session.id)
    assert again is not None
    assert [item.query_id for item in again.items] == failing
    assert again.done == {Item(first)}
    assert len(again.left) == len(failing) - 1
    assert opened(folder, "bob").review.sessions()[0].done == frozenset()
    assert review.session("unknown") is None


def test_a_pilot_is_the_same_for_everybody(folder: Path) -> None:
    ann, bob = opened(folder).review, opened(folder, "bob").review
    assert ann.pilot(50) == bob.pilot(50)
    assert bob.sessions() == ()
    session = ann.begin_pilot(20)
    assert bob.begin_pilot(50).id == session.id
    item = session.items[3]
    bob.rate(item.query_id, item.chunk_id, 2, session=session.id)
    assert bob.sessions()[0].done == {item}
    assert bob.gold_version == 0


def test_a_pool_offers_what_nobody_has_graded(workspace: Workspace) -> None:
    items = workspace.review.pool(workspace.query_ids.tolist(), 5)
    graded = set(zip(workspace.set.gold["query_id"], workspace.set.gold["chunk_id"], strict=True))
    assert items
    assert not graded & set(items)
    session = workspace.review.begin_pool(["q_001"], 5)
    assert {item.query_id for item in session.items} == {"q_001"}


def test_a_correction_is_a_new_version_that_numbers_can_be_compared_with(folder: Path) -> None:
    workspace = opened(folder)
    failing = next(one for one in failures(workspace, "bm25", 5) if one.mark == "x" and one.groups == 1)
    top = workspace.evidence("bm25", failing.query_id, 5).retrieved[0].chunk_id
    was = workspace.review.grades_of_gold(failing.query_id).get(top)
    event = workspace.review.grade(failing.query_id, top, 3, "answers it")
    assert isinstance(event.what, Grade)
    assert (event.what.was, event.what.in_sight) == (was, tuple(workspace.runs))
    # the files, and numbers that stand on them, are as they were
    assert opened(folder).set.hashes.gold == workspace.set.hashes.gold
    after = workspace.at_gold("latest")
    assert (workspace.gold_version, after.gold_version, after.review.gold_version) == (0, 1, 1)
    assert after.set.hashes.gold != workspace.set.hashes.gold
    assert (runs_seen_by_gold(workspace), runs_seen_by_gold(after)) == (frozenset(), frozenset(after.runs))
    assert after.set.hashes.corpus == workspace.set.hashes.corpus
    row = workspace.table("bm25", 5).row_of(failing.query_id)
    assert row is not None
    assert workspace.table("bm25", 5).frame["hit@1"].iat[row] == 0
    assert after.table("bm25", 5).frame["hit@1"].iat[row] == 1
    found = compare_gold(workspace, "bm25")
    assert (found.before, found.after, found.pairs) == (0, 1, 1)
    hit = found.metrics["hit@1"]
    n = workspace.summary("bm25")["hit@1"].n
    assert hit.difference.n == n
    assert hit.difference.mean == pytest.approx(1 / n)
    assert hit.after.mean == pytest.approx((hit.before.mean or 0) + 1 / n)
    assert workspace.at_gold(1) is after
    assert after.only([failing.query_id]).gold_version == 1
    with pytest.raises(RagtuiError, match="no gold version 2"):
        workspace.at_gold(2)


def test_raters_who_differ_settle_on_a_grade(folder: Path) -> None:
    ann, bob = opened(folder), opened(folder, "bob")
    pair = ("q_026", "ems-manual#5")
    ann.review.grade(*pair, 3)
    bob.review.grade(*pair, 1)
    (first, *_) = [one for one in bob.review.disagreements() if one.query_id == "q_026"]
    assert (first.chunk_id, first.decided) == (pair[1], None)
    assert {"ann": 3.0, "bob": 1.0}.items() <= first.grades.items()
    assert set(bob.review.grades("q_026")[pair[1]]) == {"ann", "bob"}
    bob.review.decide(*pair, 2, "half of it")
    rows = bob.at_gold("latest").set.gold
    said = rows[((rows["query_id"] == pair[0]) & (rows["chunk_id"] == pair[1])).to_numpy()]
    assert said[["grade", "annotator", "reason"]].to_numpy().tolist() == [[2.0, "bob", "half of it"]]
    assert bob.review.disagreements()[-1].decided == 2.0
    heard = json.loads((folder / ".ragtui" / "journal.jsonl").read_text().splitlines()[-1])["heard"]
    assert {"ann": 3.0, "bob": 1.0}.items() <= dict(heard).items()


def test_a_journal_is_shared_by_the_versions_of_a_set(workspace: Workspace) -> None:
    workspace.review.grade("q_001", "travel-2025#1", 3)
    workspace.at_gold(1).review.tag("q_001", ["gold-missing"])
    assert workspace.review.causes_by_query == {"q_001": ("gold-missing",)}


def test_a_new_reviewer_of_an_open_set_reads_what_is_there(workspace: Workspace) -> None:
    workspace.review.tag("q_001", ["noise"])
    assert Review(workspace, "bob").causes_by_query == {"q_001": ("noise",)}
