"""How far a judge can be believed: on its own labelled pairs, and on the gold of a set.

Verdicts on a judge's own pairs belong to no set. They are kept in the user's data folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ragtui.endpoint import ModelFacts, facts_of
from ragtui.judging import table
from ragtui.judging.cache import open_cache
from ragtui.judging.card import Card, measure
from ragtui.judging.corrected import Corrected, corrected_mean, corrected_share
from ragtui.judging.labels import calibration_of, verdicts_of_labels
from ragtui.judging.plan import Asker, Plan, make_plan
from ragtui.judging.scores import scores_of_queries
from ragtui.workspace.judgments import calibration_folder

if TYPE_CHECKING:
    from ragtui.judging.selection import Selected
    from ragtui.workspace.workspace import Workspace

USEFUL = "context_useful"


def calibration_plans(
    asker: Asker, *, facts: ModelFacts | None = None, repeats: Sequence[int] = (0,)
) -> list[Plan]:
    """What measuring a judge on its own pairs would take: a plan for each language they are asked in.

    Raises:
        RagtuiError: it has no labelled pairs, or one that cannot be used.
    """
    return [
        make_plan(
            replace(asker, language=language),
            selected,
            table=_own_table(asker),
            cache=open_cache() if asker.model else None,
            facts=lambda: facts or facts_of(asker.model),
            repeats=repeats,
        )
        for language, selected in calibration_of(asker.judge).by_language.items()
    ]


def calibration_card(asker: Asker) -> Card:
    """The judge measured on its own pairs, from the verdicts that are there."""
    return measure(calibration_of(asker.judge).labels, _own_table(asker), asker.judge.scale)


def gold_card(workspace: Workspace, selected: Sequence[Selected], asker: Asker) -> Card | None:
    """The judge measured on the gold of a set, from the verdicts that are there.

    None where gold says nothing of what it judges, because that is no context.
    """
    if asker.judge.unit != "context":
        return None
    verdicts = workspace.judgments.verdicts(selected, asker)
    return measure(workspace.judgments.labels(selected, asker), verdicts, asker.judge.scale)


def corrections(
    workspace: Workspace, selected: Sequence[Selected], asker: Asker, k: int, card: Card | None
) -> Mapping[str, Corrected]:
    """Judged means corrected by gold, by name of the score; empty where gold says nothing of what is judged.

    Where fewer queries are labelled than a mean needs, only the useful share can be corrected.

    Args:
        workspace: whose gold it is.
        selected: what was judged.
        asker: who judged.
        k: cut-off.
        card: the judge measured on that gold, see `gold_card`.
    """
    if card is None or asker.judge.scale != (0.0, 1.0):
        return {}
    labels = workspace.judgments.labels(selected, asker)
    people = verdicts_of_labels(asker.judge, labels, by="gold")
    verdicts = workspace.judgments.verdicts(selected, asker)
    judged, _ = scores_of_queries(asker.judge, selected, verdicts, at=str(k))
    by_people, _ = scores_of_queries(asker.judge, selected, people, at=str(k))
    # A share of the contexts that people happened to label is not the score that the judge was asked for.
    by_people = by_people[(by_people["state"] == "scored").to_numpy()]
    found = {}
    for name in (column for column in judged if "@" in str(column) and " " not in str(column)):
        corrected = corrected_mean(judged[name], by_people[name], card)
        if corrected.reason == "few-labelled" and str(name).startswith(USEFUL):
            corrected = corrected_share(_contexts(verdicts, labels), card)
        found[str(name)] = corrected
    return found


def _own_table(asker: Asker) -> pd.DataFrame:
    return table.read([calibration_folder()], asker.judge, asker.model).frame


def _contexts(verdicts: pd.DataFrame, labels: pd.DataFrame) -> pd.DataFrame:
    """One row for each context: query_id, value of the judge, label of gold; NaN where there is none."""
    first = verdicts[(verdicts["repeat"] == 0).to_numpy()]
    given = first.set_index(["query_id", "chunk_id", "text_hash"])["value"]
    keys = pd.MultiIndex.from_frame(labels[["query_id", "chunk_id", "text_hash"]])
    values = given[~given.index.duplicated(keep="last")].reindex(keys).to_numpy(np.float64)
    return pd.DataFrame({"query_id": labels["query_id"], "value": values, "label": labels["label"]})
