"""What judges say of the runs of a set: plans, verdicts and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ragtui import locations
from ragtui.endpoint import ModelFacts, facts_of
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging import table
from ragtui.judging.cache import open_cache
from ragtui.judging.card import Card
from ragtui.judging.card_files import keep_card, kept_card
from ragtui.judging.folder import load_judges
from ragtui.judging.interpret import verdicts_from
from ragtui.judging.items import asks_together
from ragtui.judging.labels import labels_of_gold
from ragtui.judging.lines import Parsed, frame_of
from ragtui.judging.model import Judge, Verdict
from ragtui.judging.plan import Asker, Plan, make_plan
from ragtui.judging.prompts import language_of
from ragtui.judging.runner import Judging
from ragtui.judging.scores import JudgedScores, judged_scores
from ragtui.judging.selection import Selected, hashes_of, select

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace


_SELECTIONS = 4
"""How many selections are kept: those of two judges over two runs. Each holds an item for every context."""


def calibration_folder() -> Path:
    """Where verdicts on judges' own labelled pairs are kept, and cards: they belong to no set."""
    return locations.data_folder() / "judges" / "verdicts"


class Judgments:
    """Judges of one workspace, over the queries it is narrowed to.

    Verdicts are read once per judge and model; `forget` reads them anew, such as after a run of judging. What
    is being read meanwhile in another thread stays with what was known before.

    Attributes:
        heard: judge and model (`""` for a rule) that speak in tables before all others; None for nobody.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._tables: dict[tuple[str, str, str], Parsed] = {}
        self._cards: dict[tuple[str, str, str], Card | None] = {}
        self._grades: dict[str, dict[str, float]] | None = None
        self._selected: dict[tuple[Any, ...], tuple[Selected, ...]] = {}
        self._verdicts = _OfSelections()
        self._labels = _OfSelections()
        self.heard: tuple[str, str] | None = None

    @cached_property
    def judges(self) -> Mapping[str, Judge]:
        """All judges by name; those beside the set win."""
        return load_judges(self._workspace.set.path)

    @property
    def folder(self) -> Path:
        """Where new verdicts are written: `verdicts` of the state."""
        return self._workspace.state_folder / "verdicts"

    @property
    def folders(self) -> tuple[Path, Path]:
        """Where verdicts are read from: those that travel with the set, then those of its state."""
        return self._workspace.set.path / "verdicts", self.folder

    def recorded(self) -> list[tuple[str, str, str]]:
        """Judge, version and model of all verdicts that are there."""
        return table.judges_in(folder for folder in self.folders if folder.is_dir())

    def asker(self, judge: str, model: str | None = None, label: str = "") -> Asker:
        """A judge in full: with its model, the label of the model's server, and the language of this set.

        Raises:
            RagtuiError: there is no such judge, or it needs a model and none is named.
        """
        found = self.judges.get(judge)
        if found is None:
            known = ", ".join(sorted(self.judges))
            raise RagtuiError("judging.no-such-judge", name=inert(judge), known=known)
        if found.engine == "rule":
            return Asker(found)
        if not model:
            raise RagtuiError("judging.no-model", name=judge)
        return Asker(found, model, label, language_of(self._workspace.set))

    def table(self, asker: Asker) -> pd.DataFrame:
        """All verdicts of a judge with its model, on whatever texts; columns `COLUMNS`."""
        key = (asker.judge.name, asker.judge.version, asker.model)
        tables = self._tables
        if key not in tables:
            tables[key] = table.read(self.folders, asker.judge, asker.model)
        return tables[key].frame

    def card(self, asker: Asker) -> Card | None:
        """How far the judge agreed with its own labelled pairs when that was last measured; None if never.

        Read from the set, from what the user keeps for all sets, and from the state; the newest counts.
        """
        key = (asker.judge.name, asker.judge.version, asker.model)
        cards = self._cards
        if key not in cards:
            in_set, in_state = self.folders
            kept = kept_card((in_set, calibration_folder(), in_state), asker.judge, asker.model)
            cards[key] = None if kept is None else kept.card
        return cards[key]

    def keep_card(self, asker: Asker, card: Card) -> None:
        """Keep a card of the judge for all sets of this user, and beside the verdicts of this one.

        Raises:
            RagtuiError: one of the folders cannot be written.
        """
        for folder in (calibration_folder(), self.folder):
            keep_card(folder, asker.judge, asker.model, card)
        self._cards = {}

    def set_aside(self) -> int:
        """Lines of the files read so far that could not be read."""
        return sum(found.set_aside for found in self._tables.values())

    def forget(self) -> None:
        """Read verdicts and cards anew when they are next asked for."""
        self._tables = {}
        self._cards = {}
        self._verdicts = _OfSelections()

    def selected(
        self, run: str, asker: Asker, k: int, stage: str | None = None, limit: int | None = None
    ) -> tuple[Selected, ...]:
        """What is judged of a run, query by query; at most `limit` queries that have something to judge."""
        workspace, judge = self._workspace, asker.judge
        key = run, judge.name, judge.version, judge.digest, k, stage
        found = self._selected.pop(key, None)
        if found is None:
            found = select(
                workspace.set,
                workspace.run(run),
                judge,
                workspace.query_ids,
                k=k,
                gold=workspace.gold,
                level=workspace.level,
                stage=stage,
            )
        self._selected[key] = found
        for old in list(self._selected)[:-_SELECTIONS]:
            self._selected.pop(old, None)
        return found if limit is None else _first_judged(found, limit)

    def plan(
        self,
        selected: Iterable[Selected],
        asker: Asker,
        *,
        facts: ModelFacts | None = None,
        repeats: Sequence[int] = (0,),
        only_failed: bool = False,
    ) -> Plan:
        """What judging would take; `facts` of the model in place of what is known of its name."""
        return make_plan(
            asker,
            selected,
            table=self.table(asker),
            cache=open_cache() if asker.model else None,
            facts=lambda: facts or facts_of(asker.model),
            repeats=repeats,
            only_failed=only_failed,
        )

    def judging(self, plan: Plan, folder: Path | None = None, **options: Any) -> Judging:
        """A run of a plan. It writes into `folder`, else into the state; options are those of `Judging`."""
        cache = open_cache() if plan.asker.model else None
        return Judging(plan, folder or self.folder, cache=cache, **options)

    def verdicts(self, selected: Iterable[Selected], asker: Asker) -> pd.DataFrame:
        """Verdicts on what is selected, in its order; columns `COLUMNS`. The table is not to be changed.

        What nobody was asked about has no row, but for what a rule says and what lacks a text: both are known
        without asking.
        """
        selected = tuple(selected)
        return self._verdicts.of(asker, selected, lambda: self._verdicts_on(selected, asker))

    def labels(self, selected: Iterable[Selected], asker: Asker) -> pd.DataFrame:
        """Gold as labels of what is selected, for a judge of contexts. The table is not to be changed."""
        selected = tuple(selected)
        return self._labels.of(
            asker,
            selected,
            lambda: labels_of_gold(
                asker.judge,
                selected,
                self.grades(),
                level=self._workspace.level,
                complete=self._workspace.set.settings.gold_complete,
            ),
        )

    def _verdicts_on(self, selected: tuple[Selected, ...], asker: Asker) -> pd.DataFrame:
        judge, table = asker.judge, self.table(asker)
        rows_of: dict[tuple[str, str], list[int]] = {}
        for row, of_texts in enumerate(zip(table["query_id"], table["text_hash"], strict=True)):
            rows_of.setdefault(of_texts, []).append(row)
        chunks = table["chunk_id"].to_numpy(object)
        of_whole_query = judge.unit == "reference" or asks_together(judge)
        found: list[int] = []
        unasked: list[Verdict] = []
        asked: list[int] = []
        known: list[int] = []
        for place, (item, digest) in enumerate(
            pair for query in selected for pair in zip(query.items, hashes_of(judge, query), strict=True)
        ):
            rows = rows_of.get((item.query_id, digest), [])
            rows = rows if of_whole_query else [row for row in rows if chunks[row] == item.chunk_id]
            given = [] if rows else verdicts_from(judge, item, None, model=asker.model, digest=digest)
            if given and given[0].reason != "not-asked":
                unasked += given
                known += [place] * len(given)
            found += rows
            asked += [place] * len(rows)
        told = table.take(found)
        if not unasked:
            return told.reset_index(drop=True)
        without_asking = frame_of([("", unasked)])
        if not found:
            return without_asking
        whole = pd.concat([told, without_asking], ignore_index=True)
        return whole.take(np.argsort(asked + known, kind="stable")).reset_index(drop=True)

    def scores(self, selected: Sequence[Selected], asker: Asker, k: int) -> JudgedScores:
        """Scores of what is selected, from the verdicts that are there."""
        workspace = self._workspace
        return judged_scores(
            asker.judge,
            selected,
            self.verdicts(selected, asker),
            at=str(k),
            gold=self.grades() if workspace.set.settings.grade_scale == asker.judge.scale else None,
            cluster=workspace.clusters(pd.Index([query.query_id for query in selected])),
        )

    def grades(self) -> Mapping[str, Mapping[str, float]]:
        """Grades of gold by query and chunk, negative ones as 0; computed once."""
        if self._grades is None:
            gold = self._workspace.gold
            chunk_ids = gold.chunk_ids
            self._grades = {}
            rows = zip(gold.query.tolist(), gold.chunk.tolist(), gold.grade.tolist(), strict=True)
            for query, chunk, grade in rows:
                of_query = self._grades.setdefault(gold.query_ids[query], {})
                of_query[chunk_ids[chunk]] = max(grade, 0.0)
        return self._grades


class _OfSelections:
    """A table for each judge and model, kept with the selection it was made of: it is asked for again."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, str], tuple[tuple[Selected, ...], pd.DataFrame]] = {}

    def of(
        self, asker: Asker, selected: tuple[Selected, ...], make: Callable[[], pd.DataFrame]
    ) -> pd.DataFrame:
        key = (asker.judge.name, asker.judge.version, asker.model)
        known = self._made.get(key)
        if known is None or known[0] is not selected:
            known = self._made[key] = selected, make()
        return known[1]


def _first_judged(selected: tuple[Selected, ...], limit: int) -> tuple[Selected, ...]:
    """The queries up to and with the one that is the `limit`-th to be judged."""
    judged = [place for place, query in enumerate(selected) if query.state == "judged"]
    return selected[: judged[limit - 1] + 1] if len(judged) >= limit else selected
