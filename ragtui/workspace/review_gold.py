"""Corrected gold of a workspace, and what a correction does to the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragtui.errors import RagtuiError
from ragtui.review.gold import corrected, corrections, runs_in_sight
from ragtui.stats.estimate import Estimate
from ragtui.stats.paired import paired_differences

if TYPE_CHECKING:
    from ragtui.dataset.model import EvaluationSet
    from ragtui.review.state import ReviewState
    from ragtui.workspace.workspace import Lens, Workspace

LATEST = "latest"


@dataclass(frozen=True, slots=True)
class GoldDifference:
    """One metric of a run under two versions of gold.

    Attributes:
        before, after: mean over all queries that are scored under each.
        difference: after − before with its interval, over the queries that are scored under both.
    """

    before: Estimate
    after: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """A run under two versions of gold.

    Attributes:
        before, after: numbers of the versions.
        gold_before, gold_after: hashes of the two.
        pairs: how many pairs of query and chunk have another grade, or one more or less.
        metrics: by name.
    """

    before: int
    after: int
    gold_before: str
    gold_after: str
    pairs: int
    metrics: Mapping[str, GoldDifference]


def version_number(state: ReviewState, wanted: str | int) -> int:
    """The version that a person means: a number, or `latest`.

    Raises:
        RagtuiError: there is no such version.
    """
    newest = state.gold_version
    if wanted == LATEST:
        return newest
    text = str(wanted)
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= newest):
        raise RagtuiError("review.no-such-version", version=text, newest=newest)
    return int(text)


def set_at(evaluation: EvaluationSet, state: ReviewState, version: int, split: str | None) -> EvaluationSet:
    """The set with the gold of a version; that of the files for 0."""
    return corrected(evaluation, corrections(state, version), split) if version else evaluation


def runs_seen_by_gold(workspace: Workspace) -> frozenset[str]:
    """Runs that reviewers could see when they made the gold at hand: it may favour them over others."""
    return runs_in_sight(workspace.review.journal.state, workspace.gold_version)


def compare_gold(
    workspace: Workspace, run: str, before: int = 0, after: int | None = None, lens: Lens | None = None
) -> GoldComparison:
    """Numbers of a run under two versions of gold; the newest for `after` unless it is named.

    Raises:
        RagtuiError: there is no such version, run or metric.
    """
    newest = workspace.review.gold_version
    first, second = workspace.at_gold(before), workspace.at_gold(newest if after is None else after)
    return compare_versions(first, second, run, lens)


def compare_versions(
    first: Workspace, second: Workspace, run: str, lens: Lens | None = None
) -> GoldComparison:
    """The same for two workspaces that differ in gold alone."""
    from ragtui.workspace.workspace import PLAIN

    lens = PLAIN if lens is None else lens
    old, new = first.result(run, lens), second.result(run, lens)
    names = [name for name in old.metrics if name in new.table]
    cluster = first.clusters(old.table.index)
    paired = paired_differences(old.table[names], new.table[names], cluster=cluster)
    means = first.summary(run, lens), second.summary(run, lens)
    return GoldComparison(
        before=first.gold_version,
        after=second.gold_version,
        gold_before=first.set.hashes.gold,
        gold_after=second.set.hashes.gold,
        pairs=_differing(first, second),
        metrics={
            name: GoldDifference(means[0][name], means[1][name], paired[name].difference) for name in names
        },
    )


def _differing(first: Workspace, second: Workspace) -> int:
    """Pairs of the split whose grades are not the same."""
    graded = [_graded(workspace) for workspace in (first, second)]
    return sum(graded[0].get(pair) != graded[1].get(pair) for pair in {*graded[0], *graded[1]})


def _graded(workspace: Workspace) -> dict[tuple[str, str], list[tuple[float, bool]]]:
    """What raters say of each pair of the split, in ascending order."""
    gold = workspace.set.gold
    gold = gold[(gold["split"] == workspace.split).to_numpy()]
    found: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    columns = (gold[name].tolist() for name in ("query_id", "chunk_id", "grade", "role"))
    for query_id, chunk_id, grade, role in zip(*columns, strict=True):
        found.setdefault((query_id, chunk_id), []).append((grade, role == "distractor"))
    return {pair: sorted(given) for pair, given in found.items()}
