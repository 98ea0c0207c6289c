"""What a report says: figures, steps and limits that follow from the set, each with its evidence."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragtui.analysis.targets import target
from ragtui.dataset.model import EvaluationSet
from ragtui.errors import RagtuiError
from ragtui.report.model import Report
from ragtui.report.steps import queries_to_decide
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson
from ragtui.stats.paired import paired_differences
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens
from tests.tui.conftest import BM25, CHUNKS, DENSE, GOLD, QUERIES, REFERENCES
from tests.tui.conftest import made_set as tui_set
from tests.tui.verdicts import record_precision
from tests.unit.analysis.conftest import made_run, made_set
from tests.unit.report.conftest import TIME, MakeWorkspace, report_of


def kinds(found: tuple[Any, ...]) -> list[str]:
    return [one.kind for one in found]


def test_the_run_is_the_one_that_is_named_else_the_best(example: Workspace) -> None:
    best = report_of(example)
    assert (best.basis.run, best.basis.chosen) == ("e5-small", "best")
    assert "best-of-several" in kinds(best.limits)
    named = report_of(example, run="bm25")
    assert (named.basis.run, named.basis.chosen) == ("bm25", "named")
    assert "best-of-several" not in kinds(named.limits)
    # a baseline is no candidate
    assert report_of(example, baseline="e5-small").basis.run == "bm25"


def test_figures_are_those_of_the_verb_eval(example: Workspace) -> None:
    report = report_of(example, run="bm25")
    complete, primary, stale, auroc = report.figures
    summary = example.summary("bm25")
    assert (complete.name, complete.estimate) == ("complete@5", summary["complete@5"])
    assert complete.count == 60  # .667 of 90
    assert (primary.name, primary.estimate.mean) == ("ndcg@10", summary["ndcg@10"].mean)
    assert primary.estimate.low == pytest.approx(summary["ndcg@10"].low)
    assert stale.name == "stale@5"
    assert auroc.estimate.mean == example.calibration("bm25").auroc.value


def test_other_runs_have_the_means_they_would_have_alone(example: Workspace) -> None:
    found = report_of(example, run="bm25").others["e5-small"]
    alone = example.summary("e5-small")
    for name, one in found.items():
        assert (one.mean, one.n) == (alone[name].mean, alone[name].n)
        assert one.low == pytest.approx(alone[name].low)


def failing_set() -> EvaluationSet:
    """Twelve queries that each need a: complete at 5 in the second run for all but the last three.

    In the first run four have it at rank 1, three at rank 4, and five nowhere.
    """
    ids = [f"q{place:02d}" for place in range(12)]
    queries = {query: {"text": query, "type": "direct"} for query in ids}
    gold: list[tuple[str, str, float, str | None, str | None]] = [(q, "a", 1, None, None) for q in ids]
    filler = [f"x{place}" for place in range(4)]

    def listed(place: int) -> list[tuple[str, float]]:
        chunks = [*filler[:place], "a", *filler[place:]]
        return [(chunk, 1.0 - rank / 10) for rank, chunk in enumerate(chunks)]

    none = [(chunk, 1.0 - rank / 10) for rank, chunk in enumerate(filler)]
    first = {q: listed(0) if n < 4 else listed(3) if n < 7 else none for n, q in enumerate(ids)}
    second = {q: listed(0) if n < 9 else none for n, q in enumerate(ids)}
    return made_set(queries, gold, {"first": first, "second": second})


def test_steps_follow_from_where_the_evidence_is(workspace_of: MakeWorkspace) -> None:
    report = report_of(workspace_of(failing_set()), run="first")
    assert report.failures.n == 8
    by_kind = {step.kind: step for step in report.steps}
    # three stand at rank 4 with K 3: deeper in the same list
    assert by_kind["rerank"].values == {"n": 3, "of": 8, "k": 3, "deep": 5}
    # two of the five that it lacks stand in the other run: too few to speak for a step; three stand nowhere
    assert "fuse" not in by_kind
    assert by_kind["find"].values == {"n": 3, "of": 8, "deep": 5, "several": 0}


def test_another_run_that_has_the_evidence_is_named(workspace_of: MakeWorkspace) -> None:
    made = failing_set()
    gold = made.gold[made.gold["query_id"] < "q09"]
    more = {f"q{n:02d}": [("a", 1.0)] if n < 4 or n > 6 else [("x", 1.0)] for n in range(12)}
    third = made_run("third", more)
    runs = {"first": made_run("first", {q: [("x", 1.0)] for q in more}), "third": third}
    found = report_of(workspace_of(replace(made, gold=gold, runs=runs)), run="first")
    (fuse,) = [step for step in found.steps if step.kind == "fuse"]
    assert fuse.values["n"] == fuse.values["early"] == 6
    assert fuse.values["other"] == "third"


def test_what_misleads_is_counted_where_it_stands_above_all_evidence(workspace_of: MakeWorkspace) -> None:
    ids = [f"q{place}" for place in range(6)]
    queries = {query: {"text": query} for query in ids}
    gold: list[tuple[str, str, float, str | None, str | None]] = []
    for query in ids:
        gold += [(query, "new", 1, None, None), (query, "old", 0, None, "distractor")]
    old_first = [("old", 0.9), ("new", 0.8)]
    lists = {query: old_first if place < 4 else old_first[::-1] for place, query in enumerate(ids)}
    report = report_of(workspace_of(made_set(queries, gold, {"first": lists})))
    (step,) = [step for step in report.steps if step.kind == "filter-stale"]
    assert step.values == {"n": 4, "of": 6, "k": 3}
    assert [figure.kind for figure in report.figures][2] == "stale"


def test_targets_are_met_missed_or_cannot_be_told(example: Workspace) -> None:
    targets = {"complete@5": 0.7, "ndcg@10": 0.5, "stale@5": 0.01, "nonsense": 0.5, "recall@7": 0.99}
    settings = replace(example.set.settings, targets=targets)
    workspace = Workspace(replace(example.set, settings=settings), state=example.state_folder)
    report = report_of(workspace, run="e5-small")
    assert [(one.name, one.outcome) for one in report.targets] == [
        ("complete@5", "undecided"),  # .576 to .765
        ("ndcg@10", "met"),  # .612 to .747
        ("stale@5", "missed"),  # .038 to .078, and less is better
        ("nonsense", "undecided"),
        ("recall@7", "missed"),  # a cut-off that the set does not name
    ]
    assert report.targets[3].estimate.reason == "unknown"
    assert report.figures[0].target == report.targets[0]
    more = [step for step in report.steps if step.kind == "more-queries"]
    assert [step.values["name"] for step in more] == ["complete@5"]
    assert "set-targets" not in kinds(report.steps)


@pytest.mark.parametrize(("mean", "wanted", "n"), [(0.70, 0.65, 100), (0.5, 0.6, 40), (0.9, 0.88, 200)])
def test_so_many_queries_would_tell(mean: float, wanted: float, n: int) -> None:
    low, high = wilson(mean * n, n)
    needed = queries_to_decide(target("hit@5", wanted, Estimate(mean, low, high, n, "wilson")))
    assert needed is not None
    # with that many, and the same mean, the interval has just left the target
    ends = wilson(mean * needed, needed)
    width = (ends[1] - ends[0]) / 2
    assert width == pytest.approx(abs(mean - wanted), rel=0.1)


def test_what_is_decided_or_cannot_be_needs_no_number_of_queries() -> None:
    assert queries_to_decide(target("hit@5", 0.5, Estimate(0.7, 0.6, 0.8, 90))) is None
    assert queries_to_decide(target("hit@5", 0.7, Estimate(0.7, 0.6, 0.8, 90))) is None  # at no n
    assert queries_to_decide(target("hit@5", 0.5, Estimate(None, None, None, 0))) is None


def test_limits_follow_from_the_set(workspace_of: MakeWorkspace) -> None:
    made = made_set()
    origins = ["synthetic", "log", *[None] * (len(made.queries) - 2)]
    queries = made.queries.assign(origin=pd.Series(origins, index=made.queries.index, dtype=object))
    report = report_of(workspace_of(replace(made, queries=queries)), run="first")
    by_kind = {limit.kind: limit.values for limit in report.limits}
    assert by_kind["synthetic"] == {"n": 1, "of": 8}
    assert "no-logs" not in by_kind
    assert by_kind["few-no-answer"] == {"n": 1, "needed": 59, "percent": 5}
    assert {"answers", "these-queries", "no-annotator", "no-judge", "no-latency"} <= set(by_kind)


@pytest.fixture
def travel(tmp_path: Path) -> Workspace:
    made = tui_set(tmp_path / "travel", QUERIES, CHUNKS, GOLD, {"e5-small": DENSE, "bm25": BM25})
    answers = [REFERENCES.get(query) for query in made.queries.index]
    queries = made.queries.assign(reference=pd.Series(answers, index=made.queries.index, dtype=object))
    return Workspace(replace(made, queries=queries), state=tmp_path / "state")


def test_failures_of_a_judge_are_failures_and_its_word_is_worth_its_card(travel: Workspace) -> None:
    record_precision(travel)
    report = report_of(travel, run="e5-small")
    (judge,) = report.judges
    assert judge.failures == {"parse-error": 1}
    score = judge.scores["context_precision@3"]
    assert score.estimate.n < score.of  # the failed query has no value
    assert score.lowest is not None
    assert score.highest is not None
    assert score.lowest < score.highest
    assert judge.card is None
    assert not judge.name.is_believed
    assert "no-believed-judge" in kinds(report.limits)
    # its score decides no target
    settings = replace(travel.set.settings, targets={"context_precision@3": 0.01})
    again = Workspace(replace(travel.set, settings=settings), state=travel.state_folder)
    assert [one.outcome for one in report_of(again, run="e5-small").targets] == ["undecided"]


def test_verdicts_that_cannot_be_read_are_said(travel: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    record_precision(travel)

    def broken(_: object) -> None:
        raise RagtuiError("workspace.no-such-run", run="x", known="y")

    monkeypatch.setattr("ragtui.workspace.judged_table.recorded_askers", broken)
    report = report_of(travel, run="e5-small")
    assert report.judges == ()
    assert "x" in report.judges_error


def test_causes_that_people_gave_and_rules_suggest(travel: Workspace) -> None:
    before = report_of(travel, run="e5-small").failures
    assert before.tagged == 0
    assert before.asked == before.n
    worst = before.worst[0]
    travel.review.tag(worst.query_id, ["noise"])
    after = report_of(travel, run="e5-small").failures
    assert after.tagged == 1
    assert after.causes[0].cause == "noise"
    assert after.causes[0].given == 1
    assert after.worst[0].causes == ("noise",)
    assert sum(one.suggested for one in after.causes) == sum(
        one.suggestion is not None for one in after.worst
    )


def test_missed_chunks_have_the_rank_that_metrics_see(travel: Workspace) -> None:
    for query in report_of(travel, run="e5-small").failures.worst:
        evidence = travel.evidence("e5-small", query.query_id, 3)
        assert query.missing == tuple((need.chunk_id, need.rank) for need in evidence.missed)
        assert (query.got, query.groups) == (evidence.groups_found, evidence.groups)


def test_a_depth_under_the_cut_off_narrows_it(workspace_of: MakeWorkspace) -> None:
    made = made_set()
    first = made_run("first", {"q1": [("a1", 1.0), ("b1", 0.5)]}, depth=2)
    report = report_of(workspace_of(replace(made, runs={"first": first})))
    assert report.basis.k == 2
    assert report.figures[0].name == "complete@2"
    assert report.figures[1].estimate.reason == "beyond-depth"  # ndcg@5


def test_a_primary_metric_beyond_the_depth_compares_nothing(workspace_of: MakeWorkspace) -> None:
    made = made_set()
    lists = {"q1": [("a1", 1.0), ("b1", 0.5)]}
    runs = {"first": made_run("first", lists, depth=2), "second": made_run("second", lists)}
    with pytest.raises(RagtuiError, match="beyond the depth"):
        report_of(workspace_of(replace(made, runs=runs)), run="first", baseline="second")


def test_a_primary_metric_without_a_cut_off_is_taken_at_k(workspace_of: MakeWorkspace) -> None:
    assert report_of(workspace_of(primary="recall"), run="first").basis.primary == "recall@3"


def test_differences_from_the_draws_of_the_means_are_those_of_a_comparison_alone(example: Workspace) -> None:
    comparison = report_of(example, run="e5-small", baseline="bm25").comparison
    assert comparison is not None
    names = [one.name for one in comparison.metrics]
    assert "complete@5" in names  # 0 and 1 of one run, and −1, 0 and 1 as a difference
    before, after = (example.result(run, Lens(metrics=tuple(names))).table for run in ("bm25", "e5-small"))
    alone = paired_differences(before[names], after[names], cluster=example.clusters(before.index))
    for one in comparison.metrics:
        difference, expected = one.paired.difference, alone[one.name].difference
        assert (difference.n, difference.method) == (expected.n, expected.method)
        assert difference.low is not None
        ends = (expected.mean, expected.low, expected.high)
        assert (difference.mean, difference.low, difference.high) == pytest.approx(ends, abs=1e-12)


def test_nothing_scored_is_a_report_without_numbers(workspace_of: MakeWorkspace) -> None:
    report = report_of(workspace_of(made_set(gold=[])), run="first")
    assert report.basis.scored == 0
    assert all(figure.estimate.mean is None for figure in report.figures)
    assert report.failures.n == 0
    assert report.weak == report.low == ()


def counted(report: Report) -> bool:
    basis = report.basis
    return basis.queries == basis.scored + basis.no_answer + basis.other


def test_queries_add_up(example: Workspace, workspace_of: MakeWorkspace) -> None:
    assert counted(report_of(example))
    assert counted(report_of(workspace_of(), run="first"))


def test_the_same_set_gives_the_same_report(example: Workspace) -> None:
    again = Workspace(example.set, state=example.state_folder)
    first, second = report_of(example, baseline="bm25"), report_of(again, baseline="bm25")
    assert first.figures == second.figures
    assert first.comparison == second.comparison
    assert first.basis.time == TIME
    assert not math.isnan(first.weak[0].p_holm or 0.0)
