"""An evaluation set opened together with its runs, results, view and state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui import locations
from ragtui.analysis.evidence import QueryEvidence, query_evidence
from ragtui.analysis.query_table import QueryTable, build_query_table
from ragtui.dataset.export.frames import Frames, frames
from ragtui.dataset.model import EvaluationSet, RankedLists, Run
from ragtui.dataset.reading import open_set
from ragtui.errors import RagtuiError
from ragtui.metrics.catalogue import METRICS
from ragtui.metrics.evaluate import Missing, RunResult, evaluate
from ragtui.metrics.found import Convention
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed
from ragtui.metrics.summary import summarise
from ragtui.metrics.tokens import tokens_of
from ragtui.stats.estimate import Estimate
from ragtui.workspace import view_state
from ragtui.workspace.view_state import ViewState

if TYPE_CHECKING:
    from ragtui.analysis.calibration.calibrate import Aim, Calibration
    from ragtui.workspace.calibrations import Calibrations
    from ragtui.workspace.judgments import Judgments
    from ragtui.workspace.review import Review


@dataclass(frozen=True, slots=True)
class Lens:
    """How numbers are made from a run; two equal lenses on one run give the same result.

    Attributes:
        convention: `ragtui` (the design's definitions) or `trec` (trec_eval's).
        missing: whether judged queries that the run lacks count as 0 or are left out (`intersection`).
        stage: a stage of the run instead of its final list.
        level: grade from which a chunk is relevant; None takes that of the set.
        ks: cut-offs; None takes those of the set.
        metrics: names of metrics, None for all.
    """

    convention: Convention = "ragtui"
    missing: Missing = "zero"
    stage: str | None = None
    level: float | None = None
    ks: tuple[int, ...] | None = None
    metrics: tuple[str, ...] | None = None


PLAIN = Lens()

GOLD_KEPT = 4
"""Versions of gold that are kept at hand; of older ones everything is computed anew."""

_OF_TABLE = tuple(name for name in METRICS if name != "tokens")
"""Metrics of the query table: counting the tokens of a large corpus would hold up the first screen."""


class Workspace:
    """A set, read once, with everything that follows from it computed lazily and kept.

    Args:
        evaluation: the set as it was read.
        split: the split that all numbers are over; None takes the only one, else `dev`.
        state: folder of the view and of decisions; None takes the usual one for the set.
    """

    def __init__(
        self, evaluation: EvaluationSet, *, split: str | None = None, state: Path | None = None
    ) -> None:
        self.set = evaluation
        self.split = _split(evaluation, split)
        self.state_folder = locations.state_folder(evaluation.path, state)
        self.is_example = locations.is_bundled(evaluation.path)
        self.gold_version = 0
        self._with_gold: dict[int, Workspace] = {}
        self._only: frozenset[str] | None = None
        self._gold: GoldTable | None = None
        self._judgments: Judgments | None = None
        self._calibrations: Calibrations | None = None
        self._results: dict[tuple[str, Lens], RunResult] = {}
        self._summaries: dict[tuple[str, Lens], Mapping[str, Estimate]] = {}
        self._tables: dict[tuple[str, Lens], dict[int, QueryTable]] = {}
        self.verdicts_error: RagtuiError | None = None
        self._judged: dict[tuple[str, int, str | None], QueryTable] = {}

    @classmethod
    def open(
        cls, path: Path | str, *, split: str | None = None, state: Path | str | None = None, **files: Any
    ) -> Workspace:
        """Open the set at `path`.

        `files` name what no pattern finds: `corpus`, `queries`, `gold` (paths), `runs` (`{name: path}`).

        Raises:
            BadInput: with every fault of the input.
        """
        folder = Path(state) if state is not None else None
        return cls(open_set(Path(path), **files), split=split, state=folder)

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in order of the files."""
        return list(self.set.runs)

    def run(self, name: str) -> Run:
        """A run by name; `RagtuiError` names the ones there are."""
        try:
            return self.set.runs[name]
        except KeyError:
            known = ", ".join(self.runs) or "-"
            raise RagtuiError("workspace.no-such-run", run=name, known=known) from None

    @cached_property
    def query_ids(self) -> np.ndarray[Any, np.dtype[np.object_]]:
        """Ids of the queries of the split, in order of the set; all of them where there is no split."""
        split = self.set.query_split
        of_split = split.isna() if self.split is None else split == self.split
        if self._only is not None:
            of_split &= split.index.isin(list(self._only))
        return np.asarray(split.index[of_split.to_numpy()], dtype=object)

    def only(self, query_ids: Iterable[str]) -> Workspace:
        """The same set and split, narrowed to some of its queries; every number is then over these."""
        narrowed = Workspace(self.set, split=self.split, state=self.state_folder)
        narrowed._only = frozenset(query_ids)
        narrowed.gold_version = self.gold_version
        return narrowed

    def over(self, split: str | None) -> Workspace:
        """The same set, narrowed as this is, over another split; None for the queries that are in none."""
        other = Workspace(self.set, split=split, state=self.state_folder) if split != self.split else self
        if other is not self:
            other._only = self._only
        return other

    @property
    def level(self) -> float:
        """Grade from which a chunk is relevant: that of the set, else 2 on the 0–3 scale, else 1."""
        return self.set.settings.level

    def lens_stage(self, run: str, stage: str | None) -> RankedLists:
        """Lists of a run that a stage names; `RagtuiError` names the stages there are."""
        lists = self.run(run).stage(stage)
        if lists is None:
            known = ", ".join(self.run(run).stages) or "-"
            raise RagtuiError("workspace.no-such-stage", run=run, stage=stage, known=known)
        return lists

    @property
    def gold(self) -> GoldTable:
        """Gold of the split, coded once for all runs."""
        if self._gold is None:
            rows = self.set.gold
            if list(rows["split"].unique()) == [self.split]:
                self._gold = GoldTable.from_frame(rows, self.set.gold_codes)
            else:
                self._gold = GoldTable.from_frame(rows[(rows["split"] == self.split).to_numpy()])
        return self._gold

    def result(self, run: str, lens: Lens = PLAIN) -> RunResult:
        """Metrics of a run over the queries of the split; computed once per lens."""
        key = (run, lens)
        if key not in self._results:
            self._results[key] = self._evaluated(self.run(run), lens)
        return self._results[key]

    def summary(self, run: str, lens: Lens = PLAIN) -> Mapping[str, Estimate]:
        """Mean of every metric of `result` with its interval; computed once per lens."""
        key = (run, lens)
        if key not in self._summaries:
            result = self.result(run, lens)
            clusters = self.clusters(result.table.index)
            self._summaries[key] = summarise(result.table, clusters, unavailable=result.unavailable)
        return self._summaries[key]

    def clusters(self, query_ids: pd.Index[Any]) -> pd.Series[Any] | None:
        """Cluster of each query; None where the set names none, and queries are drawn one by one."""
        clusters = self.set.queries["cluster"].reindex(query_ids)
        return clusters if clusters.notna().any() else None

    def table(self, run: str, k: int, stage: str | None = None) -> QueryTable:
        """What is known of every query of the split under a run at a cut-off; computed once."""
        ks = tuple(sorted({*self.set.settings.k, k}))
        lens = Lens(stage=stage, ks=ks, metrics=_OF_TABLE)
        key = (run, lens)
        if key not in self._tables:
            # the result is not kept beside the table, which has all its rows
            result = self._results.get(key) or self._evaluated(self.run(run), lens)
            made = build_query_table(
                self.set, self.run(run), result, k, query_ids=self.query_ids, stage=stage
            )
            self._tables[key] = {k: made}
        tables = self._tables[key]
        if k not in tables:
            tables[k] = next(iter(tables.values())).at(k)
        return tables[k]

    def judged_table(self, run: str, k: int, stage: str | None = None) -> QueryTable:
        """`table` with the verdicts that were recorded of it; computed once, until `forget_verdicts`.

        Without them where they cannot be read: `verdicts_error` then says why.
        """
        key = (run, k, stage)
        judged = self._judged  # `forget_verdicts` takes another, and leaves this one to who is reading
        if key not in judged:
            table = self.table(run, k, stage)
            try:
                table = self.with_verdicts(table)
            except RagtuiError as error:
                self.verdicts_error = self.verdicts_error or error  # one, to be told once
            judged[key] = table
        return judged[key]

    def with_verdicts(self, table: QueryTable) -> QueryTable:
        """A table of this set with the verdicts that were recorded of it.

        Raises:
            RagtuiError: a file of verdicts or the folder of a judge cannot be read.
        """
        if not self.has_verdicts:
            return table
        from ragtui.workspace.judged_table import with_verdicts  # most sets do without

        return with_verdicts(self, table)

    def verdict_records(self, table: QueryTable) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """All verdicts that were recorded of what a table of this set lists, by query; for records.

        Raises:
            RagtuiError: a file of verdicts or the folder of a judge cannot be read.
        """
        if not self.has_verdicts:
            return {}
        from ragtui.workspace.judged_records import verdict_records  # most sets do without

        return verdict_records(self, table)

    def forget_verdicts(self) -> None:
        """Read verdicts anew when they are next asked for, such as after judging."""
        self._judged = {}
        self.verdicts_error = None
        if self._judgments is not None:
            self._judgments.forget()

    @property
    def has_verdicts(self) -> bool:
        """Whether any verdicts were recorded, with the set or on this machine."""
        folders = (self.set.path / "verdicts", self.state_folder / "verdicts")
        return any(next(folder.glob("*.jsonl"), None) is not None for folder in folders)

    def evidence(self, run: str, query_id: str, k: int, stage: str | None = None) -> QueryEvidence:
        """What one query needs, what was missed and why, and what was retrieved."""
        return query_evidence(self.set, run, query_id, k, level=self.level, split=self.split, stage=stage)

    def frames(self) -> Frames:
        """Queries, chunks, gold and results of all runs as data frames, which may be changed."""
        return frames(self.set)

    @property
    def judgments(self) -> Judgments:
        """What judges say of the runs, over the queries of `query_ids`."""
        if self._judgments is None:
            from ragtui.workspace.judgments import Judgments  # here: the first screen does without

            self._judgments = Judgments(self)
        return self._judgments

    @property
    def calibrations(self) -> Calibrations:
        """From which score on the runs should answer, and what that costs."""
        if self._calibrations is None:
            from ragtui.workspace.calibrations import Calibrations  # here: the first screen does without

            self._calibrations = Calibrations(self)
        return self._calibrations

    def calibration(self, run: str, aim: Aim | None = None) -> Calibration:
        """The refusal threshold of a run, with all that stands beside it; computed once per aim.

        Raises:
            RagtuiError: there is no such run or split, K lies beyond the depth of the run, or it has no
                scores.
        """
        from ragtui.analysis.calibration.calibrate import Aim

        return self.calibrations.calibration(run, aim or Aim())

    @cached_property
    def review(self) -> Review:
        """What people decide about the set; nothing is read or created before it is asked."""
        from ragtui.workspace.review import Review  # here: the first screen does without

        return Review(self)

    def review_as(self, reviewer: str) -> None:
        """Decide in somebody's name from now on."""
        from ragtui.workspace.review import Review

        self.__dict__["review"] = Review(self, reviewer)

    def at_gold(self, version: int | str) -> Workspace:
        """The same set with a version of corrected gold: a number, or `latest`; 0 is that of the files.

        It knows no other version: ask the workspace that was opened.

        Raises:
            RagtuiError: there is no such version.
        """
        from ragtui.workspace.review import Review
        from ragtui.workspace.review_gold import set_at, version_number

        journal = self.review.journal
        number = version_number(journal.state, version)
        if number == self.gold_version:
            return self
        if number not in self._with_gold:
            made = Workspace(
                set_at(self.set, journal.state, number, self.split), split=self.split, state=self.state_folder
            )
            made._only, made.gold_version = self._only, number
            made.__dict__["review"] = Review(made, self.review.reviewer, journal)
            while len(self._with_gold) >= GOLD_KEPT:  # each holds tables of its own
                del self._with_gold[next(iter(self._with_gold))]
            self._with_gold[number] = made
        return self._with_gold[number]

    def load_view(self) -> ViewState:
        """The view as it was left."""
        return view_state.load(self.state_folder)

    def save_view(self, state: ViewState) -> bool:
        """Keep the view; False where the state folder cannot be written."""
        return view_state.save(self.state_folder, state)

    def _evaluated(self, run: Run, lens: Lens) -> RunResult:
        settings = self.set.settings
        return evaluate(
            self.query_ids,
            Listed(self.lens_stage(run.name, lens.stage), self.gold),
            metrics=lens.metrics,
            ks=lens.ks or settings.k,
            level=self.level if lens.level is None else lens.level,
            convention=lens.convention,
            missing=lens.missing,
            depth=run.depth_of(lens.stage),
            failed=frozenset(run.errors),
            no_answer=self.no_answer,
            direction=run.direction,
            top_grade=self._top_grade,
            tokens=self._tokens(run, lens),
        )

    def _tokens(self, run: Run, lens: Lens) -> npt.NDArray[np.float64] | None:
        """Tokens of every chunk that the run returned, where the lens asks for them and the set has texts."""
        asked = lens.metrics is None or any(name.partition("@")[0] == "tokens" for name in lens.metrics)
        if not asked or self.set.chunks.empty:
            return None
        return tokens_of(self.set.chunks["text"], self.lens_stage(run.name, lens.stage).vocabulary)

    @property
    def no_answer(self) -> frozenset[str]:
        """Queries of the set to which its corpus holds no answer."""
        answerable = self.set.queries["answerable"]
        return frozenset(answerable.index[[value is False for value in answerable]])

    @property
    def _top_grade(self) -> float | None:
        """Grade of a strict hit: that of the set, else the top of its scale; None is the highest of gold."""
        settings = self.set.settings
        if settings.strict is not None:
            return settings.strict
        return max(settings.grade_scale) if settings.grade_scale else None


def _split(evaluation: EvaluationSet, wanted: str | None) -> str | None:
    """The split to work on; None only where the set has no gold and so no split."""
    splits = evaluation.splits
    known = ", ".join(splits) or "-"
    if wanted is not None:
        if wanted not in splits:
            raise RagtuiError("workspace.no-such-split", split=wanted, known=known)
        return wanted
    if len(splits) <= 1:
        return splits[0] if splits else None
    if "dev" in splits:
        return "dev"
    raise RagtuiError("workspace.which-split", known=known)
