"""Thresholds of the runs of a set: which split is fitted, which is reported, each answer computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui import atomic
from ragtui.analysis.calibration.applied import Applied, apply_policy
from ragtui.analysis.calibration.calibrate import Aim, Calibration, calibrate
from ragtui.analysis.calibration.policy_file import chosen_policy, policies_file, policy_of, read_policies
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER, Sample
from ragtui.analysis.calibration.score_names import ScoreName
from ragtui.analysis.calibration.scores import scores_of
from ragtui.dataset.model import Run
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.stats.means import cluster_codes

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

FIT, HELD_OUT = "dev", "test"

SCORE_FACTS = (
    "retriever",
    "model",
    "model_version",
    "dimension",
    "query_prefix",
    "passage_prefix",
    "normalised",
    "distance",
    "template",
    "fusion",
    "rerank",
)
"""Fields of a run card that decide what its scores are."""


class Calibrations:
    """Thresholds over one workspace: fitted on `dev` where there is one, else on its split.

    Where nothing else is asked for, an unsealed split `test` is what they are reported on.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._splits: dict[str | None, Workspace] = {workspace.split: workspace}
        self._samples: dict[tuple[str, str | None, ScoreName, int], Sample] = {}
        self._found: dict[tuple[str, Aim], Calibration] = {}

    @property
    def fit_split(self) -> str | None:
        """`dev` where there is one, else the split of the workspace."""
        return FIT if FIT in self._workspace.set.splits else self._workspace.split

    def report_split(self, wanted: str | None = None) -> str | None:
        """The split that is asked for, else that of the workspace where it is not fitted on, else `test`.

        A sealed split is only taken where it is asked for. Where nothing else is left it is the fitted split.

        Raises:
            RagtuiError: there is no such split.
        """
        workspace = self._workspace
        if wanted is not None:
            if wanted not in workspace.set.splits:
                known = ", ".join(workspace.set.splits) or "-"
                raise RagtuiError("workspace.no-such-split", split=wanted, known=known)
            return wanted
        if workspace.split != self.fit_split:
            return workspace.split
        if HELD_OUT in workspace.set.splits and HELD_OUT not in workspace.set.settings.sealed:
            return HELD_OUT
        return self.fit_split

    def calibration(self, run: str, aim: Aim) -> Calibration:
        """The threshold of a run, computed once.

        Raises:
            RagtuiError: there is no such run or split, K lies beyond the depth of the run, or it has no
                scores.
        """
        key = (run, aim)
        if key not in self._found:
            fit_split, report_split = self.fit_split, self.report_split(aim.report)
            fit = self.sample(run, fit_split, aim)
            report = fit if report_split == fit_split else self.sample(run, report_split, aim)
            card = self._workspace.run(run).card
            fields: Mapping[str, Any] = card.fields if card is not None else {}
            self._found[key] = calibrate(run, aim, fit, report, model=model_of(fields), facts=_facts(fields))
        return self._found[key]

    def applied(self, path: Path, run: str, aim: Aim, score: ScoreName | None = None) -> Applied:
        """A run against the policy of a file that is of its model, over the split that is asked for.

        `score` has to be that of the policy where it is given; of `aim` only `report` counts, since K and
        score are those of the policy.

        Raises:
            RagtuiError: the file holds no policy for the model of the run, or for that score.
        """
        card = self._workspace.run(run).card
        fields: Mapping[str, Any] = card.fields if card is not None else {}
        model = model_of(fields)
        policy = chosen_policy(read_policies(path), place=str(path), run=run, model=model, score=score)
        split = self.report_split(aim.report) if aim.report is not None else self._workspace.split
        report = self.sample(run, split, Aim(score=policy.score, k=policy.k))
        hashes = self._workspace.set.hashes
        return apply_policy(
            policy,
            run,
            report,
            _facts(fields),
            model=policy.model,
            corpus=hashes.corpus,
            queries=hashes.queries,
        )

    def export(self, path: Path, found: Iterable[Calibration]) -> list[str]:
        """Write the usable thresholds to a file, JSON where it is called so and else TOML; gives their runs.

        Raises:
            RagtuiError: none is usable, a usable one belongs to no known model, or the file cannot be
                written. Then nothing is written.
        """
        hashes = self._workspace.set.hashes
        calibrations = list(found)
        usable = [calibration for calibration in calibrations if calibration.usable]
        if not usable:
            why = "; ".join(f"{one.run}: {one.why}" for one in calibrations)
            raise RagtuiError("calibration.nothing-to-export", where=str(path), why=inert(why))
        policies = {one.run: policy_of(one, corpus=hashes.corpus, queries=hashes.queries) for one in usable}
        content = policies_file(self._workspace.set.name, policies, as_json=path.suffix == ".json")
        try:
            atomic.write_bytes(path, content)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise RagtuiError("calibration.cannot-write", where=str(path), why=why) from error
        return list(policies)

    def sample(self, run: str, split: str | None, aim: Aim) -> Sample:
        """Scored queries of a split under a run, made once."""
        k = self._k(self._workspace.run(run), aim.k)
        key = (run, split, aim.score, k)
        if key not in self._samples:
            self._samples[key] = _sample(self._over(split), run, aim.score, k)
        return self._samples[key]

    def _over(self, split: str | None) -> Workspace:
        if split not in self._splits:
            self._splits[split] = self._workspace.over(split)
        return self._splits[split]

    def _k(self, run: Run, wanted: int | None) -> int:
        """The cut-off that is asked for; else that of the set, or the depth where that is less."""
        if wanted is None:
            return min(
                self._workspace.set.settings.start_k, run.depth or self._workspace.set.settings.start_k
            )
        if run.depth is not None and wanted > run.depth:
            raise RagtuiError("calibration.k-beyond-depth", where=run.name, k=wanted, depth=run.depth)
        return wanted


