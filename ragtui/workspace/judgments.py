"""What judges say of the runs of a set: plans, verdicts and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from ragtui.judging.lines import COLUMNS, Parsed, frame_of
from ragtui.judging.model import Judge
from ragtui.judging.plan import Asker, Plan, make_plan
from ragtui.judging.prompts import language_of
from ragtui.judging.runner import Judging
from ragtui.judging.scores import JudgedScores, judged_scores
from ragtui.judging.selection import Selected, hashes_of, select

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace


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

    def selected(
        self, run: str, asker: Asker, k: int, stage: str | None = None, limit: int | None = None
    ) -> tuple[Selected, ...]:
        """What is judged of a run, query by query; at most `limit` queries that have something to judge."""
        workspace = self._workspace
        found = select(
            workspace.set,
            workspace.run(run),
            asker.judge,
            workspace.query_ids,
            k=k,
            gold=workspace.gold,
            level=workspace.level,
            stage=stage,
        )
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
        """Verdicts on what is selected, in its order; columns `COLUMNS`.

        What nobody was asked about has no row, but for what a rule says and what lacks a text: both are known
        without asking.
        """
        selected = tuple(selected)
        items = [item for query in selected for item in query.items]
        if not items:
            return frame_of([])
        wanted = pd.DataFrame(
            {
                "query_id": [item.query_id for item in items],
                "text_hash": [digest for query in selected for digest in hashes_of(asker.judge, query)],
                "of_chunk": [item.chunk_id for item in items],
                "order": range(len(items)),
            }
        )
        found = wanted.merge(self.table(asker), on=["query_id", "text_hash"], how="inner", sort=False)
        of_whole_query = asker.judge.unit == "reference" or asks_together(asker.judge)
        found = found if of_whole_query else found[found["chunk_id"] == found["of_chunk"]]
        unasked = []
        for order in sorted(set(wanted["order"]) - set(found["order"])):
            given = verdicts_from(asker.judge, items[order], None, model=asker.model)
            if given[0].reason != "not-asked":
                unasked += [(order, verdict) for verdict in given]
        known = frame_of([("", [verdict for _, verdict in unasked])])
        known["order"] = [order for order, _ in unasked]
        whole = pd.concat([found[[*COLUMNS, "order"]], known], ignore_index=True)
        return whole.sort_values("order", kind="stable", ignore_index=True).drop(columns="order")

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


def _first_judged(selected: tuple[Selected, ...], limit: int) -> tuple[Selected, ...]:
    """The queries up to and with the one that is the `limit`-th to be judged."""
    judged = [place for place, query in enumerate(selected) if query.state == "judged"]
    return selected[: judged[limit - 1] + 1] if len(judged) >= limit else selected
