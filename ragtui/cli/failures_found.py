"""What `failures` found, before it becomes text or JSON."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ragtui.cli.judged import Aim, narrowed
from ragtui.cli.output import progress_bar
from ragtui.stats.bootstrap import SEED
from ragtui.workspace import Workspace
from ragtui.workspace.review_failures import CauseCount, Failure, count_causes, failures, sampled


@dataclass(frozen=True)
class Found:
    """Failing queries of one run.

    Attributes:
        scored: queries that could fail, of those that satisfy the filter.
        failing: all that do, worst first.
        shown: those, or a sample of them.
        counts: causes of all of them.
        where: the filter, `""` for none.
        seed: of the sample; None where there is none.
    """

    workspace: Workspace
    run: str
    k: int
    stage: str | None
    where: str
    scored: int
    failing: tuple[Failure, ...]
    shown: tuple[Failure, ...]
    counts: tuple[CauseCount, ...]
    seed: int | None

    @property
    def ids(self) -> list[str]:
        """Ids of the failures that are shown."""
        return [failure.query_id for failure in self.shown]

    @property
    def reviewers(self) -> list[str]:
        """Everybody who decided something, the present reviewer among them."""
        review = self.workspace.review
        return list(dict.fromkeys([*review.journal.state.reviewers, review.reviewer]))


def find(
    workspace: Workspace,
    run: str,
    k: int | None,
    stage: str | None,
    *,
    where: str = "",
    sample: int | None = None,
    among: Collection[str] | None = None,
) -> Found:
    """Find the failing queries of a run.

    Args:
        workspace: the set.
        run: name of the run.
        k: cut-off; None takes the one the set starts with.
        stage: of the run; None for the final list.
        where: a filter, `""` for none.
        sample: show only so many, drawn at random with a fixed seed; None for all.
        among: look at these only, in place of the filter.

    Raises:
        RagtuiError: the filter is wrong, there is no such stage, or the cut-off lies beyond the depth.
    """
    k = k or workspace.set.settings.start_k
    workspace.lens_stage(run, stage)
    asked = narrowed(workspace, Aim(run, k, stage, where))[0] if where and among is None else workspace
    ids = None if asked is workspace else list(asked.query_ids)
    ids = list(among) if among is not None else ids
    table = workspace.table(run, k, stage)
    scored = (table.frame["state"] == "scored").to_numpy(dtype=bool)
    if ids is not None:
        scored = scored & table.frame.index.isin(ids)
    with progress_bar() as watch:
        found = failures(workspace, run, k, stage, among=ids, watch=watch)
    shown = found if sample is None else sampled(found, sample)
    return Found(
        workspace,
        run,
        k,
        stage,
        where,
        int(scored.sum()),
        found,
        shown,
        count_causes(found),
        None if shown is found else SEED,
    )
