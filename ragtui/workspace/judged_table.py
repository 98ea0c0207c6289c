"""Verdicts that were recorded of a run, joined to its query table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui.analysis.judged import CTX_P, CTX_R, ChunkVerdict, Claim, Judged, JudgedQuery, JudgeName
from ragtui.analysis.query_table import QueryTable
from ragtui.judging.interpret import reason_text
from ragtui.judging.plan import Asker
from ragtui.judging.scores import score_names, scores_of_queries
from ragtui.metrics.gold import GoldTable

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

COVERAGE = "claim_coverage"
GRADE = "mean_grade"
_NO_ROWS = np.empty(0, dtype=np.int64)


def with_verdicts(workspace: Workspace, table: QueryTable) -> QueryTable:
    """The table with what was recorded of its lists; the table itself where that is nothing.

    Of several judges that give one score the one that is to be heard speaks, else the one with the most
    verdicts; of equals one that asks a model, then the first by name.
    """
    asked = (_of_asker(workspace, table, asker) for asker in recorded_askers(workspace))
    found = [given for given in asked if given.count]
    heard = workspace.judgments.heard
    best = {name: _best(found, name, heard) for name in (CTX_P, CTX_R, COVERAGE)}
    columns = {name: given for name in (CTX_P, CTX_R) if (given := best[name]) is not None}
    claims = best[COVERAGE] or best[CTX_R]
    chunks = _of_chunks(found, heard)
    if not columns and claims is None and chunks is None:
        return table
    verdicts = _OfQueries(workspace, chunks, claims)
    failed = {name: given.failed for name, given in columns.items()}
    return table.with_verdicts(
        Judged(
            judges={name: given.name for name, given in columns.items()},
            scores={name: given.values for name, given in columns.items()},
            failed=failed if chunks is None else {**failed, chunks.score: chunks.failed},
            differs=verdicts.differs(table),
            about=verdicts.about,
            claims_from=None if claims is None else claims.name,
            chunks_from=None if chunks is None else chunks.name,
        )
    )


@dataclass(frozen=True, eq=False)
class _Given:
    """What one judge gave on the lists of a table.

    Attributes:
        name: of the judge in full, with its card.
        score: name of its first score, without what follows the `@`.
        values, failed: (n,) that score, and whether a verdict failed.
        verdicts: of the first asking, in rank order of each query.
        count: verdicts that were given or have failed.
    """

    asker: Asker
    name: JudgeName
    score: str
    values: npt.NDArray[np.float64]
    failed: npt.NDArray[np.bool_]
    verdicts: pd.DataFrame
    count: int


def judge_name(workspace: Workspace, asker: Asker) -> JudgeName:
    """A judge in full, with the kappa of its card where it was measured."""
    card = workspace.judgments.card(asker)
    return JudgeName(asker.judge.name, asker.judge.version, asker.model, None if card is None else card.kappa)


def recorded_askers(workspace: Workspace) -> Iterator[Asker]:
    """Judges with verdicts in a file, as they are today; of one that is gone nothing can be said."""
    judgments = workspace.judgments
    for name, version, model in judgments.recorded():
        judge = judgments.judges.get(name)
        if judge is not None and judge.version == version and (model or judge.engine == "rule"):
            yield judgments.asker(name, model or None)


def _of_asker(workspace: Workspace, table: QueryTable, asker: Asker) -> _Given:
    judgments = workspace.judgments
    selected = judgments.selected(table.run.name, asker, table.k, table.stage)
    verdicts = _first_asked(judgments.verdicts(selected, asker))
    scores, _ = scores_of_queries(asker.judge, selected, verdicts, at=str(table.k))
    score = score_names(asker.judge)[0]
    per_query = scores.reindex(table.frame.index)
    return _Given(
        asker,
        judge_name(workspace, asker),
        score,
        per_query[f"{score}@{table.k}"].to_numpy(dtype=np.float64),
        per_query["failed"].fillna(0).to_numpy(dtype=np.float64) > 0,
        verdicts,
        int(scores["judged"].sum() + scores["failed"].sum()),
    )


def _first_asked(verdicts: pd.DataFrame) -> pd.DataFrame:
    return verdicts[(verdicts["repeat"] == 0).to_numpy()].reset_index(drop=True)


def _best(found: list[_Given], score: str, heard: tuple[str, str] | None) -> _Given | None:
    giving = [given for given in found if given.score == score]
    return min(
        giving,
        key=lambda given: (
            (given.asker.judge.name, given.asker.model) != heard,
            -given.count,
            given.asker.judge.engine == "rule",
            given.asker.judge.name,
        ),
        default=None,
    )


def _of_chunks(found: list[_Given], heard: tuple[str, str] | None) -> _Given | None:
    """Who speaks beside the chunks: who is to be heard, else who gives the column, else who grades."""
    of_contexts = [given for given in found if given.asker.judge.unit == "context"]
    for given in of_contexts:
        if (given.asker.judge.name, given.asker.model) == heard:
            return given
    return _best(found, CTX_P, heard) or _best(of_contexts, GRADE, heard)


class _OfQueries:
    """Verdicts by query, made into words when they are asked for."""

    def __init__(self, workspace: Workspace, of_chunks: _Given | None, of_claims: _Given | None) -> None:
        self._of_chunks = None if of_chunks is None else of_chunks.verdicts
        self._of_claims = None if of_claims is None else of_claims.verdicts
        self._chunk_rows = _rows_by_query(self._of_chunks)
        self._claim_rows = _rows_by_query(self._of_claims)
        self._gold = workspace.gold
        self._level = workspace.level
        self._is_complete = workspace.set.settings.gold_complete
        scale = (0.0, 1.0) if of_chunks is None else of_chunks.asker.judge.scale
        self._is_graded = scale != (0.0, 1.0)
        self._compares = not self._is_graded or scale == workspace.set.settings.grade_scale

    def differs(self, table: QueryTable) -> npt.NDArray[np.bool_]:
        """(n,) whether judge and gold disagree about a chunk of the query."""
        found = np.zeros(len(table), dtype=bool)
        if self._of_chunks is not None:
            queries = self._of_chunks["query_id"][self._disagreeing]
            found[table.frame.index.get_indexer(pd.Index(queries.unique(), dtype=object))] = True
        return found

    def about(self, query_id: str) -> JudgedQuery:
        """Verdicts on one query."""
        return JudgedQuery(dict(self._chunks(query_id)), self._claims(query_id))

    @cached_property
    def _disagreeing(self) -> npt.NDArray[np.bool_]:
        """For each verdict on a chunk whether gold says the opposite; it is silent on what has no label."""
        if self._of_chunks is None or not self._compares:
            return np.zeros(0 if self._of_chunks is None else len(self._of_chunks), dtype=bool)
        labels = _labels(self._gold, self._level)
        unlabelled = False if self._is_complete else None
        rows = zip(*(self._of_chunks[name] for name in ("query_id", "chunk_id", "value")), strict=True)
        says = [(labels.get((query, chunk), unlabelled), value) for query, chunk, value in rows]
        disagree = [
            label is not None and not math.isnan(value) and label != self._is_useful(value)
            for label, value in says
        ]
        return np.array(disagree, dtype=bool)

    def _is_useful(self, value: float) -> bool:
        """Of a grade whether it is relevant in this set, where both have one scale."""
        return value >= self._level if self._is_graded and self._compares else value > 0

    def _chunks(self, query_id: str) -> Iterator[tuple[str, ChunkVerdict]]:
        if self._of_chunks is None:
            return
        rows = self._chunk_rows.get(query_id, _NO_ROWS)
        verdicts = self._of_chunks.iloc[rows].to_dict("records")
        for verdict, differs in zip(verdicts, self._disagreeing[rows].tolist(), strict=True):
            status = verdict["status"]
            if status != "skipped":
                is_useful = self._is_useful(verdict["value"]) if status == "ok" else None
                reason = reason_text(status, verdict["reason"])
                grade = verdict["value"] if self._is_graded and status == "ok" else None
                yield (
                    verdict["chunk_id"],
                    ChunkVerdict(is_useful, reason, verdict["raw"], differs, grade),
                )

    def _claims(self, query_id: str) -> tuple[Claim, ...]:
        if self._of_claims is None:
            return ()
        rows = self._of_claims.iloc[self._claim_rows.get(query_id, _NO_ROWS)]
        said = rows[rows["claim"].notna()]
        claims = [_claim(str(text), group) for text, group in said.groupby("claim", sort=False)]
        return tuple(sorted(claims, key=lambda claim: {False: 0, None: 1, True: 2}[claim.is_supported]))


def _claim(text: str, verdicts: pd.DataFrame) -> Claim:
    """A statement is supported by one context that supports it, and unsupported only if all are known."""
    given = verdicts.to_dict("records")
    known = [verdict for verdict in given if verdict["status"] == "ok"]
    supporting = [verdict for verdict in known if verdict["value"] > 0]
    decisive = next(iter(supporting or known), None)
    if decisive is None:
        return Claim(text, None)
    is_supported = True if supporting else False if len(known) == len(given) else None
    chunk_id = decisive["chunk_id"] if supporting else None
    return Claim(text, is_supported, chunk_id, reason_text("ok", decisive["reason"]))


def _rows_by_query(verdicts: pd.DataFrame | None) -> Mapping[str, npt.NDArray[np.int64]]:
    if verdicts is None:
        return {}
    groups = verdicts.groupby("query_id", sort=False).indices
    return {str(query): np.asarray(rows, dtype=np.int64) for query, rows in groups.items()}


def _labels(gold: GoldTable, level: float) -> Mapping[tuple[str, str], bool]:
    """Whether gold has a chunk as relevant, by query and chunk, for all that is labelled."""
    relevant = (gold.grade >= level) & (gold.grade > 0) & ~gold.distractor
    rows = zip(gold.query.tolist(), gold.chunk.tolist(), relevant.tolist(), strict=True)
    return {(gold.query_ids[query], gold.chunk_ids[chunk]): is_relevant for query, chunk, is_relevant in rows}