def model_of(fields: Mapping[str, Any]) -> str | None:
    """What made the scores, as a run card says: its `model`, else its `retriever`, such as `bm25`."""
    for name in ("model", "retriever"):
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return None


def _facts(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in SCORE_FACTS if name in fields}


def _sample(workspace: Workspace, name: str, score: ScoreName, k: int) -> Sample:
    from ragtui.workspace.workspace import Lens

    run = workspace.run(name)
    if run.depth is not None and score.needs > run.depth:
        raise RagtuiError("calibration.score-beyond-depth", where=name, score=score, depth=run.depth)
    table = workspace.result(name, Lens(ks=(k,), metrics=(f"hit@{k}",))).table
    ids = pd.Index(workspace.query_ids, dtype=object)
    no_answer = ids.isin(list(workspace.no_answer))
    scored_row = table.index.get_indexer(ids)
    kind = np.full(len(ids), -1, dtype=np.int8)
    kind[no_answer] = NO_ANSWER
    is_found = np.append((table["first_rank"] <= k).to_numpy(dtype=bool), False)[scored_row]
    kind[scored_row >= 0] = np.where(is_found, FOUND, MISSED)[scored_row >= 0]
    rows = pd.Index(run.lists.query_ids, dtype=object).get_indexer(ids)
    failed = ids.isin(list(run.errors))
    kept = (kind >= 0) & (rows >= 0) & ~failed
    scored = scores_of(run.lists, rows[kept], score, run.direction)
    clusters = workspace.clusters(ids)
    return Sample(
        split=workspace.split,
        score=score,
        run_direction=run.direction,
        k=k,
        query_ids=np.asarray(ids[kept], dtype=object),
        kind=kind[kept],
        values=scored.values,
        clusters=None if clusters is None else cluster_codes(clusters, ids)[kept],
        left_out=_left_out(kind, rows, failed),
        short=int((scored.lengths < score.needs).sum()),
    )


def _left_out(
    kind: npt.NDArray[np.int8], rows: npt.NDArray[np.intp], failed: npt.NDArray[np.bool_]
) -> dict[str, int]:
    known = kind >= 0
    counts = {
        "failed": int((known & failed).sum()),
        "missing": int((known & ~failed & (rows < 0)).sum()),
        "unjudged": int((~known).sum()),
    }
    return {reason: n for reason, n in counts.items() if n}
