"""What one sitting with a set is about: run, cut-off, marks. Kept between visits; knows no Textual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ragtui.analysis.facts import Facts
from ragtui.analysis.query_table import QueryTable
from ragtui.workspace import ViewState, Workspace

if TYPE_CHECKING:
    from ragtui.tui.desk import Desk
    from ragtui.tui.state.no_answer import Refusals
    from ragtui.tui.state.review import Sitting


class RunTables(Mapping[str, QueryTable]):
    """Tables of all runs at one cut-off, each made when a filter asks for it."""

    def __init__(self, workspace: Workspace, k: int) -> None:
        self._workspace = workspace
        self._k = k

    def __getitem__(self, run: str) -> QueryTable:
        if run not in self._workspace.runs:
            raise KeyError(run)
        return self._workspace.judged_table(run, self._k)

    def __iter__(self) -> Iterator[str]:
        return iter(self._workspace.runs)

    def __len__(self) -> int:
        return len(self._workspace.runs)


class Session:
    """Run, stage, cut-off and marks, shared by all screens.

    Args:
        workspace: the set.
        run: run to look at first; None takes that of the last visit, else the first.
    """

    def __init__(self, workspace: Workspace, run: str | None = None) -> None:
        self.opened = workspace
        """The set with the gold of the files; `workspace` has the gold that is looked at."""
        self.workspace = workspace
        self._gold: int | None = None
        self.view = workspace.load_view()
        self.is_saved = True
        runs = workspace.runs
        if run is not None:
            workspace.run(run)  # raises where there is none of that name
        wanted = run or self.view.run
        self.run: str | None = wanted if wanted in runs else (runs[0] if runs else None)
        self.stage = self.view.stage if self.view.stage in self.stages else None
        settings = workspace.set.settings
        self.k = self.view.k if self.view.k in settings.k else settings.start_k
        self.marks = set(self.view.marks)

    @cached_property
    def desk(self) -> Desk:
        """Which judge is asked, and the judging under way."""
        from ragtui.tui.desk import Desk  # the first screen does without

        return Desk(self)

    @property
    def open_desk(self) -> Desk | None:
        """The desk, where anybody has come to it in this sitting."""
        return self.__dict__.get("desk")

    @cached_property
    def sitting(self) -> Sitting:
        """What is decided about queries."""
        from ragtui.tui.state.review import Sitting

        return Sitting(self)

    @cached_property
    def refusals(self) -> Refusals:
        """From which score on the runs should answer: what is asked, and what was found."""
        from ragtui.tui.state.no_answer import Refusals  # the first screen does without

        return Refusals(self)

    @property
    def stages(self) -> list[str]:
        """Stages of the run besides its final list."""
        return list(self.workspace.run(self.run).stages) if self.run is not None else []

    @property
    def ks(self) -> tuple[int, ...]:
        """Cut-offs of the set, with the one in use among them."""
        return tuple(sorted({*self.workspace.set.settings.k, self.k}))

    @property
    def metric(self) -> str:
        """The primary metric of the set at the cut-off in use, such as `ndcg@5`."""
        return f"{self.workspace.set.settings.primary.split('@')[0]}@{self.k}"

    def over(self, split: str | None) -> Session:
        """The same sitting over another split. Marks are shared; what else is changed in it is not kept."""
        other = copy(self)
        other.opened = self.opened.over(split)
        version = self.workspace.gold_version
        other.workspace = other.opened.at_gold(version) if version else other.opened
        other.__dict__.pop("sitting", None)
        return other

    def facts(self) -> Facts:
        """What is known of the queries under the run in use. May take a while the first time.

        Raises:
            RuntimeError: the set has no run.
        """
        if self.run is None:
            raise RuntimeError("there is no run to look at")
        self._use_newest_gold()
        return self._facts(self.workspace.judged_table(self.run, self.k, self.stage))

    def facts_at_once(self) -> Facts | None:
        """What is known without verdicts; None where there are none, so that `facts` takes no longer.

        Raises:
            RuntimeError: the set has no run.
        """
        if self.run is None:
            raise RuntimeError("there is no run to look at")
        if not self.workspace.has_verdicts:
            return None
        self._use_newest_gold()
        return self._facts(self.workspace.table(self.run, self.k, self.stage))

    def _use_newest_gold(self) -> None:
        if self.sitting.read() and self._gold is None:
            self.use_gold(self.sitting.newest_gold)

    def _facts(self, table: QueryTable) -> Facts:
        sitting = self.sitting
        sitting.prepare()
        others = RunTables(self.workspace, self.k)
        return Facts(table, others, frozenset(self.marks), sitting.guarded, sitting.causes)

    @property
    def newest_gold(self) -> int:
        """Number of the newest version of gold, as far as the journal was read."""
        return 0 if self._gold is None else self.sitting.newest_gold

    def use_gold(self, version: int) -> None:
        """See everything with a version of gold; 0 is that of the files.

        Raises:
            RagtuiError: there is no such version.
        """
        before, self._gold = self.workspace, version
        self.workspace = self.opened.at_gold(version)
        if self.workspace is not before:
            # what is kept with it may be older than the last verdicts, and thresholds belong to gold
            self.workspace.forget_verdicts()
            self.__dict__.pop("refusals", None)

    def step_k(self, by: int) -> bool:
        """Take the next (1) or previous (-1) cut-off of the set's list; False at its end."""
        at = self.ks.index(self.k) + by
        if not 0 <= at < len(self.ks):
            return False
        self.k = self.ks[at]
        return True

    def step_run(self, by: int) -> bool:
        """Take the next or previous run, round about; False where there is no other.

        The stage stays where the run has it.
        """
        runs = self.workspace.runs
        if self.run is None or len(runs) < 2:
            return False
        self.run = runs[(runs.index(self.run) + by) % len(runs)]
        if self.stage not in self.stages:
            self.stage = None
        return True

    def toggle_mark(self, query_id: str) -> bool:
        """Mark a query or take its mark away; True where it is marked now."""
        self.marks ^= {query_id}
        return query_id in self.marks

    def remember(self, **changes: Any) -> None:
        """Keep `changes` of the view (fields of `ViewState`) for the next save."""
        self.view = replace(self.view, **changes)

    def save(self) -> bool:
        """Write view and marks; False where the folder cannot be written."""
        state: ViewState = replace(
            self.view, run=self.run, k=self.k, stage=self.stage, marks=tuple(sorted(self.marks))
        )
        self.is_saved = self.workspace.save_view(state)
        return self.is_saved
