"""A run as a report looks at it: tables and means, each computed once and shared by all parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.query_table import QueryTable, build_query_table
from ragtui.analysis.slices import GROUPS, LENGTH, SMALL, Membership, Slice, memberships, slice_keys
from ragtui.errors import RagtuiError
from ragtui.metrics.catalogue import metric_of
from ragtui.metrics.names import parse_name
from ragtui.metrics.summary import summarise, summarise_together
from ragtui.report.judges import judges
from ragtui.report.model import JudgeReport, NoAnswer
from ragtui.report.no_answer import no_answer
from ragtui.stats.estimate import Estimate
from ragtui.workspace import Workspace
from ragtui.workspace.workspace import Lens

FEW_VALUES = 20
MOST_KEYS = 8
RESAMPLED_UP_TO = 2_000
KEYS_FIRST = ("type", "difficulty", "origin", GROUPS, LENGTH)
_DIFFERENCES = "\0differences"
"""Stands among the names of runs, of which none is like it."""
NO_KEYS = frozenset({"answerable", "reference", "created", "cluster", "status"})
"""Metadata that does not say what sort of query it is, or says it only by date."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What the parts of a report read.

    Attributes:
        workspace: narrowed to the queries that count.
        run: name of the run that the report is about.
        k: cut-off that evidence is looked for within: where the set starts, or the depth where that is less.
        baseline: name of the run that it is compared with; None for no comparison.
    """

    workspace: Workspace
    run: str
    k: int
    baseline: str | None = None

    @classmethod
    def of(cls, workspace: Workspace, run: str, baseline: str | None = None) -> Facts:
        """Facts of a run, of which nothing is computed yet."""
        start, depth = workspace.set.settings.start_k, workspace.run(run).depth
        return cls(workspace, run, start if depth is None else min(start, depth), baseline)

    @cached_property
    def ks(self) -> tuple[int, ...]:
        """Cut-offs of the set, and those that its primary metric and its targets name."""
        settings = self.workspace.set.settings
        named = (parse_name(name) for name in (self.primary, *settings.targets))
        of_names = {name.k for name in named if name is not None and name.k is not None}
        return tuple(sorted({*settings.k, self.k, *of_names}))

    @property
    def primary(self) -> str:
        """The metric that decides, at the cut-off K where it names none."""
        written = self.workspace.set.settings.primary
        name = parse_name(written)
        if name is None:
            return written
        return str(name) if name.k is not None else f"{name.metric}@{self.k}"

    @cached_property
    def table(self) -> QueryTable:
        """Every query of the split, with all metrics."""
        workspace = self.workspace
        return build_query_table(
            workspace.set,
            workspace.run(self.run),
            workspace.result(self.run, Lens(ks=self.ks)),
            self.k,
            query_ids=workspace.query_ids,
        )

    @property
    def means(self) -> Mapping[str, Estimate]:
        """All metrics of the run."""
        return self._means[self.run]

    def few_means(self, run: str) -> Mapping[str, Estimate]:
        """A few metrics of another run."""
        return self._means[run]

    @cached_property
    def _means(self) -> Mapping[str, Mapping[str, Estimate]]:
        """All metrics of the run, a few of each other, differences: from one lot of draws, which is slow."""
        workspace = self.workspace
        lenses = {self.run: Lens(ks=self.ks)} | {name: Lens(metrics=self.few) for name in self.other_runs}
        results = {name: workspace.result(name, lens) for name, lens in lenses.items()}
        tables = {name: (found.table, found.unavailable) for name, found in results.items()}
        ids = results[self.run].table.index
        if self.baseline is not None:
            before, after = self.compared(self.baseline), self.compared(self.run)
            if before.index.equals(ids) and after.index.equals(ids):
                shared = [name for name in before if name in after and metric_of(str(name)) is not None]
                tables[_DIFFERENCES] = after[shared] - before[shared], {}
        return summarise_together(tables, workspace.clusters(ids), differences={_DIFFERENCES})

    def compared(self, run: str) -> pd.DataFrame:
        """The metrics of a run that it is compared by, of every query, and the rank of its first evidence."""
        k = self.k
        names = [self.primary, f"complete@{k}", f"hit@{k}", f"recall@{k}", f"mrr@{k}"]
        if self.has_distractors:
            names.append(f"stale@{k}")
        return self.workspace.result(run, Lens(metrics=tuple(dict.fromkeys(names)))).table

    @property
    def differences(self) -> Mapping[str, Estimate] | None:
        """Mean differences from the baseline, by metric; None where they have not been made."""
        return self._means.get(_DIFFERENCES)

    @cached_property
    def no_answer(self) -> NoAnswer | None:
        """Refusals of the run; None where no query lacks an answer."""
        return no_answer(self.workspace, self.run)

    @cached_property
    def newest_gold(self) -> int:
        """The newest version of corrected gold; that in use where the journal cannot be read."""
        try:
            return max(self.workspace.review.gold_version, self.workspace.gold_version)
        except RagtuiError:
            return self.workspace.gold_version

    @cached_property
    def judges(self) -> tuple[tuple[JudgeReport, ...], str]:
        """What judges say of the run, and why that cannot be read where it cannot."""
        return judges(self.workspace, self.run, self.k)

    def judge_of(self, score: str) -> JudgeReport | None:
        """Who gives a score: of several a judge that is believed, then the one with the most verdicts."""
        giving = [judge for judge in self.judges[0] if score in judge.scores]
        return max(giving, key=lambda one: (one.name.is_believed, one.verdicts), default=None)

    def estimate(self, name: str) -> Estimate:
        """A metric, rate or judged score by name; without a value, and with a reason, where there is none."""
        refusals = None if self.no_answer is None else self.no_answer.refusals
        of_refusals = None if refusals is None else refusals.estimate(name)
        judge = self.judge_of(name)
        if name in self.means:
            return self.means[name]
        if of_refusals is not None:
            return of_refusals
        if judge is not None:
            return judge.scores[name].estimate
        return Estimate(None, None, None, 0, reason="unknown")

    @property
    def few(self) -> tuple[str, ...]:
        """Names of the metrics that are shown of slices and of other runs."""
        return tuple(dict.fromkeys((self.primary, f"complete@{self.k}", f"hit@{self.k}", f"recall@{self.k}")))

    @property
    def shares(self) -> tuple[str, ...]:
        """Those of them that are shares of queries, whose intervals need no resampling."""
        return (f"complete@{self.k}", f"hit@{self.k}")

    def slices(self, key: str, names: Sequence[str]) -> tuple[Slice, ...]:
        """Some metrics of the scored queries by the values of a key; values that none has are left out."""
        frame = self.table.frame
        there = [name for name in names if name in frame]
        unavailable = {name: why for name, why in self.table.result.unavailable.items() if name in names}
        found = []
        for value, inside in self.memberships(key):
            rows = self.scored & inside
            if n := int(rows.sum()):
                clusters = self.workspace.clusters(frame.index[rows])
                metrics = summarise(frame.loc[rows, there], clusters, unavailable=unavailable)
                found.append(Slice(value, n, n < SMALL, metrics))
        return tuple(found)

    @cached_property
    def scored(self) -> npt.NDArray[np.bool_]:
        """(n,) rows of the table that rank metrics are over."""
        return (self.table.frame["state"] == "scored").to_numpy(dtype=bool)

    @property
    def is_large(self) -> bool:
        """Whether there are so many queries that resampling slices takes longer than it tells."""
        return int(self.scored.sum()) > RESAMPLED_UP_TO

    @cached_property
    def failing(self) -> npt.NDArray[np.bool_]:
        """(n,) rows of the table whose evidence is not complete in the first K."""
        frame = self.table.frame
        return self.scored & (frame["got"] < frame["groups"]).to_numpy(dtype=bool)

    @cached_property
    def slice_keys(self) -> tuple[str, ...]:
        """Keys by which queries are told apart: those with two to twenty values, the usual ones first."""
        there = [key for key in slice_keys(self.table) if key not in NO_KEYS]
        ordered = [key for key in KEYS_FIRST if key in there]
        ordered += [key for key in there if key not in ordered]
        useful = [key for key in ordered if key in (LENGTH, GROUPS) or 1 < self._values(key) <= FEW_VALUES]
        return tuple(useful[:MOST_KEYS])

    @cached_property
    def has_distractors(self) -> bool:
        """Whether gold of these queries labels any chunk as misleading."""
        return bool((self.table.at_any_k.gold["role"] == "distractor").any())

    @property
    def deep(self) -> int:
        """The largest cut-off that the run is deep enough for."""
        return self.deep_of(self.run)

    def deep_of(self, run: str) -> int:
        """The largest cut-off that a run is deep enough for, by its card or else by its longest list."""
        found = self.workspace.run(run)
        depth = found.depth or int(found.lists.lengths.max(initial=0))
        return max((k for k in self.ks if k <= depth), default=self.k)

    @property
    def other_runs(self) -> list[str]:
        """Runs that can be looked at beside this one."""
        return [name for name in self.workspace.runs if name != self.run]

    def complete_at(self, run: str, k: int) -> npt.NDArray[np.bool_]:
        """(n,) rows of the table with all evidence in the first K of a run; False where K is too deep."""
        name = f"complete@{k}"
        if run == self.run and name in self.table.frame:
            return np.asarray(self.table.frame[name] == 1, dtype=bool)
        found = self.workspace.result(run, Lens(metrics=(name,))).table
        if name not in found:
            return np.zeros(len(self.table), dtype=bool)
        return np.asarray(found[name].reindex(self.table.frame.index).to_numpy() == 1, dtype=bool)

    def mean(self, name: str) -> float | None:
        """Mean of a metric."""
        return self.estimate(name).mean

    def memberships(self, key: str) -> list[Membership]:
        """Values of a key, each with the (n,) rows of the table that have it."""
        return memberships(self.table, key)

    def _values(self, key: str) -> int:
        column = self.table.columns[key]
        return len({item for items in column.items for item in items}) + bool(column.is_empty.any())
